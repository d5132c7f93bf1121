import { defineRule } from '../../rule.js';
import { advance, ask } from '../../script.js';

const hourMs = 3_600_000;
/** Maximum difference between the end of a period and the present, shifted by full hours, in milliseconds. */
const toleranceMs = 5000;
const mostHours = 14;

const report = (start: string, end: string) => ask('getReport', { query: `periodStart=${start}&periodEnd=${end}` });

export const localTime = defineRule({
  id: 'report.local-time',
  confidence: 'LIKELY',
  severity: 'WARNING',
  title: 'A period of a report ended at the local time of the client, marked as UTC',
  advice: 'Convert to UTC before you add the `Z`. Local time with a `Z` shifts the period by the hours of the time zone.',
  alternativeExplanation: 'The period was meant to end a whole number of hours ago.',
  examples: {
    invalid: [advance('PT7M13S'), report('2026-11-20T09:07:13Z', '2026-11-21T09:07:13Z')],
    valid: [
      advance('PT7M13S'),
      report('2026-11-20T12:07:13Z', '2026-11-21T12:07:13Z'),
      report('2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z'),
    ],
  },
  create({ report: found }) {
    return {
      operations: new Set(['getReport']),
      exchange(call) {
        const { record, id } = call;
        const { worldMs } = record.began;
        if (record.status !== 200 || worldMs === null) return;
        const end = call.parameter('periodEnd')!;
        const endMs = Date.parse(end);
        const hours = Math.round((endMs - worldMs) / hourMs);
        const isNow = Math.abs(endMs - worldMs - hours * hourMs) <= toleranceMs;
        // A period that ends with a minute was chosen, for example as the end of a day.
        const isRound = endMs % 60_000 === 0 || endMs % 60_000 >= 59_000;
        if (!isNow || hours === 0 || Math.abs(hours) > mostHours || isRound) return;
        const what = `The period of the report ends at ${end}, ${Math.abs(hours)} hours ${hours > 0 ? 'after' : 'before'} the present to the second.`;
        found({ ...call.place, evidence: [{ ref: id, what }] });
      },
    };
  },
});
