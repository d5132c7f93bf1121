import { call, callIn, urlPath } from './api.js';
import type { Outcome } from './notices.js';
import { world } from './router.js';

/** Returns a unique name for the snapshot before an action. */
const snapshotName = (verb: string): string => `before-${verb}-${Date.now().toString(36)}`;

/**
 * Takes a snapshot of a world, then runs an action that cannot be undone otherwise.
 * @param verb part of the snapshot name
 * @param text message after the action
 * @returns the message, with an undo that restores the snapshot
 */
export async function withSnapshot(verb: string, text: string, act: () => Promise<unknown>, name = world.peek()): Promise<Outcome> {
  const snapshot = snapshotName(verb);
  await callIn(name, 'POST', '/snapshots', { name: snapshot });
  await act();
  return {
    text: `${text} The snapshot ${snapshot} has the previous state.`,
    undo: () => callIn(name, 'POST', urlPath`/snapshots/${snapshot}/restore`),
  };
}

/** Deletes a world, and keeps its state in the page for an undo. */
export async function deleteWorld(name: string): Promise<Outcome> {
  const state = await callIn<unknown>(name, 'GET', '/state');
  await call('DELETE', urlPath`/worlds/${name}`);
  return {
    text: `Deleted the world ${name}. As long as this message is shown, Undo creates the world again with its state, without its snapshots.`,
    undo: async () => {
      await call('POST', '/worlds', { name });
      await callIn(name, 'PUT', '/state', state);
    },
  };
}
