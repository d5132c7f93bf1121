import type { Call, Sent } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { pass, injectFault, transfer } from '../../script.js';
import { isKeyed, logicalCall } from './logical-call.js';

/** The failed attempts of one request so far. */
interface Series extends Remembered {
  /** Waiting times in milliseconds, each the longer of real and world time. */
  readonly gapsMs: readonly number[];
  /** The last attempt. */
  readonly sent: Sent;
  /** True if the attempt before had a different token. False for a first attempt. */
  readonly hasNewToken: boolean;
  readonly endedMs: number;
  readonly endedWorldMs: number | null;
  /** The Retry-After of the last response in milliseconds; 0 without one. */
  readonly waitMs: number;
}

/** Number of attempts from which the rule reports. */
const least = 6;
/** If the mean waiting time grows by less than this factor, the waits count as constant. */
const growth = 1.2;
/** Constant waits that are longer than this do not harm the service, in milliseconds. */
const patientMs = 30_000;
const toleranceMs = 50;

const isFailed = ({ record, isDelivered }: Call) => !isDelivered || record.status >= 500 || record.status === 429;
const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;

/** True if the later half of the waiting times is not longer than the earlier half. */
function isConstant(gapsMs: readonly number[]): boolean {
  const half = Math.floor(gapsMs.length / 2);
  const later = mean(gapsMs.slice(half));
  return later <= growth * mean(gapsMs.slice(0, half)) && later < patientMs;
}

/**
 * True if the client process of the last attempt sent this one too. A process that was killed cannot go on with its waits: the next one
 * requests a token, and begins with a short wait. A client that has a new token for each attempt was not killed each time.
 */
const isContinued = (call: Call, { sent, hasNewToken }: Series) => sent.token === call.token || hasNewToken || call.isOfSameProcess(sent);

const four = [1, 2, 3, 4].flatMap(() => [pass(300), transfer({ key: 'first', expect: 'lost' })]);

export const noBackoff = defineRule({
  id: 'retry.no-backoff',
  confidence: 'LIKELY',
  severity: 'WARNING',
  title: 'A failing request was retried repeatedly without growing waits',
  advice: 'Use a backoff: let the wait grow by a factor with some jitter, up to a limit. An overloaded service needs the pause.',
  alternativeExplanation: 'A backoff with large jitter happened to choose short waits.',
  examples: {
    invalid: [
      injectFault('createTransfer', { connectionReset: true }, { times: 5 }),
      transfer({ key: 'first', expect: 'lost' }),
      ...four,
      pass(300),
      transfer({ key: 'first' }),
    ],
    valid: [
      injectFault('createTransfer', { connectionReset: true }, { times: 5 }),
      transfer({ key: 'first', expect: 'lost' }),
      ...[200, 400, 800, 1600].flatMap((ms) => [pass(ms), transfer({ key: 'first', expect: 'lost' })]),
      pass(3200),
      transfer({ key: 'first' }),
    ],
  },
  create({ lruMap, report }) {
    const series = lruMap<Series>(160);
    return {
      exchange(call) {
        const hasFailed = isFailed(call);
        if (series.size === 0 && !hasFailed) return;
        const { record, id } = call;
        const name = logicalCall(call);
        const last = series.get(name);
        const isRetry = last !== undefined && call.isAfter(last.sent.order) && (isKeyed(call) || call.continues(last.sent));
        // Overlapping attempts are not retries.
        if (last && !isRetry) return series.delete(name);
        const former = last && isContinued(call, last) ? last : null;
        let { gapsMs, ref: first } = former ?? { gapsMs: [] as readonly number[], ref: id };
        if (former) {
          const worldMs = record.began.worldMs !== null && former.endedWorldMs !== null ? record.began.worldMs - former.endedWorldMs : 0;
          const gapMs = Math.max(record.began.realMs - former.endedMs, worldMs);
          const isAsked = former.waitMs > 0 && gapMs >= former.waitMs - toleranceMs;
          if (isAsked) [gapsMs, first] = [[], id];
          else gapsMs = [...gapsMs, gapMs].slice(-(least - 1));
          if (gapsMs.length === least - 1 && isConstant(gapsMs)) {
            const waits = gapsMs.map((each) => Math.round(each)).join(', ');
            report({
              ...call.place,
              evidence: [
                { ref: first, what: 'The request failed for the first time.' },
                { ref: id, what: `The same request again; the waits were ${waits} ms.` },
              ],
            });
            [gapsMs, first] = [[], id];
          }
        }
        if (!hasFailed) return series.delete(name);
        const { realMs, worldMs } = record.ended;
        const waitMs = call.isDelivered ? (call.retryAfterMs ?? 0) : 0;
        const hasNewToken = last !== undefined && last.sent.token !== call.token;
        series.set(name, { ref: first, gapsMs, sent: call.sent, hasNewToken, endedMs: realMs, endedWorldMs: worldMs, waitMs });
      },
    };
  },
});
