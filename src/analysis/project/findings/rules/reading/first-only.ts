import { listOf, textOf, type Call } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule, type Detection, type Retractable } from '../../rule.js';
import { answers, ask, control, end, settle, subscribe, transfer } from '../../script.js';
import { cursorsOf } from './cursors.js';

/** A page of delivery logs that the client has not requested. */
interface Unread extends Remembered {
  readonly place: Pick<Detection, 'about' | 'test' | 'at'>;
  /** Message ids of the failed deliveries on the previous page that the client has not sent again, by the id of each attempt. */
  readonly open: Map<string, string>;
  /** Id of the request that sent the last failed delivery of the previous page again; null before it. */
  used: string | null;
  reported: Retractable | null;
}

/** Returns the messages of a page that no attempt on the page delivered, by the id of each attempt. */
function failedOf({ responseBody }: Call): Map<string, string> {
  const attempts = listOf(responseBody['data']);
  const delivered = new Set(attempts.filter(({ status }) => status === 'SUCCESS').map(({ messageId }) => messageId));
  return new Map(
    attempts.flatMap(({ id, messageId }) => (delivered.has(messageId) ? [] : ([[textOf(id) ?? '', textOf(messageId) ?? '']] as const))),
  );
}

const failing = [
  subscribe(),
  answers({ status: 500 }, { status: 500 }, { status: 500 }),
  control('PUT', '/settings', { retry: { retries: 0, interval: '2s' } }),
];
const logs = (query: string) => ask('listExecutionLogs', { params: { subscriptionId: '{{subscription.id}}' }, query, as: 'logs' });

export const firstOnly = defineRule({
  id: 'page.first-only',
  confidence: 'LIKELY',
  severity: 'WARNING',
  title: 'Only the first page of a list was used to repair failed deliveries',
  advice: 'Request pages with `nextCursor` until it is null. Entries on the other pages stay unrepaired.',
  alternativeExplanation: 'The client meant only the newest entries.',
  isProvisional: true,
  examples: {
    invalid: [
      ...failing,
      transfer(),
      transfer({ value: '26.00' }),
      settle(),
      logs('limit=1'),
      ask('resendExecutionLog', { params: { subscriptionId: '{{subscription.id}}', executionLogId: '{{logs.data.0.id}}' } }),
      end(),
    ],
    valid: [
      ...failing,
      transfer(),
      transfer({ value: '26.00' }),
      settle(),
      logs('limit=100'),
      ask('resendExecutionLog', { params: { subscriptionId: '{{subscription.id}}', executionLogId: '{{logs.data.0.id}}' } }),
      end(),
    ],
  },
  create({ lruMap, report }) {
    // A page has at most 100 deliveries, with two ids each.
    const unread = lruMap<Unread>(15_000);
    return {
      operations: new Set(['listExecutionLogs', 'resendExecutionLog']),
      exchange(call) {
        const { record, id } = call;
        if (record.operationId === 'resendExecutionLog') {
          if (record.status >= 300) return;
          for (const each of unread.values()) {
            const resent = each.open.get(record.params['executionLogId'] ?? '');
            if (resent === undefined) continue;
            for (const [logId, messageId] of each.open) if (messageId === resent) each.open.delete(logId);
            if (each.open.size === 0) each.used = id;
          }
          return;
        }
        const cursor = call.parameter('cursor') ?? '';
        unread.get(cursor)?.reported?.retract();
        unread.delete(cursor);
        const { next } = cursorsOf(call);
        if (record.status === 200 && call.isDelivered && next !== null && !unread.get(next))
          unread.set(next, { ref: id, place: call.place, open: failedOf(call), used: null, reported: null });
      },
      end() {
        for (const each of unread.values()) {
          if (each.used === null || each.reported) continue;
          each.reported = report({
            ...each.place,
            evidence: [
              { ref: each.ref, what: 'A page of deliveries with a next page.' },
              { ref: each.used, what: 'Every failed delivery of the page was sent again; the next page was never requested.' },
            ],
          });
        }
      },
    };
  },
});
