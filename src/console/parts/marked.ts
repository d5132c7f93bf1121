import { signal } from '@preact/signals';
import type { RecordEntry } from '../../contract/control/analysis/record.js';

/** The marked entry that others are compared with; null without one. */
export const markedEntry = signal<RecordEntry | null>(null);

/** Returns the leaves of a value as JSON, with their paths: `beneficiary.id`. */
export function leavesOf(value: unknown, path = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path, JSON.stringify(value) ?? 'absent']];
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, path === '' ? name : `${path}.${name}`));
}

/** A path at which two values differ, with the leaf of each value; null if a value has no leaf there. */
export interface Difference {
  readonly path: string;
  readonly left: string | null;
  readonly right: string | null;
}

/** Returns the leaves in which two values differ. */
export function differences(left: unknown, right: unknown): Difference[] {
  const [ours, theirs] = [new Map(leavesOf(left)), new Map(leavesOf(right))];
  return [...new Set([...ours.keys(), ...theirs.keys()])]
    .map((path) => ({ path, left: ours.get(path) ?? null, right: theirs.get(path) ?? null }))
    .filter((each) => each.left !== each.right);
}
