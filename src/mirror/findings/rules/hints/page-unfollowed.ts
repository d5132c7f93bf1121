import type { Remembered } from '../../memory.js';
import { defineRule, type Sighted, type Sighting } from '../../rule.js';
import { ask, end } from '../../script.js';
import { cursorsOf, pagedOperations } from '../reading/cursors.js';

/** A cursor that was handed out and not used. */
interface Unused extends Remembered {
  readonly place: Pick<Sighting, 'about' | 'test' | 'at'>;
  sighted: Sighted | null;
}

export const pageUnfollowed = defineRule({
  id: 'hint.page-unfollowed',
  label: 'NEAR',
  severity: 'WARNING',
  isHint: true,
  title: 'A list had further pages, and nobody asked for them',
  advice: 'Go on with `nextCursor` until it is null, or narrow the list by `filters`: what is not on the first page is easily missed.',
  rival: 'The first page was all that was wanted.',
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
          each.sighted ??= sight({ ...each.place, evidence: [{ ref: each.ref, what: 'The next page of this one was never asked for.' }] });
      },
    };
  },
});
