import { call, callIn } from './api.js';
import type { Outcome } from './notices.js';
import { world } from './router.js';

/** Names a snapshot after what is done next; each is used once. */
const snapshotName = (verb: string): string => `before-${verb}-${Date.now().toString(36)}`;

/**
 * Does something to a world that cannot be taken back otherwise, after taking a snapshot of it.
 * @param verb names the snapshot
 * @param text says what was done
 * @returns with a way back
 */
export async function withSnapshot(verb: string, text: string, act: () => Promise<unknown>, name = world.peek()): Promise<Outcome> {
  const snapshot = snapshotName(verb);
  await callIn(name, 'POST', '/snapshots', { name: snapshot });
  await act();
  return {
    text: `${text} The snapshot ${snapshot} has the state before.`,
    undo: () => callIn(name, 'POST', `/snapshots/${snapshot}/restore`),
  };
}

/** Deletes a world, and keeps its state in this page for a way back. */
export async function deleteWorld(name: string): Promise<Outcome> {
  const state = await callIn<unknown>(name, 'GET', '/state');
  await call('DELETE', `/worlds/${name}`);
  return {
    text: `Deleted the world ${name}. Until you close this message, Undo creates it again with its state, without its snapshots.`,
    undo: async () => {
      await call('POST', '/worlds', { name });
      await callIn(name, 'PUT', '/state', state);
    },
  };
}
