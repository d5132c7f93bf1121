import { listOf, type Call } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { ask } from '../../script.js';
import { cursorsOf, pagedOperations } from './cursors.js';

/** The list, filters and order that a cursor belongs to. */
interface Scope extends Remembered {
  readonly path: string;
  readonly filters: string;
  readonly sortOrder: string;
}

function scopeOf(call: Call): Scope {
  const { id, record } = call;
  return {
    ref: id,
    path: record.path,
    filters: call.parameter('filters') ?? '',
    sortOrder: call.parameter('sortOrder') ?? 'DESCENDING',
  };
}

function difference(a: Scope, b: Scope): string | null {
  if (a.path !== b.path) return 'another list';
  if (a.filters !== b.filters) return 'other filters';
  return a.sortOrder === b.sortOrder ? null : 'another order';
}

/** True if a request was rejected because of its cursor. */
const isAboutCursor = ({ details }: Call) => listOf(details['errors']).some(({ field }) => field === 'query:cursor');

export const wrongScope = defineRule({
  id: 'page.wrong-scope',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'A cursor was used with a different list, filter or order',
  advice: 'A cursor is valid only with the list, filters and order that returned it. Keep all of them until the last page.',
  examples: {
    invalid: [
      ask('listAccounts', { query: 'limit=1', as: 'page' }),
      ask('listAccounts', { query: 'limit=1&sortOrder=ASCENDING&cursor={{page.meta.nextCursor}}', expect: 400 }),
    ],
    valid: [
      ask('listAccounts', { query: 'limit=1', as: 'page' }),
      ask('listAccounts', { query: 'limit=2&cursor={{page.meta.nextCursor}}' }),
      ask('listAccounts', { query: 'limit=1&cursor={{page.meta.nextCursor}}A', expect: 400 }),
    ],
  },
  create({ lruMap, report }) {
    const scopes = lruMap<Scope>(120);
    return {
      operations: pagedOperations,
      exchange(call) {
        const { record, id } = call;
        if (record.status === 200) {
          const { next, previous } = cursorsOf(call);
          for (const cursor of [next, previous]) if (cursor !== null) scopes.set(cursor, scopeOf(call));
          return;
        }
        if (record.status !== 400 || !call.isGenuine || !isAboutCursor(call)) return;
        const own = scopes.get(call.parameter('cursor') ?? '');
        const other = own && difference(own, scopeOf(call));
        if (!own || other === null) return;
        report({
          ...call.place,
          evidence: [
            { ref: own.ref, what: 'This page returned the cursor.' },
            { ref: id, what: `The cursor was sent with ${other}.` },
          ],
        });
      },
    };
  },
});
