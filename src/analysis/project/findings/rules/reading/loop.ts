import type { Sent } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule, type Retractable } from '../../rule.js';
import { ask } from '../../script.js';
import { cursorsOf, pagedOperations } from './cursors.js';

/** A returned cursor, and the number of responses that returned it. */
interface Next extends Remembered {
  /** The cursor of the page that returned this cursor. */
  readonly from: string;
  times: number;
  /** The last response that returned this cursor. */
  sent: Sent;
  reported: Retractable | null;
  isAsked: boolean;
}

const least = 3;
const second = ask('listAccounts', { query: 'limit=1&cursor={{page.meta.nextCursor}}', as: 'second' });

export const loop = defineRule({
  id: 'page.loop',
  confidence: 'LIKELY',
  severity: 'WARNING',
  title: 'The client requested the same page repeatedly and never the next one',
  advice: 'Pass the `nextCursor` of each page to the next request, until it is null.',
  alternativeExplanation: 'The client shows the page again on purpose.',
  isProvisional: true,
  examples: {
    invalid: [ask('listAccounts', { query: 'limit=1', as: 'page' }), second, second, second],
    valid: [
      ask('listAccounts', { query: 'limit=1', as: 'page' }),
      ask('listAccounts', { query: 'limit=1', as: 'page' }),
      ask('listAccounts', { query: 'limit=1', as: 'page' }),
      second,
      second,
      second,
      ask('listAccounts', { query: 'limit=1&cursor={{second.meta.nextCursor}}' }),
    ],
  },
  create({ lruMap, report }) {
    const nexts = lruMap<Next>(160);
    return {
      operations: pagedOperations,
      exchange(call) {
        const { record, id } = call;
        const cursor = call.parameter('cursor') ?? '';
        if (cursor === '' || call.parameter('direction') === 'PREVIOUS') return;
        const asked = nexts.get(cursor);
        asked?.reported?.retract();
        nexts.set(cursor, { ref: id, from: '', times: 0, sent: call.sent, reported: null, isAsked: true });
        const { next } = cursorsOf(call);
        if (record.status !== 200 || !call.isDelivered || next === null) return;
        const page = nexts.get(next);
        if (page?.isAsked) return;
        if (page?.from !== cursor) {
          page?.reported?.retract();
          return nexts.set(next, { ref: id, from: cursor, times: 1, sent: call.sent, reported: null, isAsked: false });
        }
        // Only a request that continues the page counts: another worker may have read the same page.
        page.times = call.continues(page.sent) ? page.times + 1 : 1;
        page.sent = call.sent;
        if (page.times < least || page.reported !== null) return;
        page.reported = report({
          ...call.place,
          evidence: [
            { ref: page.ref, what: 'This page had a next page.' },
            { ref: id, what: `The same page was requested ${page.times} times so far; its nextCursor was never used.` },
          ],
        });
      },
    };
  },
});
