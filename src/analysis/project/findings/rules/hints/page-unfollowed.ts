import type { Remembered } from '../../lru-map.js';
import { defineRule, type Retractable, type Detection } from '../../rule.js';
import { ask, end } from '../../script.js';
import { cursorsOf, pagedOperations } from '../reading/cursors.js';

/** A cursor that was returned and not used. */
interface Unused extends Remembered {
  readonly place: Pick<Detection, 'about' | 'test' | 'at'>;
  reported: Retractable | null;
}

export const pageUnfollowed = defineRule({
  id: 'hint.page-unfollowed',
  confidence: 'LIKELY',
  severity: 'WARNING',
  isHint: true,
  title: 'A list had more pages, and the client did not request them',
  advice:
    'Request pages with `nextCursor` until it is null, or narrow the list with `filters`. Otherwise entries after the first page are missed.',
  alternativeExplanation: 'The client needed only the first page.',
  examples: {
    invalid: [ask('listAccounts', { query: 'limit=1' }), end()],
    valid: [ask('listAccounts', { query: 'limit=100' }), end()],
  },
  create({ lruMap, report }) {
    const unused = lruMap<Unused>(160);
    return {
      operations: pagedOperations,
      exchange(call) {
        const { record } = call;
        const cursor = call.parameter('cursor') ?? '';
        unused.get(cursor)?.reported?.retract();
        unused.delete(cursor);
        const { next } = cursorsOf(call);
        if (record.status === 200 && call.isDelivered && next !== null && !unused.get(next))
          unused.set(next, { ref: call.id, place: call.place, reported: null });
      },
      end() {
        for (const each of unused.values())
          each.reported ??= report({
            ...each.place,
            evidence: [{ ref: each.ref, what: 'The client did not request the page after this one.' }],
          });
      },
    };
  },
});
