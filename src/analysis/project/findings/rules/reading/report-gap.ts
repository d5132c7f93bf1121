import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { ask } from '../../script.js';

/** The last requested period of a report with the same filters. */
interface Period extends Remembered {
  readonly startMs: number;
  readonly endMs: number;
}

const ofPeriod = (start: string, end: string) => ask('getReport', { query: `periodStart=${start}&periodEnd=${end}` });
/** Maximum distance between two timestamps that were meant to be equal, in milliseconds. */
const mostMs = 60_000;

export const reportGap = defineRule({
  id: 'report.gap',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'Consecutive periods of a report leave a gap or overlap',
  advice: 'The end of a period is exclusive. Start the next period at exactly the timestamp where the last one ended.',
  examples: {
    invalid: [ofPeriod('2026-11-01T00:00:00Z', '2026-11-01T23:59:59Z'), ofPeriod('2026-11-02T00:00:00Z', '2026-11-02T23:59:59Z')],
    valid: [ofPeriod('2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'), ofPeriod('2026-11-02T00:00:00Z', '2026-11-03T00:00:00Z')],
  },
  create({ lruMap, report }) {
    const periods = lruMap<Period>(40);
    return {
      operations: new Set(['getReport']),
      exchange(call) {
        const { record, id } = call;
        if (record.status !== 200) return;
        const startMs = Date.parse(call.parameter('periodStart')!);
        const endMs = Date.parse(call.parameter('periodEnd')!);
        if (endMs - startMs <= mostMs) return;
        const filters = call.parameter('filters') ?? '';
        const last = periods.get(filters);
        periods.set(filters, { ref: id, startMs, endMs });
        if (!last) return;
        // Clients read periods forwards or backwards in time.
        const gapMs = [startMs - last.endMs, last.startMs - endMs].find((each) => each !== 0 && Math.abs(each) <= mostMs);
        if (gapMs === undefined) return;
        const what = `The next period ${gapMs > 0 ? 'leaves out' : 'counts twice'} ${Math.abs(gapMs)} ms.`;
        report({
          ...call.place,
          evidence: [
            { ref: last.ref, what: 'The report of one period.' },
            { ref: id, what },
          ],
        });
      },
    };
  },
});
