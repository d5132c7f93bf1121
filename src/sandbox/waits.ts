import { notFound } from '../domain/errors.js';
import type { Session } from '../world/session.js';
import type { View } from '../world/view.js';
import type { CommitWatch } from '../world/watch.js';

/**
 * Waits until a world is as a call wants it: resolves with the first value of `look` that is not null, or with null after `timeoutMs` of real time.
 * @throws DomainError RESOURCE_NOT_FOUND as soon as the world ends, and as {@link Session.check} does as soon as it is another
 */
export function waitFor<T>(watch: CommitWatch, session: Session, look: (view: View) => T | null, timeoutMs: number): Promise<T | null> {
  const { world } = session;
  const lookAgain = () => {
    if (world.isGone) throw notFound('world', { name: world.identity.name });
    return session.read(look);
  };
  return watch.until(world, lookAgain, timeoutMs);
}
