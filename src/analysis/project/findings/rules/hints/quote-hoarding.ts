import { quotedOperations } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { quote, withdraw } from '../../script.js';

/** Consecutive quotes of which none was used. */
interface Series extends Remembered {
  readonly realMs: number;
  readonly times: number;
}

const spanMs = 60_000;
const least = 20;
const quotes = (count: number) => Array.from({ length: count }, () => quote());

export const quoteHoarding = defineRule({
  id: 'quote.hoarding',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  isHint: true,
  title: 'Many quotes were requested, and none was used',
  advice: 'Request a quote when a payment is about to be made. For the display of prices, keep one for its 30 seconds.',
  examples: { invalid: quotes(least), valid: [...quotes(least / 2), withdraw(), ...quotes(least / 2)] },
  create({ lruMap, report }) {
    const series = lruMap<Series>(30);
    return {
      operations: new Set([...quotedOperations, 'createQuote']),
      exchange(call) {
        const { record, id } = call;
        if (record.status >= 300) return;
        if (record.operationId !== 'createQuote') return series.delete('unused');
        const last = series.get('unused');
        const isSeries = last !== undefined && record.began.realMs - last.realMs <= spanMs;
        const { ref, realMs, times } = isSeries ? { ...last, times: last.times + 1 } : { ref: id, realMs: record.began.realMs, times: 1 };
        series.set('unused', { ref, realMs, times });
        if (times !== least) return;
        report({
          ...call.place,
          evidence: [
            { ref, what: 'The first of these quotes.' },
            { ref: id, what: `Quote number ${times} within a minute; none was used in between.` },
          ],
        });
      },
    };
  },
});
