import { describe, expect, it } from 'vitest';
import { deliveryStatuses } from '../../contract/control/deliveries.js';
import {
  decideSubscription,
  deliveryTransitions,
  endAttempt,
  enterDelivery,
  isPlanned,
  type AttemptKind,
  type DeliveryRecord,
  type DeliveryStatus,
} from './delivery.js';

let drawn = 0;
const context = {
  now: '2026-11-21T12:00:00.000Z',
  causeId: 'test',
  newId: (kind: string) => `${kind}-${(drawn += 1)}`,
  newCode: () => '',
  deriveId: (kind: string, key: string) => `${kind}-${key}`,
};
const subscription = decideSubscription(context, 'company', { url: 'http://localhost/', includeAll: true, allowRetry: true }, 1);
const delivery = (status: DeliveryStatus, retries = 0): DeliveryRecord => ({
  id: 'message',
  seq: 1,
  subscriptionId: subscription.id,
  eventType: 'OPERATION_COMPLETED',
  resourceId: 'operation',
  payloadId: '{}',
  synthetic: false,
  status,
  attempts: retries + 1,
  retries,
  createdAt: context.now,
  updatedAt: context.now,
  causeId: 'test',
});
const policy = { retries: 3, intervalMs: 5000 };
const log = { id: 'log', startedAt: context.now, unknownFields: false };

describe('a delivery', () => {
  it.each(deliveryStatuses.flatMap((from) => deliveryStatuses.map((to) => [from, to] as const)))(
    'changes from %s to %s only if the transition table allows this',
    (from, to) => {
      const move = () => enterDelivery(context, delivery(from), to);
      const outcome = deliveryTransitions[from].includes(to) ? { status: to } : { code: 'INVALID_STATUS_CHANGE' };
      expect(attempted(move)).toMatchObject(outcome);
    },
  );

  const kinds = ['FIRST', 'RETRY', 'DUPLICATE', 'RESEND'] as const;
  it.each(kinds.flatMap((kind) => deliveryStatuses.flatMap((from) => [200, 500].map((status) => [from, kind, status] as const))))(
    'in status %s has the expected status after a %s attempt with response %i',
    (from, kind, httpStatus) => {
      const ended = endAttempt(context, delivery(from), subscription, kind, { httpStatus, error: null }, policy, log);
      expect(ended.delivery.status).toBe(expectedStatus(from, kind, httpStatus === 200));
      expect(ended.delivery.attempts).toBe(2);
      expect(ended.log).toMatchObject({ status: httpStatus === 200 ? 'SUCCESS' : 'FAILED', retryAttempts: kind === 'RETRY' ? 1 : 0 });
      expect(ended.log.error).toBe(httpStatus === 200 ? null : 'The endpoint responded with 500.');
    },
  );

  it.each([
    [0, true, 'WAITING'],
    [1, true, 'WAITING'],
    [2, true, 'FAILED'],
    [0, false, 'FAILED'],
  ] as const)('after %i retries, with allowRetry %s, is %s when another retry fails', (retries, allowRetry, expected) => {
    const failure = { httpStatus: 0, error: 'No response within 10000 ms.' };
    const ended = endAttempt(context, delivery('DUE', retries), { ...subscription, allowRetry }, 'RETRY', failure, policy, log);
    expect([ended.delivery.status, ended.log.error]).toEqual([expected, failure.error]);
  });
});

function attempted(move: () => unknown): unknown {
  try {
    return move();
  } catch (error) {
    return error;
  }
}

/** Success always counts. A failure counts only for a first attempt or retry that is due. */
function expectedStatus(from: DeliveryStatus, kind: AttemptKind, success: boolean): DeliveryStatus {
  if (success) return 'SUCCESS';
  return isPlanned(kind) && from === 'DUE' ? 'WAITING' : from;
}
