import type { Session } from '../world/session.js';
import type { Change } from '../world/state.js';
import type { View } from '../world/view.js';
import type { Awaited, CommitWatch } from '../world/watch.js';

/** The condition of a waiting request. */
export interface Wait<T> {
  readonly awaited: Awaited;
  /** Returns the result that ends the wait; null to go on waiting. */
  readonly look: (view: View) => T | null;
  /** Whether to look again after a change. Default: after each. */
  readonly isNews?: (change: Change) => boolean;
  /** In real time. */
  readonly timeoutMs: number;
}

/**
 * Waits for a condition in a world; null after the timeout.
 * @throws DomainError as {@link Session.check} when the world is replaced or deleted; RATE_LIMIT_EXCEEDED if too many requests wait there
 */
export function waitFor<T>(watch: CommitWatch, session: Session, { awaited, look, isNews, timeoutMs }: Wait<T>): Promise<T | null> {
  return watch.until(session.world, awaited, () => session.read(look), timeoutMs, isNews);
}
