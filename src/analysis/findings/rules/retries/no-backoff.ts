import type { Call } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { pass, strike, transfer } from '../../script.js';

/** The attempts with one key so far whose waiting times did not grow. */
interface Series extends Remembered {
  /** Id of the first attempt. */
  readonly first: string;
  readonly tries: number;
  readonly smallestMs: number;
  /** Order of the end of the last attempt. */
  readonly order: number;
  readonly realMs: number;
  /** The Retry-After of its response in milliseconds; 0 without one. */
  readonly waitMs: number;
}

/** Number of attempts from which the rule reports. */
const least = 4;
/** Longer waits than this count as patient, in milliseconds. */
const patientMs = 1000;
const growth = 1.25;
/** Differences below this are noise of clocks with whole milliseconds. */
const noiseMs = 4;

const isFailed = ({ record, isDelivered }: Call) => !isDelivered || record.status >= 500 || record.status === 429;

export const noBackoff = defineRule({
  id: 'retry.no-backoff',
  confidence: 'LIKELY',
  severity: 'WARNING',
  title: 'A failing request was retried repeatedly without growing waits',
  advice: 'Use a backoff: let the wait grow by a factor with some jitter, up to a limit. An overloaded service needs the pause.',
  alternativeExplanation: 'A backoff with large jitter happened to choose short waits.',
  examples: {
    invalid: [
      strike('createTransfer', { connectionReset: true }, { times: 3 }),
      transfer({ key: 'first', expect: 'lost' }),
      pass(300),
      transfer({ key: 'first', expect: 'lost' }),
      pass(300),
      transfer({ key: 'first', expect: 'lost' }),
      pass(300),
      transfer({ key: 'first' }),
    ],
    valid: [
      strike('createTransfer', { connectionReset: true }, { times: 3 }),
      transfer({ key: 'first', expect: 'lost' }),
      pass(200),
      transfer({ key: 'first', expect: 'lost' }),
      pass(400),
      transfer({ key: 'first', expect: 'lost' }),
      pass(800),
      transfer({ key: 'first' }),
    ],
  },
  create({ lruMap, report }) {
    const series = lruMap<Series>(110);
    return {
      having: 'idempotencyKey',
      exchange(call) {
        const { key, record, id } = call;
        if (key === null || record.method === 'GET') return;
        const last = series.get(key);
        const gapMs = last && call.isAfter(last.order) ? record.began.realMs - last.realMs : null;
        let first = id;
        let tries = 1;
        let smallestMs = Infinity;
        if (last && gapMs !== null) {
          const limitMs = Math.max(last.smallestMs * growth, last.smallestMs + noiseMs);
          const isPatient = gapMs >= patientMs || gapMs > limitMs || (last.waitMs > 0 && gapMs >= last.waitMs - 50);
          if (!isPatient)
            ({ first, tries, smallestMs } = { first: last.first, tries: last.tries + 1, smallestMs: Math.min(last.smallestMs, gapMs) });
          if (tries === least) {
            report({
              ...call.place,
              evidence: [
                { ref: first, what: 'It failed for the first time.' },
                { ref: id, what: `The same key for the ${tries}th time, ${Math.round(gapMs)} ms after the previous failure.` },
              ],
            });
          }
        } else if (last) {
          series.delete(key); // Overlapping attempts are not retries.
          return;
        }
        if (!isFailed(call)) return series.delete(key);
        const { order, realMs } = record.ended;
        series.set(key, { ref: id, first, tries, smallestMs, order, realMs, waitMs: call.isDelivered ? (call.retryAfterMs ?? 0) : 0 });
      },
    };
  },
});
