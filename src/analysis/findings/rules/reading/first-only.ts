import type { Remembered } from '../../lru-map.js';
import { defineRule, type Detection, type Retractable } from '../../rule.js';
import { answers, ask, control, end, settle, subscribe, transfer } from '../../script.js';
import { cursorsOf } from './cursors.js';

/** A page of delivery logs that the client has not requested. */
interface Unread extends Remembered {
  readonly place: Pick<Detection, 'about' | 'test' | 'at'>;
  readonly path: string;
  /** Id of the request that sent a delivery of the list again; null without one. */
  used: string | null;
  reported: Retractable | null;
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
    const unread = lruMap<Unread>(200);
    return {
      operations: new Set(['listExecutionLogs', 'resendExecutionLog']),
      exchange(call) {
        const { record, id } = call;
        if (record.operationId === 'resendExecutionLog') {
          if (record.status >= 300) return;
          for (const each of unread.values()) if (record.path.startsWith(`${each.path}/`)) each.used ??= id;
          return;
        }
        const cursor = call.parameter('cursor') ?? '';
        unread.get(cursor)?.reported?.retract();
        unread.delete(cursor);
        const { next } = cursorsOf(call);
        if (record.status === 200 && call.isDelivered && next !== null && !unread.get(next))
          unread.set(next, { ref: id, place: call.place, path: record.path, used: null, reported: null });
      },
      end() {
        for (const each of unread.values()) {
          if (each.used === null || each.reported) continue;
          each.reported = report({
            ...each.place,
            evidence: [
              { ref: each.ref, what: 'A page of deliveries with a next page.' },
              { ref: each.used, what: 'An entry was sent again; the next page was never requested.' },
            ],
          });
        }
      },
    };
  },
});
