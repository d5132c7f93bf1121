import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { SandboxProcess, call, connect, startReceiver, temporaryDirectory, tokenFor } from '../testing/process.js';

describe('a restart', () => {
  // §D11-at-least-once
  it('keeps acknowledged requests and access tokens after a SIGKILL, and resumes pending work', async () => {
    const data = temporaryDirectory();
    const hooks = await startReceiver();
    const first = await SandboxProcess.start(['--data', data]);
    await call(first.url, 'PUT', '/_sandbox/clock', { body: { mode: 'FROZEN' } });
    const api = await connect(first.url);
    const { body: list } = await api('GET', '/api/accounts?sortOrder=ASCENDING');
    const accountId: string = list.data[0].id;
    await api('POST', '/api/subscriptions', { url: hooks.url, includeAll: true });
    const { body: beneficiary } = await api('POST', '/api/beneficiaries', {
      holder: { type: 'COMPANY', legalName: 'Porto Sul', taxId: { type: 'CNPJ', value: '42273345000169' } },
      relationshipType: 'THIRD_PARTY',
      paymentInstruction: { type: 'PIX', asset: 'BRL', dictKeyType: 'EVP', dictKey: '7d9f2c1e-6f1b-4f0e-9b0e-1f2a3b4c5d6e' },
    });
    await call(first.url, 'POST', `/_sandbox/payment-instructions/${beneficiary.paymentInstruction.id}/approve`);
    const { body: quote } = await api('POST', '/api/quotes', { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '10.00' });
    const request = {
      accountId,
      quoteId: quote.id,
      beneficiary: {
        type: 'REFERENCE',
        id: beneficiary.id,
        paymentInstruction: { type: 'REFERENCE', id: beneficiary.paymentInstruction.id },
      },
    };
    const key = randomUUID();
    const created = await api('POST', '/api/operations/withdrawal', request, key);
    const token = await tokenFor(first.url);
    expect(created.status).toBe(201);
    expect(await first.end('SIGKILL')).toBeNull();

    const second = await SandboxProcess.start(['--data', data]);
    const { status } = await call(second.url, 'GET', '/api/accounts', { headers: { authorization: `Bearer ${token}` } });
    expect(status).toBe(200);
    const again = await connect(second.url);
    const replayed = await again('POST', '/api/operations/withdrawal', request, key);
    expect(replayed.text).toBe(created.text);
    expect(replayed.headers.get('x-idempotent-replay')).toBe('true');
    const advanced = await call(second.url, 'POST', '/_sandbox/clock/advance', { body: { by: 'PT1M' } });
    expect(advanced.body.fired.map((each: { id: string; to: string }) => [each.id, each.to])).toEqual([
      [created.body.id, 'PROCESSING'],
      [created.body.id, 'COMPLETED'],
    ]);
    expect(new Set(hooks.received.map((each) => each.headers['x-event-type']))).toEqual(
      new Set([
        'BENEFICIARY_PAYMENT_INSTRUCTION_CREATED',
        'BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED',
        'OPERATION_REQUESTED',
        'OPERATION_COMPLETED',
      ]),
    );
    expect(await second.end('SIGTERM')).toBe(0);

    const third = await SandboxProcess.start(['--data', data]);
    const { body: settled } = await (await connect(third.url))('GET', `/api/operations/${created.body.id}`);
    expect(settled.currentState.status).toBe('COMPLETED');
    await third.end('SIGTERM');

    const verifier = new Webhook(Buffer.from('sandbox-secret').toString('base64'));
    for (const { body, headers } of hooks.received) expect(() => verifier.verify(body, headers as Record<string, string>)).not.toThrow();
    await hooks.close();
  });

  it('repeats attempts that a SIGTERM aborted, in order with their ids', async () => {
    let isOpen = false;
    const hooks = await startReceiver(0, () => (isOpen ? 200 : null));
    const data = temporaryDirectory();
    const first = await SandboxProcess.start(['--data', data]);
    const api = await connect(first.url);
    await api('POST', '/api/subscriptions', { url: hooks.url, includeAll: true });
    await call(first.url, 'PUT', '/_sandbox/settings', { body: { deliveryTimeout: '60s' } }); // Longer than this test.
    await call(first.url, 'POST', '/_sandbox/events', { body: { eventType: 'OPERATION_FAILED' } });
    await expect.poll(() => hooks.received.length).toBe(1);
    expect(await first.end('SIGTERM')).toBe(0);
    isOpen = true;
    const second = await SandboxProcess.start(['--data', data]);
    // Events of concurrent requests arrive one after another, in the order in which the sandbox accepted the requests.
    const fire = () => call(second.url, 'POST', '/_sandbox/events', { body: { eventType: 'OPERATION_FAILED' } });
    await Promise.all(Array.from({ length: 10 }, fire));
    await call(second.url, 'POST', '/_sandbox/deliveries/flush');
    const { body: deliveries } = await call(second.url, 'GET', '/_sandbox/deliveries?limit=100&sortOrder=ASCENDING');
    const [aborted, ...rest] = hooks.received.map(({ headers }) => headers['x-message-id']);
    expect(rest).toEqual(deliveries.data.map(({ id }: { id: string }) => id));
    expect(rest[0]).toBe(aborted);
    await second.end('SIGTERM');
    await hooks.close();
  });
});

describe('settings', () => {
  it.each([
    [['--data', 'memory', '--default-version', '9'], {}, /There is no API version "9"\. Versions: 1/],
    [['--data', 'memory', '--scenario', 'nope'], {}, /SANDBOX_SCENARIO \(--scenario\): .*nope/],
    [['--prot', '1'], {}, /--prot is not a setting/],
    [[], { SANDBOX_WEBHOOK_URL_POLICY: 'lax' }, /SANDBOX_WEBHOOK_URL_POLICY.*expected one of local, strict; got "lax"/],
  ])('stop the start with one clear message when they are invalid: %j %j', async (args, environment: Record<string, string>, message) => {
    await expect(SandboxProcess.start(args, environment)).rejects.toThrow(message);
  });
});
