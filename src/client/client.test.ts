import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, SandboxError, startSandbox, type OwnedWorld, type RunningSandbox } from '../index.js';

let sandbox: RunningSandbox;
let world: OwnedWorld;
beforeAll(async () => {
  sandbox = await startSandbox();
  world = await sandbox.createWorld({ name: 'client', clock: { mode: 'FROZEN', now: '2100-01-01T12:00:00Z' } });
});
afterAll(() => sandbox.close());

/** Calls the API as the client of a world. */
async function api(method: string, path: string, body?: unknown, of = world) {
  const { clientId, clientSecret } = await of.credentials();
  const send = (to: string, sent: unknown, headers: Record<string, string>) =>
    sandbox.fetch(
      new Request(of.url + to, {
        method: to === path ? method : 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      }),
    );
  const { accessToken } = (await (await send('/api/oauth/client/token', { clientId, clientSecret }, {})).json()) as { accessToken: string };
  const answer = await send(path, body, { authorization: `Bearer ${accessToken}`, 'x-idempotency-key': randomUUID() });
  return (await answer.json()) as Record<string, never> & { id: string };
}

/** Requests a withdrawal from the fixtures' first account. */
async function withdraw(sourceAmount = '150.00', of = world): Promise<string> {
  const [beneficiary] = await of.beneficiaries({ filters: 'status[eq]=APPROVED' }).all(1);
  const { data } = (await api('GET', '/api/accounts?limit=1&sortOrder=ASCENDING', undefined, of)) as unknown as { data: { id: string }[] };
  const accountId = data[0]!.id;
  const quote = await api('POST', '/api/quotes', { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount }, of);
  const paymentInstruction = { type: 'REFERENCE', id: beneficiary!.paymentInstructions[0]!.id };
  const body = { accountId, quoteId: quote.id, beneficiary: { type: 'REFERENCE', id: beneficiary!.id, paymentInstruction } };
  return (await api('POST', '/api/operations/withdrawal', body, of)).id;
}

describe('an operation', () => {
  it('is forced, waited for and explained', async () => {
    const operation = world.operation(await withdraw());
    expect((await operation.get()).currentState.status).toBe('REQUESTED');
    const waiting = operation.waitFor('COMPLETED');
    await operation.process();
    await operation.hold({ code: 'COMPLIANCE_REVIEW', message: 'Held.' });
    await operation.resume();
    await operation.complete();
    expect((await waiting).currentState.status).toBe('COMPLETED');
    expect((await operation.why()).entries.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['REQUESTED', 'ON_HOLD', 'PROCESSING', 'COMPLETED']),
    );
  });

  it('runs to a status from timer to timer', async () => {
    const operation = world.operation(await withdraw());
    expect((await operation.runTo('COMPLETED')).states.map(({ status }) => status)).toEqual(['REQUESTED', 'PROCESSING', 'COMPLETED']);
  });

  it('does not run to what no timer leads to, and says what there is', async () => {
    const operation = world.operation(await withdraw('150.17'));
    const refusal = await operation.runTo('COMPLETED').catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      name: 'SandboxError',
      code: 'NO_TIMER_LEADS_THERE',
      details: { status: 'ON_HOLD', wanted: 'COMPLETED' },
    });
    expect((refusal as Error).message).toMatch(/^No timer leads to COMPLETED\.\nOPERATION .* ON_HOLD\n.*COMPLIANCE_REVIEW/s);
  });
});

describe('a refusal', () => {
  it('says what the API said, the call and the moves that are possible', async () => {
    const operation = world.operation(await withdraw());
    await operation.fail();
    const refusal = (await operation.complete().catch((error: unknown) => error)) as SandboxError;
    expect(refusal).toBeInstanceOf(SandboxError);
    expect(refusal).toMatchObject({
      code: 'INVALID_STATUS_CHANGE',
      status: 422,
      call: `POST /_sandbox/operations/${operation.id}/complete`,
    });
    expect(refusal.message).toMatch(/FAILED and cannot become COMPLETED.*Possible: none.*\(POST .*\/complete 422 INVALID_STATUS_CHANGE\)$/);
    expect(refusal.requestId).toMatch(/^ctl_/);
  });

  it('of a sandbox that is not there names the address and what helps', async () => {
    const nowhere = connect({ url: 'http://127.0.0.1:9' });
    await expect(nowhere.worlds()).rejects.toMatchObject({
      code: 'UNREACHABLE',
      status: 0,
      message: expect.stringMatching(/127\.0\.0\.1:9.*SANDBOX_URL/) as string,
    });
  });

  it('of something else than a sandbox says so', async () => {
    const other = connect({ url: 'http://x', fetch: () => Promise.resolve(new Response('<html>', { status: 502 })) });
    await expect(other.worlds()).rejects.toMatchObject({ code: 'NOT_UNDERSTOOD', status: 502 });
  });
});

it('a call ends with its signal, and with its time', async () => {
  const operation = world.operation(await withdraw());
  const leaving = new AbortController();
  const waiting = operation.waitFor('COMPLETED', { signal: leaving.signal });
  leaving.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  const slow = connect({
    url: 'http://x',
    timeoutMs: 10,
    fetch: ({ signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  });
  await expect(slow.worlds()).rejects.toMatchObject({ code: 'NO_ANSWER' });
});
