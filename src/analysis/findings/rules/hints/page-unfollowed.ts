import type { Remembered } from '../../memory.js';
import { defineRule, type Sighted, type Sighting } from '../../rule.js';
import { ask, end } from '../../script.js';
import { cursorsOf, pagedOperations } from '../reading/cursors.js';

/** A cursor that was returned and not used. */
interface Unused extends Remembered {
  readonly place: Pick<Sighting, 'about' | 'test' | 'at'>;
  sighted: Sighted | null;
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
  records: {
    fires: [ask('listAccounts', { query: 'limit=1' }), end()],
    mustNotFire: [ask('listAccounts', { query: 'limit=100' }), end()],
  },
  watch({ shelf, sight }) {
    const unused = shelf<Unused>(160);
    return {
      operations: pagedOperations,
      exchange(call) {
        const { seen } = call;
        const cursor = call.parameter('cursor') ?? '';
        unused.get(cursor)?.sighted?.withdraw();
        unused.delete(cursor);
        const { next } = cursorsOf(call);
        if (seen.status === 200 && call.isTold && next !== null && !unused.get(next))
          unused.set(next, { ref: call.id, place: call.place, sighted: null });
      },
      end() {
        for (const each of unused.values())
          each.sighted ??= sight({
            ...each.place,
            evidence: [{ ref: each.ref, what: 'The client did not request the page after this one.' }],
          });
      },
    };
  },
});
