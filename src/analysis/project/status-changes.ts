import type { KindName } from '../../contract/shared/kinds.js';
import type { Reason } from '../../contract/shared/common.js';
import { partsOf, type Part, type PartWithHistory, type PartWithStatus } from '../../services/kinds.js';
import type { RowCommit } from '../../world/commit.js';
import type { Change } from '../../world/state.js';

/** A new status of a resource. */
export interface StatusChange {
  readonly kind: KindName;
  readonly id: string;
  /** The previous status; null for a new resource. */
  readonly from: string | null;
  readonly to: string;
  readonly reason: Reason | null;
}

/** Returns the row as it was before the change at `index`; null for a new row. */
function beforeOf({ changes, undo }: RowCommit, index: number): Change['row'] {
  return undo[changes.length - 1 - index]?.row ?? null;
}

/** A change, with the row before it; null for a new row. */
export type RowChange = Change & { readonly before: Change['row'] };

/** Returns the changes of a commit. */
export function rowChanges(commit: RowCommit): RowChange[] {
  return commit.changes.map(({ table, id, row }, index) => ({ table, id, row, before: beforeOf(commit, index) }));
}

/** The result for the commit that was examined last: several observers examine each commit. */
let examined: { readonly commit: RowCommit; readonly found: readonly StatusChange[] } | null = null;

/** Returns the status changes of resources in a commit, oldest first for each resource. */
export function statusChanges(commit: RowCommit): readonly StatusChange[] {
  if (examined?.commit === commit) return examined.found;
  const found: StatusChange[] = [];
  const { changes } = commit;
  for (let index = 0; index < changes.length; index += 1) {
    const { table, row } = changes[index]!;
    const parts = row === null ? [] : partsOf(table, row);
    if (parts.length === 0) continue;
    const before = beforeOf(commit, index);
    const known = before === null ? [] : partsOf(table, before);
    for (const [kind, each] of parts) addParts(found, kind, each, known.find(([name]) => name === kind)?.[1] ?? []);
  }
  examined = { commit, found };
  return found;
}

function addParts(found: StatusChange[], kind: KindName, parts: readonly Part[], before: readonly Part[]): void {
  if (parts === before) return;
  for (const part of parts) {
    const known = before.find(({ id }) => id === part.id);
    if ('states' in part) addHistory(found, kind, part, known as typeof part | undefined);
    else addStatus(found, kind, part, known as typeof part | undefined);
  }
}

/** Adds the statuses that a history has gained. Histories grow only at their end. */
function addHistory(found: StatusChange[], kind: KindName, { id, states }: PartWithHistory, before: PartWithHistory | undefined): void {
  const last = before?.states.at(-1);
  const known = last === undefined ? 0 : states.lastIndexOf(last) + 1;
  for (let index = known; index < states.length; index += 1) {
    const { status, reason } = states[index]!;
    found.push({ kind, id, from: states[index - 1]?.status ?? null, to: status, reason });
  }
}

function addStatus(found: StatusChange[], kind: KindName, { id, status }: PartWithStatus, before: PartWithStatus | undefined): void {
  const from = before?.status ?? null;
  if (from !== status) found.push({ kind, id, from, to: status, reason: null });
}
