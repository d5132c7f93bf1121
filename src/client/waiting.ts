import type { CallOptions } from './caller.js';
import { SandboxError } from './error.js';

/** How long to wait for something. */
export interface WaitOptions extends CallOptions {
  /** In milliseconds of real time; 10,000 unless told otherwise. */
  readonly timeoutMs?: number | undefined;
}

/** How long the server waits at most within one call, in milliseconds. */
const longestMs = 60_000;

/** Waits for as long as is wanted by calls that wait for as long as they can. @throws SandboxError WAIT_TIMEOUT */
export async function waitInTurns<T>(timeoutMs = 10_000, call: (timeoutMs: number) => Promise<T>): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const began = performance.now();
    const turnMs = Math.round(Math.min(Math.max(end - began, 0), longestMs));
    try {
      return await call(turnMs);
    } catch (error) {
      const wasLong = performance.now() - began >= turnMs * 0.9; // A refusal that comes at once is for good.
      if (!(error instanceof SandboxError && error.code === 'WAIT_TIMEOUT') || !wasLong || performance.now() >= end) throw error;
    }
  }
}
