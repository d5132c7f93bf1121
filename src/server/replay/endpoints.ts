import type { ReplayAttempt, ReplayStep } from '../../contract/control/analysis/replay.js';
import type { HoldAttempt, ReplayedAttempt } from '../../sandbox/delivery/deliverer.js';

/** Replaces the endpoints of webhooks in a replay: each attempt waits for its step and then gets the recorded response. */
export class RecordedEndpoints {
  /** The recorded attempts by key: the message id and the number of the attempt. */
  readonly #recorded = new Map<string, ReplayAttempt>();
  /** The keys of the recorded attempts. */
  readonly #keys = new Map<ReplayAttempt, string>();
  /** Number of attempts so far, by message id. */
  readonly #counts = new Map<string, number>();
  /** The attempts that wait for their step, by key: functions that end the wait. */
  readonly #held = new Map<string, () => void>();
  /** Functions to call when an attempt begins to wait, by key. */
  readonly #arrived = new Map<string, () => void>();
  #isOver = false;

  constructor(steps: readonly ReplayStep[]) {
    const counts = new Map<string, number>();
    for (const step of steps) {
      if (step.kind !== 'ATTEMPT') continue;
      const key = next(counts, step.messageId);
      this.#recorded.set(key, step);
      this.#keys.set(step, key);
    }
  }

  /** Holds an attempt until its step. Holds an attempt that was not recorded until the replay is over. */
  hold({ messageId, timeoutMs, signal }: Parameters<HoldAttempt>[0]): Promise<ReplayedAttempt | null> {
    const key = next(this.#counts, messageId);
    const recorded = this.#recorded.get(key);
    const result = recorded ? attemptOf(recorded) : null;
    if (this.#isOver) return Promise.resolve(result);
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#held.delete(key);
        resolve(result);
      };
      // After the replay, the wait must end: an advance of the clock waits for all attempts.
      const timer = setTimeout(() => this.#isOver && end(), timeoutMs).unref();
      signal.addEventListener('abort', end, { once: true });
      this.#held.set(key, end);
      this.#arrived.get(key)?.();
    });
  }

  /** Resolves with true when the sandbox has started an attempt, or with false after the time. */
  async started(step: ReplayAttempt, withinMs: number): Promise<boolean> {
    const key = this.#keys.get(step)!;
    if (this.#held.has(key)) return true;
    return new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), withinMs);
      this.#arrived.set(key, () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  /** Gives a started attempt its recorded response. */
  release(step: ReplayAttempt): void {
    this.#held.get(this.#keys.get(step)!)?.();
  }

  /** Ends the replay: later attempts no longer wait. Attempts that already wait get their recorded responses after their timeouts. */
  over(): void {
    this.#isOver = true;
  }
}

/** Returns a recorded attempt. The sandbox delivers an attempt at an inbox again. */
function attemptOf({ at, toInbox, response: { status, error, location, body } }: ReplayAttempt): ReplayedAttempt {
  const answer = body === null ? {} : { answer: { location, body: Buffer.from(body) } };
  return { sent: toInbox ? null : { httpStatus: status, error, ...answer }, atMs: Date.parse(at) };
}

function next(counts: Map<string, number>, messageId: string): string {
  const count = (counts.get(messageId) ?? 0) + 1;
  counts.set(messageId, count);
  return `${messageId} ${count}`;
}
