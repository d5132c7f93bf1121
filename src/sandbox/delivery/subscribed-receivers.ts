import type { Commit } from '../../world/commit.js';
import type { World } from '../../world/world.js';
import { internalReceiver, type InternalReceiver } from './internal-receivers.js';

type Place = Pick<InternalReceiver, 'kind' | 'name'>;

const keyOf = ({ kind, name }: Place) => `${kind}/${name}`;

/** The receivers inside the sandbox (inboxes and listeners) of the subscriptions of each world, updated with every commit. */
export class SubscribedReceivers {
  /** Number of subscriptions to each receiver by world, by the key of the receiver. */
  readonly #worlds = new Map<string, Map<World, number>>();
  /** Key of the receiver of each subscription that has one, by subscription id, by world. */
  readonly #places = new Map<World, Map<string, string>>();

  /** Returns the worlds that have a subscription to this receiver. */
  worldsOf(place: Place): World[] {
    return [...(this.#worlds.get(keyOf(place))?.keys() ?? [])];
  }

  /** Reads all subscriptions of a new or replaced world. */
  read(world: World): void {
    this.forget(world);
    for (const { id, url } of world.state.subscriptions.values()) this.#set(world, id, url);
  }

  committed(world: World, commit: Commit): void {
    if (!('changes' in commit)) return;
    for (const { table, id, row } of commit.changes)
      if (table === 'subscriptions') this.#set(world, id, row === null ? null : (row as { url: string }).url);
  }

  forget(world: World): void {
    for (const key of this.#places.get(world)?.values() ?? []) this.#count(key, world, -1);
    this.#places.delete(world);
  }

  #set(world: World, id: string, url: string | null): void {
    const { name } = world.identity;
    const own = url === null ? null : internalReceiver(url, name);
    const key = own?.world === name ? keyOf(own) : undefined;
    const places = this.#places.get(world) ?? new Map<string, string>();
    const before = places.get(id);
    if (key === before) return;
    if (before !== undefined) this.#count(before, world, -1);
    if (key === undefined) places.delete(id);
    else {
      places.set(id, key);
      this.#count(key, world, 1);
    }
    if (places.size > 0) this.#places.set(world, places);
    else this.#places.delete(world);
  }

  #count(key: string, world: World, change: 1 | -1): void {
    const worlds = this.#worlds.get(key) ?? new Map<World, number>();
    const count = (worlds.get(world) ?? 0) + change;
    if (count > 0) worlds.set(world, count);
    else worlds.delete(world);
    if (worlds.size > 0) this.#worlds.set(key, worlds);
    else this.#worlds.delete(key);
  }
}
