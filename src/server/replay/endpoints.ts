import type { ReplayAttempt, ReplayStep } from '../../contract/control/analysis/replay.js';
import type { Sent } from '../../sandbox/delivery/attempt-record.js';
import type { HoldAttempt } from '../../sandbox/delivery/deliverer.js';

/** Stands in for the endpoints of webhooks: each attempt waits for its step and then gets the recorded response. */
export class RecordedEndpoints {
  /** The recorded attempts by message and count, and the other way round. */
  readonly #recorded = new Map<string, ReplayAttempt>();
  readonly #keys = new Map<ReplayAttempt, string>();
  /** Number of attempts so far, by message. */
  readonly #counts = new Map<string, number>();
  /** The attempts that wait for their turn. */
  readonly #held = new Map<string, () => void>();
  /** Called when an attempt begins to wait. */
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

  /** Holds an attempt until its step; one that was not recorded, until the replay is over. */
  hold({ messageId, timeoutMs, signal }: Parameters<HoldAttempt>[0]): Promise<Sent | null> {
    const key = next(this.#counts, messageId);
    const recorded = this.#recorded.get(key);
    const result = recorded ? sentOf(recorded) : null;
    if (this.#isOver) return Promise.resolve(result);
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#held.delete(key);
        resolve(result);
      };
      // An advance of the clock waits for all attempts.
      const timer = setTimeout(() => this.#isOver && end(), timeoutMs).unref();
      signal.addEventListener('abort', end, { once: true });
      this.#held.set(key, end);
      this.#arrived.get(key)?.();
    });
  }

  /** Gives an attempt its recorded response, as soon as the sandbox makes it. @returns false if it does not within the time */
  async release(step: ReplayAttempt, withinMs: number): Promise<boolean> {
    const key = this.#keys.get(step)!;
    if (!this.#held.has(key)) {
      const hasCome = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), withinMs);
        this.#arrived.set(key, () => {
          clearTimeout(timer);
          resolve(true);
        });
      });
      if (!hasCome) return false;
    }
    this.#held.get(key)?.();
    return true;
  }

  /** Ends the replay: later attempts are made at once. Those that wait get their recorded responses after their timeouts. */
  over(): void {
    this.#isOver = true;
  }
}

/** Returns the recorded response; null for an attempt that stays within the sandbox, which makes it again. */
function sentOf({ toInbox, response: { status, error, location, body } }: ReplayAttempt): Sent | null {
  if (toInbox) return null;
  return { httpStatus: status, error, ...(body === null ? {} : { answer: { location, body: Buffer.from(body) } }) };
}

function next(counts: Map<string, number>, messageId: string): string {
  const count = (counts.get(messageId) ?? 0) + 1;
  counts.set(messageId, count);
  return `${messageId} ${count}`;
}
