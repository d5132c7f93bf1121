import { describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { pixBeneficiary, withdraw } from '../../testing/withdrawals.js';
import { id, instant } from '../../testing/shapes.js';

/** Tests through the API that resources and webhooks have the fields of the specification. */

const harness = useHarness();

describe('a subscription', () => {
  // §2.7-fields §4.12-fields §4.12-defaults §D11-all-events §4.12-reads
  it('has the fields of the specification', async () => {
    const world = await harness.world('subscription');
    const body = {
      url: 'https://hooks.example.com/a',
      resources: [{ name: 'OPERATION', events: ['OPERATION_FAILED'] }, { name: 'ACCOUNT' }],
    };
    const created = await harness.api('POST', '/api/subscriptions', { body }, world);
    expect([created.status, created.body]).toEqual([
      201,
      {
        id,
        companyId: expect.any(String),
        url: 'https://hooks.example.com/a',
        resources: [
          { name: 'OPERATION', events: ['OPERATION_FAILED'] },
          { name: 'ACCOUNT', events: ['ASSET_ACTIVATED'] },
        ],
        allowRetry: false,
        createdAt: instant,
        updatedAt: instant,
      },
    ]);
    expect((await harness.api('GET', `/api/subscriptions/${created.body.id}`, {}, world)).body).toEqual(created.body);
    expect((await harness.api('GET', '/api/subscriptions', {}, world)).body.data).toEqual([created.body]);
  });

  // §4.12-include-all §D11-spelt-out §D11-resources
  it('to all events lists all resources', async () => {
    const { body } = await harness.api('POST', '/api/subscriptions', { body: { url: 'https://hooks.example.com/b', includeAll: true } });
    expect(body.resources).toEqual([
      { name: 'OPERATION', events: ['OPERATION_REQUESTED', 'OPERATION_COMPLETED', 'OPERATION_FAILED'] },
      {
        name: 'BENEFICIARY',
        events: ['CREATED', 'APPROVED', 'REJECTED'].map((each) => `BENEFICIARY_PAYMENT_INSTRUCTION_${each}`),
      },
      { name: 'ACCOUNT', events: ['ASSET_ACTIVATED'] },
    ]);
  });

  // §6-matching §D11-no-past
  it('receives only the events that it selects, and none from before its creation', async () => {
    const world = await harness.world('matching');
    await withdraw(harness, world);
    await harness.quiet(world);
    harness.attempts.length = 0;
    const subscribe = (path: string, resources: unknown[]) =>
      harness.api('POST', '/api/subscriptions', { body: { url: `http://localhost:9000/${path}`, resources } }, world);
    await subscribe('failed', [{ name: 'OPERATION', events: ['OPERATION_FAILED'] }]);
    await subscribe('operations', [{ name: 'OPERATION', events: [] }]);
    await subscribe('beneficiaries', [{ name: 'BENEFICIARY' }]);
    await harness.quiet(world);
    expect(harness.attempts).toEqual([]);
    await withdraw(harness, world, '50.12');
    await harness.control('POST', '/clock/advance', { by: 'PT1M' }, world);
    const got = harness.attempts.map(({ url, headers }) => `${new URL(url).pathname} ${headers['x-event-type']}`);
    expect(got.toSorted()).toEqual([
      '/failed OPERATION_FAILED',
      '/operations OPERATION_COMPLETED',
      '/operations OPERATION_FAILED',
      '/operations OPERATION_REQUESTED',
    ]);
  });
});

describe('an execution log', () => {
  // §2.8-fields §2.8-message-id §2.8-payload §2.8-no-response §2.8-status §2.8-retry-attempts §6-2xx §6-logged §6-allow-retry
  it('has the fields of the specification, for each attempt', async () => {
    const world = await harness.world('logs', { scenario: 'manual' });
    harness.attempts.length = 0;
    const url = 'http://localhost:9000/logged';
    const [retrying, plain] = await Promise.all(
      [true, false].map(async (allowRetry) => {
        const { body } = await harness.api(
          'POST',
          '/api/subscriptions',
          { body: { url: `${url}/${allowRetry}`, includeAll: true, allowRetry } },
          world,
        );
        return body;
      }),
    );
    const outcomes = [
      { httpStatus: 0, error: 'The connection was refused.' },
      { httpStatus: 302, error: null },
      { httpStatus: 299, error: null },
    ];
    harness.receive = ({ url: to }) => Promise.resolve(to.endsWith('true') ? outcomes.shift()! : { httpStatus: 500, error: null });
    await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    await harness.control('POST', '/clock/advance', { by: 'PT1M' }, world);
    harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
    const logsOf = async (subscription: { id: string }) =>
      (await harness.api('GET', `/api/subscriptions/${subscription.id}/executionLogs?sortOrder=ASCENDING`, {}, world)).body.data;
    const logs = await logsOf(retrying);
    const first = harness.attempts.find((each) => each.url.endsWith('true'));
    const common = {
      id,
      companyId: retrying.companyId,
      subscriptionId: retrying.id,
      messageId: first!.headers['x-message-id'],
      eventType: 'BENEFICIARY_PAYMENT_INSTRUCTION_CREATED',
      url: `${url}/true`,
      payload: first!.body,
      createdAt: instant,
      updatedAt: instant,
    };
    expect(logs).toEqual([
      { ...common, httpStatus: 0, status: 'FAILED', retryAttempts: 0, error: 'The connection was refused.' },
      { ...common, httpStatus: 302, status: 'FAILED', retryAttempts: 1, error: expect.any(String) },
      { ...common, httpStatus: 299, status: 'SUCCESS', retryAttempts: 2, error: null },
    ]);
    const path = `/api/subscriptions/${retrying.id}/executionLogs/${logs[0].id}`;
    expect((await harness.api('GET', path, {}, world)).body).toEqual(logs[0]);
    expect(await logsOf(plain)).toMatchObject([{ httpStatus: 500, status: 'FAILED', retryAttempts: 0 }]);
  });
});
