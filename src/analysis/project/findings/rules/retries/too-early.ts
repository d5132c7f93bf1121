import type { Call, Sent } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule, type Retractable } from '../../rule.js';
import { pass, injectFault, transfer } from '../../script.js';
import { isKeyed, logicalCall } from './logical-call.js';

/** A response with a Retry-After header. */
interface Asked extends Remembered {
  readonly sent: Sent;
  /** World time of the response, in milliseconds since 1970; null without one. */
  readonly worldMs: number | null;
  readonly waitMs: number;
  readonly key: string;
  /** True if another request with the same token used another connection meanwhile: several workers send requests. */
  isShared: boolean;
}

/** Tolerance for differences of clocks and networks, in milliseconds. */
const toleranceMs = 50;

export const tooEarly = defineRule({
  id: 'retry.too-early',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'A request was retried before its Retry-After time',
  advice: 'After the response, wait for the seconds in Retry-After before you send the same request again.',
  implies: ['retry.no-backoff'],
  examples: {
    invalid: [
      injectFault('createTransfer', { status: 503, retryAfter: '2s' }),
      transfer({ key: 'first', expect: 503 }),
      pass(1000),
      transfer({ key: 'first' }),
    ],
    valid: [
      injectFault('createTransfer', { status: 503, retryAfter: '2s' }),
      transfer({ key: 'first', expect: 503 }),
      transfer({ key: 'other', value: '26.00' }),
      pass(2000),
      transfer({ key: 'first' }),
    ],
  },
  create({ lruMap, report }) {
    const asked = lruMap<Asked>(90);
    /**
     * Detections of a retry with a new key, by the first key. Retracted if the client uses the first key later: it then sent two equal
     * requests.
     */
    const renewed = lruMap<Remembered & { readonly reported: Retractable }>(40);
    const judge = (call: Call, name: string, what: string) => {
      const last = asked.get(name);
      if (!last || !call.isAfter(last.sent.order)) return null;
      const { connection, sentOrder } = last.sent.delivery;
      // A response that was cut off, or received by a killed process, does not bind the next request.
      const isDelivered = connection === null || sentOrder !== null;
      // Without a key, the request of another worker looks like a retry.
      const isOther = !isKeyed(call) && (last.isShared || !call.continues(last.sent));
      if (!isDelivered || !call.isOfSameProcess(last.sent) || isOther) return null;
      const { realMs, worldMs } = call.record.began;
      const waitedWorldMs = worldMs === null || last.worldMs === null ? 0 : worldMs - last.worldMs;
      const waitedMs = Math.max(realMs - last.sent.delivery.sentMs, waitedWorldMs);
      asked.delete(name);
      if (waitedMs >= last.waitMs - toleranceMs) return null;
      return report({
        ...call.place,
        evidence: [
          { ref: last.ref, what: `The response asked for a wait of ${last.waitMs / 1000} s.` },
          { ref: call.id, what: `${what} ${Math.round(waitedMs)} ms after that response.` },
        ],
        concerns: [last.key],
      });
    };
    return {
      exchange(call) {
        const { record, id } = call;
        const waitMs = call.isDelivered && record.status >= 400 ? call.retryAfterMs : null;
        if (asked.size === 0 && renewed.size === 0 && waitMs === null) return;
        const { connection } = record.delivery;
        for (const each of asked.values())
          if (each.sent.token === call.token && each.sent.delivery.connection !== connection) each.isShared = true;
        const own = call.key === null ? undefined : renewed.get(call.key);
        if (own) {
          renewed.delete(call.key!);
          own.reported.retract();
        }
        const name = logicalCall(call);
        // A rate-limited request that is sent with a new key is still the same request.
        const same = isKeyed(call) && call.fingerprint !== null ? `429 ${call.fingerprint} ${call.token ?? ''}` : null;
        const known = same === null ? undefined : asked.get(same);
        if (asked.get(name)) judge(call, name, 'The same request was sent');
        else if (known && known.key !== call.key && call.continues(known.sent)) {
          const reported = judge(call, same!, 'The same request was sent with a new key');
          if (reported) renewed.set(known.key, { ref: known.ref, reported });
        }
        if (waitMs === null) return;
        const entry = { ref: id, sent: call.sent, worldMs: record.ended.worldMs, waitMs, key: call.key ?? '', isShared: false };
        asked.set(name, entry);
        if (same !== null && record.status === 429) asked.set(same, entry);
      },
    };
  },
});
