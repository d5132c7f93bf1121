import { describe, expect, it } from 'vitest';
import { eventSchemas } from '../../contract/public/events.js';
import { operationStatuses } from '../../contract/public/operations.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdraw } from '../../testing/withdrawals.js';
import { operationIn, transitionsTo } from '../../testing/money.js';

const harness = useHarness();

/** Sends an event on demand. @returns the payload, and whether the webhook was marked as synthetic */
async function fired(world: string, eventType: keyof typeof eventSchemas, resourceId: string) {
  await harness.quiet(world);
  harness.attempts.length = 0;
  const { status, body } = await harness.control('POST', '/events', { eventType, resourceId }, world);
  expect(status).toBe(200);
  await harness.quiet(world);
  const [attempt] = harness.attempts;
  const payload = JSON.parse(attempt!.body) as Record<string, unknown>;
  expect(eventSchemas[eventType].parse(payload)).toEqual(payload);
  const isMarked = attempt!.headers['x-sandbox-synthetic'] === 'true';
  expect(body.data[0].synthetic).toBe(isMarked);
  // oxlint-disable-next-line typescript/no-explicit-any -- payloads of three kinds
  return { payload: payload as any, isMarked };
}

async function subscribed(name: string): Promise<string> {
  const world = await harness.world(name, { scenario: 'manual' });
  await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
  return world;
}

const wanted = { OPERATION_REQUESTED: 'REQUESTED', OPERATION_COMPLETED: 'COMPLETED', OPERATION_FAILED: 'FAILED' } as const;

describe('an event on demand about an operation', () => {
  it.each(operationStatuses)('shows the status that its event type implies, even if the operation is %s', async (status) => {
    const world = await subscribed(`demand-${status.toLowerCase().replace('_', '-')}`);
    const { id } = await withdraw(harness, world);
    for (const verb of transitionsTo[status]) await harness.control('POST', `/operations/${id}/${verb}`, undefined, world);
    const before = await operationIn(harness, world, id);
    const { body: exported } = await harness.control('GET', '/state', undefined, world);
    for (const [eventType, shown] of Object.entries(wanted) as [keyof typeof wanted, string][]) {
      const { payload, isMarked } = await fired(world, eventType, id);
      expect([eventType, payload.currentState.status]).toEqual([eventType, shown]);
      expect(isMarked).toBe(shown !== status);
      expect(payload.currentState.reason === null).toBe(shown !== 'FAILED');
      expect(payload.atTime).toBe(payload.currentState.createdAt);
      expect(payload.transactions.map((each: { currentState: { status: string } }) => each.currentState.status)).toEqual(
        shown === 'REQUESTED' || (shown === 'FAILED' && ['REQUESTED', 'FAILED'].includes(status) && before.transactions.length === 0)
          ? []
          : [shown === 'FAILED' ? 'FAILED' : 'CONFIRMED'],
      );
    }
    expect(await operationIn(harness, world, id)).toEqual(before);
    const { body: after } = await harness.control('GET', '/state', undefined, world);
    expect(after.tables.operations).toEqual(exported.tables.operations);
  });

  it('repeats the original payload, including its time, if the operation has the status of the event', async () => {
    const world = await subscribed('demand-as-it-was');
    const { id } = await withdraw(harness, world);
    await harness.control('POST', `/operations/${id}/complete`, undefined, world);
    await harness.quiet(world);
    const original = JSON.parse(harness.attempts.at(-1)!.body) as unknown;
    await harness.control('POST', '/clock/advance', { by: '10m' }, world);
    expect(await fired(world, 'OPERATION_COMPLETED', id)).toEqual({ payload: original, isMarked: false });
  });

  it('does not change the ids of later operations', async () => {
    const ids = async (name: string, events: number) => {
      const world = await subscribed(name);
      const { id } = await withdraw(harness, world);
      for (let count = 0; count < events; count += 1) await fired(world, 'OPERATION_COMPLETED', id);
      await harness.control('POST', `/operations/${id}/complete`, undefined, world);
      const { transactions } = await operationIn(harness, world, id);
      await harness.control('DELETE', `/worlds/${world}`);
      harness.forget(world);
      return transactions as unknown;
    };
    expect(await ids('demand-ids', 0)).toEqual(await ids('demand-ids', 3));
  });
});

it('an event on demand about a payment instruction shows the status that its event type implies', async () => {
  const world = await subscribed('demand-instruction');
  const { body } = await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
  const { id } = body.paymentInstruction as { id: string };
  const statuses = async () => {
    const shown: string[] = [];
    for (const end of ['CREATED', 'APPROVED', 'REJECTED'] as const) {
      const { payload, isMarked } = await fired(world, `BENEFICIARY_PAYMENT_INSTRUCTION_${end}`, id);
      shown.push(`${payload.instruction.status}${isMarked ? ' marked' : ''}`);
    }
    return shown;
  };
  expect(await statuses()).toEqual(['PENDING_REVIEW', 'APPROVED marked', 'REJECTED marked']);
  await harness.control('POST', `/payment-instructions/${id}/approve`, undefined, world);
  expect(await statuses()).toEqual(['PENDING_REVIEW marked', 'APPROVED', 'REJECTED marked']);
});

it('an event on demand about an account names one asset, and is marked as synthetic if no asset is active', async () => {
  const world = await subscribed('demand-asset');
  const [active, , , onboarding] = fixtureIds(harness, world).accountIds;
  expect(await fired(world, 'ASSET_ACTIVATED', active!)).toMatchObject({ payload: { assets: ['BRL'] }, isMarked: false });
  expect(await fired(world, 'ASSET_ACTIVATED', onboarding!)).toMatchObject({ payload: { assets: ['BRL'] }, isMarked: true });
});
