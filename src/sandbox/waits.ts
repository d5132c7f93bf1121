import type { Session } from '../world/session.js';
import type { Change } from '../world/state.js';
import type { View } from '../world/view.js';
import type { Awaited, CommitWatch } from '../world/watch.js';

/** What a call waits for. */
export interface Wait<T> {
  readonly awaited: Awaited;
  /** The value that ends the wait; null as long as there is none. */
  readonly look: (view: View) => T | null;
  /** Whether a change of what is awaited is worth another look; each is, unless told otherwise. */
  readonly isNews?: (change: Change) => boolean;
  /** Of real time. */
  readonly timeoutMs: number;
}

/**
 * Waits until a world is as a call wants it; null when its time is over.
 * @throws DomainError as {@link Session.check} does as soon as the world is another or none; RATE_LIMIT_EXCEEDED when too many wait there
 */
export function waitFor<T>(watch: CommitWatch, session: Session, { awaited, look, isNews, timeoutMs }: Wait<T>): Promise<T | null> {
  return watch.until(session.world, awaited, () => session.read(look), timeoutMs, isNews);
}
