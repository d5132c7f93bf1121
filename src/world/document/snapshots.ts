import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { notFound } from '../../domain/errors.js';
import type { StateCapture } from './capture.js';
import { currentRows } from './older-rows.js';
import { partId, type SnapshotPartRecord, type SnapshotRecord } from '../rows.js';
import { tableOf, type State } from '../state.js';
import type { Tables, TableName } from '../tables.js';
import { TimeSlicer } from '../turns.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { View } from '../view.js';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Approximate length of one part, in characters of JSON. Other work can run between two parts. */
const partLength = 64 * 1024;

/** Compressed rows of one table in a snapshot. */
export type SnapshotPart = Omit<SnapshotPartRecord, 'id'>;

/** Compresses a copy of a world while the world continues. */
export async function packSnapshot({ tables }: StateCapture): Promise<SnapshotPart[]> {
  const parts: SnapshotPart[] = [];
  for (const [table, rows] of tables) {
    let texts: string[] = [];
    let length = 0;
    const pack = async () => {
      parts.push({ table, packed: (await deflate(`[${texts.join(',')}]`, { level: 1 })).toString('base64') });
      [texts, length] = [[], 0];
    };
    for (const row of rows) {
      const text = JSON.stringify(row);
      texts.push(text);
      length += text.length;
      if (length >= partLength) await pack();
    }
    if (length > 0) await pack();
  }
  return parts;
}

/** Characters of snapshot parts after which a commit ends, to limit its size. */
const commitLength = 1024 * 1024;

/** Stores parts of a snapshot from index `from`, as many as one commit may contain. @returns the index after the last stored part */
export function putParts(uow: UnitOfWork, name: string, parts: readonly SnapshotPart[], from: number): number {
  let index = from;
  for (let length = 0; index < parts.length && length < commitLength; index += 1) {
    const part = parts[index]!;
    uow.put('snapshotParts', { id: partId(name, index), ...part });
    length += part.packed.length;
  }
  return index;
}

/** Deletes the first `count` parts of a snapshot. */
export function deleteParts(uow: UnitOfWork, name: string, count: number): void {
  for (let index = 0; index < count; index += 1) uow.delete('snapshotParts', partId(name, index));
}

/** Returns the ids of parts without a snapshot: the process ended before the snapshot was complete. */
export function orphanedParts({ snapshots, snapshotParts }: State): string[] {
  return [...snapshotParts.keys()].filter((id) => !snapshots.has(snapshotOf(id)));
}

/** Returns the name of the snapshot from the id of a part. */
const snapshotOf = (id: string) => id.slice(0, id.lastIndexOf('/'));

/** Returns the snapshot with this name. @throws DomainError RESOURCE_NOT_FOUND */
export function requireSnapshot(view: View, name: string): SnapshotRecord {
  const snapshot = view.get('snapshots', name);
  if (!snapshot) throw notFound('snapshot', { name });
  return snapshot;
}

/** Deletes a snapshot. @throws DomainError RESOURCE_NOT_FOUND */
export function deleteSnapshot(uow: UnitOfWork, { name }: { name: string }): void {
  const { parts } = requireSnapshot(uow, name);
  uow.delete('snapshots', name);
  deleteParts(uow, name, parts);
}

/** Adds the rows of a snapshot to a state. @throws DomainError RESOURCE_NOT_FOUND */
export async function unpackSnapshot(view: View, name: string, state: State): Promise<void> {
  const count = requireSnapshot(view, name).parts;
  // Read all parts first: the snapshot may be deleted during the loop.
  const parts = Array.from({ length: count }, (_, index) => view.require('snapshotParts', partId(name, index), 'snapshotPart'));
  const pace = new TimeSlicer();
  for (const { table, packed } of parts) {
    const text = (await inflate(Buffer.from(packed, 'base64'))).toString('utf8');
    for (const row of JSON.parse(text) as Tables[TableName][]) {
      for (const [into, each] of currentRows([table as TableName, row])) tableOf(state, into).set(each.id, each);
      if (pace.shouldYield()) await pace.yield();
    }
  }
}

/** Copies the snapshots of a state to another state of the same world. */
export function keepSnapshots(from: State, to: State): void {
  for (const [id, row] of from.snapshots) to.snapshots.set(id, row);
  for (const [id, row] of from.snapshotParts) if (to.snapshots.has(snapshotOf(id))) to.snapshotParts.set(id, row);
}
