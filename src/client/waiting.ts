import type { CallOptions } from './caller.js';
import { SandboxError } from './error.js';

/** Options for waiting. */
export interface WaitOptions extends CallOptions {
  /** Maximum time to wait, in milliseconds of real time. Default: 10,000 */
  readonly timeoutMs?: number | undefined;
}

/** Maximum time for which the server waits in one request, in milliseconds. */
const longestMs = 60_000;

/** Repeats a waiting request until it succeeds or `timeoutMs` is over. @throws SandboxError WAIT_TIMEOUT */
export async function waitInTurns<T>(timeoutMs = 10_000, call: (timeoutMs: number) => Promise<T>): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const began = performance.now();
    const turnMs = Math.round(Math.min(Math.max(end - began, 0), longestMs));
    try {
      return await call(turnMs);
    } catch (error) {
      const wasLong = performance.now() - began >= turnMs * 0.9; // An error before the end of the wait is final.
      if (!(error instanceof SandboxError && error.code === 'WAIT_TIMEOUT') || !wasLong || performance.now() >= end) throw error;
    }
  }
}
