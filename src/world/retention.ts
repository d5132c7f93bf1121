import type { TableName } from './state.js';
import type { UnitOfWork } from './unit-of-work.js';

/** How many rows a world keeps of what only tells of the past; the oldest go first. */
const limits = { executionLogs: 20_000, idempotency: 50_000 } as const satisfies Partial<Record<TableName, number>>;

/** Rows that one commit may remove of a table, so that no commit pays for many. */
const perCommit = 2;

/** Removes the oldest rows of the tables that have outgrown their limit, in the commit that adds to them. */
export function forget(uow: UnitOfWork, most: Readonly<Record<keyof typeof limits, number>> = limits): void {
  for (const table of ['executionLogs', 'idempotency'] as const) {
    const excess = uow.excess(table, most[table]);
    if (excess <= 0) continue;
    let removed = 0;
    for (const { id } of uow.rows(table)) {
      if (removed >= Math.min(excess, perCommit)) break;
      uow.delete(table, id);
      removed += 1;
    }
  }
}
