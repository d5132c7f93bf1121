import type { Session } from '../world/session.js';
import type { Change } from '../world/state.js';
import type { View } from '../world/view.js';
import type { Awaited, CommitWatch } from '../world/watch.js';

/** The change for which a request waits, and the timeout. */
export interface Wait<T> {
  readonly awaited: Awaited;
  /** Returns the result that ends the wait; null to continue waiting. */
  readonly look: (view: View) => T | null;
  /** Whether to call `look` again after a change. Default: after each change. */
  readonly isNews?: (change: Change) => boolean;
  /** Timeout in milliseconds of real time. */
  readonly timeoutMs: number;
}

/**
 * Waits until `look` returns a result, and returns it; null after the timeout.
 * @throws DomainError see {@link Session.check}, when the world is replaced or deleted; RATE_LIMIT_EXCEEDED if too many requests wait
 */
export function waitFor<T>(watch: CommitWatch, session: Session, { awaited, look, isNews, timeoutMs }: Wait<T>): Promise<T | null> {
  return watch.until(session.world, awaited, () => session.read(look), timeoutMs, isNews);
}
