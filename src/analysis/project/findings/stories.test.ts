import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Client } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Finding } from '../../../contract/control/analysis/findings.js';
import { ReportSchema } from '../../../contract/control/analysis/report.js';
import { excuses, mark, readOf } from '../../../testing/excuses.js';
import type { OperationId } from '../../../contract/public/routes.js';
import { Stage, undiciClient } from '../../../testing/script-stage.js';
import {
  advance,
  answers,
  ask,
  control,
  end,
  loseResponse,
  misdeliver,
  pass,
  quote,
  register,
  send,
  settle,
  injectFault,
  subscribe,
  token,
  transfer,
  withdraw,
  withdrawToRegistered,
  type Script,
} from './script.js';

const stage = new Stage();
const client = undiciClient();
beforeAll(async () => void (await stage.open()));
afterAll(() => stage.close());

const play = async (script: Script): Promise<Finding[]> => {
  const { findings, astray } = await stage.play(client, script);
  expect(astray).toEqual([]);
  return findings;
};
const rulesOf = (findings: readonly Finding[]) => findings.map(({ rule }) => rule);

const forPurpose = (purpose: string) => ({ headers: { 'X-Sandbox-Purpose': purpose } });
const workers = ['a', 'b', 'c'];
const warm = (connection: string) => ask('listAccounts', { connection });
const page = (connection: string) => [
  ask('listAccounts', { query: 'limit=1', as: 'page', connection }),
  ask('listAccounts', { query: 'limit=1&cursor={{page.meta.nextCursor}}', connection }),
];

/** Correct behaviour that looks like an error. */
const innocent: readonly [story: string, script: Script][] = [
  [
    'each of three workers sends the expired token once more while one of them gets a new token',
    [
      advance('PT61M'),
      ...workers.map((key) => transfer({ key, value: `2${key.length}.0${key.charCodeAt(0) % 10}`, expect: 401, connection: key })),
      token('fresh'),
      ...workers.map((key) => transfer({ key, value: `2${key.length}.0${key.charCodeAt(0) % 10}`, expect: 401, connection: key })),
      ...workers.map((key) => transfer({ key, value: `2${key.length}.0${key.charCodeAt(0) % 10}`, token: 'fresh', connection: key })),
    ],
  ],
  [
    'four workers each request a token after the clock has advanced by an hour again',
    [
      ...['a', 'b', 'c', 'd'].map(warm),
      ...['a', 'b', 'c', 'd'].flatMap((connection) => [advance('PT61M'), token('token', connection), warm(connection)]),
    ],
  ],
  [
    'it sends one of the failed deliveries of a page again',
    [
      subscribe(),
      answers({ status: 500 }, { status: 500 }, { status: 500 }, { status: 500 }, { status: 500 }, { status: 500 }),
      control('PUT', '/settings', { retry: { retries: 0, interval: '2s' } }),
      transfer(),
      transfer({ value: '26.00' }),
      transfer({ value: '27.00' }),
      settle(),
      ask('listExecutionLogs', { params: { subscriptionId: '{{subscription.id}}' }, query: 'limit=2', as: 'logs' }),
      ask('resendExecutionLog', { params: { subscriptionId: '{{subscription.id}}', executionLogId: '{{logs.data.0.id}}' } }),
      settle(),
      end(),
    ],
  ],
  [
    'it ignores a status that it read before a reset',
    [
      ask('getBeneficiary', { params: { beneficiaryId: '{{pending.id}}' } }),
      pass(1100),
      control('POST', '/reset'),
      quote(),
      withdraw({ to: 'pending', expect: 422 }),
    ],
  ],
  [
    'two workers pay the same amount, and the first, whose response is lost, repeats its request later',
    [
      loseResponse('createTransfer'),
      transfer({ key: 'first', expect: 'lost' }),
      transfer({ key: 'second' }),
      transfer({ key: 'first' }),
      advance('PT1M'),
      ask('getOperation', { params: { operationId: '{{transfer.id}}' } }),
    ],
  ],
  [
    'one of two workers is rate-limited, and the other then opens a connection and sends an equal request',
    [
      injectFault('createTransfer', { status: 429, retryAfter: '5s' }),
      transfer({ key: 'first', expect: 429, connection: 'a' }),
      transfer({ key: 'second', connection: 'b' }),
      pass(5000),
      transfer({ key: 'first', connection: 'a' }),
    ],
  ],
  [
    'two processes send equal requests over one connection, and the rate-limited one repeats its request after Retry-After',
    [
      injectFault('createTransfer', { status: 429, retryAfter: '5s' }),
      transfer({ key: 'first', expect: 429 }),
      transfer({ key: 'second' }),
      pass(5000),
      transfer({ key: 'first' }),
    ],
  ],
  [
    'it sends a request five times at a fixed interval',
    [
      injectFault('createTransfer', { connectionReset: true }, { times: 4 }),
      transfer({ key: 'first', expect: 'lost' }),
      ...[1, 2, 3].flatMap(() => [pass(300), transfer({ key: 'first', expect: 'lost' })]),
      pass(300),
      transfer({ key: 'first' }),
    ],
  ],
  [
    'each test requests its own token',
    Array.from({ length: 6 }, (_each, index) => [mark(`test ${index}`), token(), ask('listAccounts')]).flat(),
  ],
  ['three workers stop at page 2', workers.flatMap((each) => page(each))],
  [
    'three workers request the same page, each over a connection that it closes at its end',
    [
      ask('listAccounts', { query: 'limit=1', as: 'page' }),
      ...workers.map((connection) => ask('listAccounts', { query: 'limit=1&cursor={{page.meta.nextCursor}}', connection })),
    ],
  ],
  [
    'a monitoring system probes unknown paths',
    ['/health', '/healthz', '/metrics', '/ready', '/favicon.ico', '/actuator/health'].map((path) =>
      send('GET', `/api${path}`, { expect: 404 }),
    ),
  ],
  [
    'a test that sends invalid amounts runs three times over one connection',
    Array.from({ length: 3 }, () => [transfer({ value: '1.2.3', expect: 400 }), transfer({ value: '1.2.4', expect: 400 })]).flat(),
  ],
  [
    'it repeats a rejected request after the clock was advanced beyond Retry-After',
    [
      injectFault('createTransfer', { status: 503, retryAfter: '30s' }),
      transfer({ key: 'first', expect: 503 }),
      advance('PT10H'),
      token(),
      transfer({ key: 'first' }),
    ],
  ],
  [
    'its endpoint is down and rejects known and new messages',
    [
      subscribe(),
      misdeliver('OPERATION_REQUESTED', { duplicate: 1 }),
      answers({ status: 200 }, { status: 500 }, { status: 500 }),
      transfer(),
      settle(),
      transfer({ value: '26.00' }),
      settle(),
    ],
  ],
];

describe('a correct client gets no findings when', () => {
  it.each(innocent)('%s', async (_story, script) => {
    expect(await play(script)).toEqual([]);
  });

  it.each([
    ['a response with Retry-After', { status: 503, retryAfter: '30s' }, 'before'],
    ['a response with unknown fields', { unknownFields: true }, 'after_commit'],
  ])('its process is killed before it has read %s, and the next process repeats the request at once', async (what, effect, phase) => {
    const { world, headers, body, request } = await payer(`killed-${what.at(-1)}`);
    await stage.control('POST', '/faults', world, { on: 'REQUEST', when: { operationId: 'createTransfer' }, times: 1, phase, effect });
    await dieUnread('/api/operations/transfer', headers('first'), JSON.stringify(body));
    await request('/api/operations/transfer', headers('first'), body);
    expect(await found(world)).toEqual([]);
  });

  it('a restarted process repeats its first payment while another worker waits for the response to an equal payment', async () => {
    const { world, headers, body, request } = await payer('waiting');
    await dieUnread('/api/operations/transfer', headers('first'), JSON.stringify(body));
    const effect = { delay: '400ms', connectionReset: true };
    await stage.control('POST', '/faults', world, {
      on: 'REQUEST',
      when: { operationId: 'createTransfer' },
      times: 1,
      phase: 'after_commit',
      effect,
    });
    const waiting = request('/api/operations/transfer', headers('second'), body).catch(() => 'lost');
    await new Promise((begun) => setTimeout(begun, 100));
    await request('/api/operations/transfer', headers('first'), body);
    expect(await waiting).toBe('lost');
    await request('/api/operations/transfer', headers('second'), body);
    expect(await found(world)).toEqual([]);
  });

  it('its process with a shared connection is killed, and the next process repeats the request without waiting for Retry-After', async () => {
    const { world, headers, body, request, renew } = await payer('pooled');
    const effect = { status: 503, retryAfter: '30s' };
    await stage.control('POST', '/faults', world, { on: 'REQUEST', when: { operationId: 'createTransfer' }, times: 1, effect });
    const shared = new Client(stage.url);
    const over = async (method: string, path: string, sent: string | null) =>
      (
        await shared.request({ method, path, headers: { 'Content-Type': 'application/json', ...headers('first') }, body: sent })
      ).body.text();
    await over('POST', '/api/operations/transfer', JSON.stringify(body));
    await over('GET', '/api/accounts', null);
    await shared.destroy();
    await new Promise((closed) => setTimeout(closed, 20));
    await renew();
    await request('/api/operations/transfer', headers('first'), body);
    expect(await found(world)).toEqual([]);
  });

  it.each([
    ['the process that made it', false, [1]],
    ['a process that was started again', true, []],
  ])('%s repeats the key of a payment over a new connection, which the report lists for the former', async (_which, isNext, counts) => {
    const { world, headers, body, renew } = await payer(`repeated-by-${isNext ? 'next' : 'same'}`);
    const sent = () => ({ headers: { 'Content-Type': 'application/json', ...headers('first') }, body: JSON.stringify(body) });
    const [former, later] = [new Client(stage.url), new Client(stage.url)];
    await (await former.request({ method: 'POST', path: '/api/operations/transfer', ...sent() })).body.text();
    if (isNext) {
      await former.close();
      await new Promise((closed) => setTimeout(closed, 20));
      await renew();
    }
    stage.pass(100);
    await (await later.request({ method: 'POST', path: '/api/operations/transfer', ...sent() })).body.text();
    await Promise.all([former, later].map((each) => each.destroy()));
    const { notProven } = ReportSchema.parse(await stage.control('GET', `/report?world=${world}`, world));
    expect(notProven.flatMap(({ kind, count }) => (kind === 'KEYS_REPEATED' ? [count] : []))).toEqual(counts);
  });

  it('a worker sends a payment twice at the same time with one key, which the report does not list', async () => {
    const { world, headers, body, request } = await payer('simultaneous');
    // The second response follows the first, so the repetition is judged when the payment is known.
    for (const delay of ['100ms', '200ms'])
      await stage.control('POST', '/faults', world, {
        on: 'REQUEST',
        when: { operationId: 'createTransfer' },
        times: 1,
        phase: 'after_commit',
        effect: { delay },
      });
    const pay = () => request('/api/operations/transfer', headers('first'), body);
    const [first, second] = await Promise.all([pay(), pay()]);
    expect(second['id']).toBe(first['id']);
    const { notProven } = ReportSchema.parse(await stage.control('GET', `/report?world=${world}`, world));
    expect(notProven.map(({ kind }) => kind)).not.toContain('KEYS_REPEATED');
  });

  it('its process is killed three times while it waits for a slow response', async () => {
    const { world, headers, body, request, renew } = await payer('killed-waiting');
    const effect = { delay: '2s' };
    await stage.control('POST', '/faults', world, { on: 'REQUEST', when: { operationId: 'createTransfer' }, times: 3, effect });
    for (let kills = 0; kills < 3; kills += 1) {
      const killed = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers('first') }, body: JSON.stringify(body) };
      const signal = AbortSignal.timeout(200);
      await expect(fetch(`${stage.url}/api/operations/transfer`, { ...killed, signal })).rejects.toThrow(/timeout|abort/i);
      await renew();
    }
    await request('/api/operations/transfer', headers('first'), body);
    expect(await found(world)).toEqual([]);
  });

  it('a worker gives up a slow payment and repeats it before another worker pays the same amount', async () => {
    const { world, headers, body, request } = await payer('slow');
    await stage.control('POST', '/faults', world, {
      on: 'REQUEST',
      when: { operationId: 'createTransfer' },
      times: 1,
      phase: 'after_commit',
      effect: { delay: '400ms', malformedJson: true },
    });
    const slow = request('/api/operations/transfer', headers('first'), body);
    await new Promise((begun) => setTimeout(begun, 100));
    await request('/api/operations/transfer', headers('first'), body);
    await request('/api/operations/transfer', headers('second'), body);
    await expect(slow).rejects.toThrow(/fetch failed|JSON|token|terminated/i);
    expect(await found(world)).toEqual([]);
  });

  it('a worker repeats a payment with a lost response while another worker pays the same amount', async () => {
    const { world, headers, body, request } = await payer('overlapping');
    const fault = (effect: object, more: object) =>
      stage.control('POST', '/faults', world, { on: 'REQUEST', when: { operationId: 'createTransfer' }, times: 1, effect, ...more });
    await fault({ connectionReset: true }, { phase: 'after_commit' });
    await expect(request('/api/operations/transfer', headers('first'), body)).rejects.toThrow(/fetch failed|JSON|token|terminated/i);
    await fault({ delay: '300ms' }, {});
    const repeated = request('/api/operations/transfer', headers('first'), body);
    await new Promise((begun) => setTimeout(begun, 100));
    await request('/api/operations/transfer', headers('second'), body);
    await repeated;
    expect(await found(world)).toEqual([]);
  });
});

describe('a client that pays again with a new key after a lost response, over another connection that it already has', () => {
  it('is reported although it accepts the webhooks of both payments, before the end of the run too', async () => {
    const script = [
      subscribe(),
      warm('a'),
      warm('b'),
      loseResponse('createTransfer'),
      transfer({ key: 'first', expect: 'lost', connection: 'a' }),
      transfer({ key: 'second', connection: 'b' }),
      advance('PT1M'),
      settle(),
    ];
    expect(await play(script)).toMatchObject([{ rule: 'payment.repeated', confidence: 'LIKELY' }]);
    expect(await play([...script, end()])).toMatchObject([{ rule: 'payment.repeated', confidence: 'LIKELY' }]);
  });
});

describe('a client that uses the key of a payment for another one at the same time', () => {
  it('is reported although the response with the stored payment comes first', async () => {
    const { world, headers, body, request } = await payer('one-key');
    const fault = { on: 'REQUEST', when: { operationId: 'createTransfer' }, times: 1, phase: 'after_commit', effect: { delay: '200ms' } };
    await stage.control('POST', '/faults', world, fault);
    const pay = (purpose: string) => request('/api/operations/transfer', { ...headers('first'), ...forPurpose(purpose).headers }, body);
    const [first, second] = await Promise.all([pay('invoice 1'), pay('invoice 2')]);
    expect(second['id']).toBe(first['id']);
    expect(await found(world)).toMatchObject([
      { rule: 'idempotency.replay-as-new', confidence: 'CERTAIN', money: [{ value: '25.00', asset: 'BRL' }] },
    ]);
  });
});

const found = async (world: string) => ((await stage.control('GET', '/findings?final=true', world)) as { data: Finding[] }).data;

/** A client that pays over any connection of a pool. */
async function payer(world: string) {
  const variables = (await stage.makeWorld(world, { mode: 'FROZEN', now: '2026-11-21T12:00:00Z' })) as Record<string, string>;
  const { clientId, clientSecret, account, otherAccount } = variables;
  const request = async (path: string, headers: Record<string, string>, body: object) => {
    const sent = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
    return (await (await fetch(stage.url + path, sent)).json()) as Record<string, string>;
  };
  let accessToken: string | undefined;
  const renew = async () => {
    ({ accessToken } = await request('/api/oauth/client/token', {}, { clientId, clientSecret }));
  };
  await renew();
  const keys = new Map<string, string>();
  const headers = (name: string) => {
    keys.set(name, keys.get(name) ?? randomUUID());
    return { Authorization: `Bearer ${accessToken}`, 'X-Idempotency-Key': keys.get(name)! };
  };
  const body = { sourceAccountId: account, targetAccountId: otherAccount, amount: { value: '25.00', asset: 'BRL' } };
  return { world, headers, body, request, renew };
}

/** Sends a request over a new connection, and does not read the response. */
async function sendUnread(path: string, headers: Record<string, string>, body: string): Promise<Socket> {
  const { hostname, port } = new URL(stage.url);
  const socket = connect({ port: Number(port), host: hostname });
  await new Promise((connected) => socket.once('connect', connected));
  const lines = Object.entries({
    Host: 'localhost',
    'Content-Type': 'application/json',
    ...headers,
    'Content-Length': String(body.length),
  });
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`);
  return socket;
}

/** Sends a request, and resets the connection before the response is read, as a killed process does. */
async function dieUnread(path: string, headers: Record<string, string>, body: string): Promise<void> {
  const socket = await sendUnread(path, headers, body);
  await new Promise((arrived) => socket.once('readable', arrived));
  socket.resetAndDestroy();
  await new Promise((closed) => setTimeout(closed, 20));
}

describe('an endpoint that accepts no webhook', () => {
  const answered = (status: number) => [subscribe(), answers(...Array.from({ length: 12 }, () => ({ status }))), transfer()];
  const read = ask('getOperation', { params: { operationId: '{{transfer.id}}' } });
  it.each([
    ['is down, and the client reads the operation', 503, [read], []],
    ['rejects each of them, and the client reads the operation', 400, [read], ['WARNING', 'WARNING']],
    ['rejects each of them, and the client never learns of the operation', 400, [], ['ERROR', 'ERROR']],
  ])('gets the finding that fits if it %s', async (_what, status, reads, severities) => {
    const findings = await play([...answered(status), advance('PT10M'), ...reads, end()]);
    expect(findings.filter(({ rule }) => rule === 'webhook.none-accepted').map(({ severity }) => severity)).toEqual(severities);
  });
});

/** Returns a transfer with a query string. */
const transferWith = (query: string) => ({ ...transfer(), path: `${transfer().path}?${query}` });

describe('a careless client', () => {
  const paidTwice = [
    quote(),
    loseResponse('createWithdrawal'),
    withdraw({ key: 'first', expect: 'lost' }),
    quote({ as: 'fresh' }),
    withdraw({ of: 'fresh', key: 'second' }),
    advance('PT1M'),
  ];

  it('gets a LIKELY finding with the excess amount if it pays again after a lost response and reads only the second payment', async () => {
    const read = ask('getOperation', { params: { operationId: '{{withdrawal.id}}' } });
    const findings = await play([...paidTwice, read, end()]);
    expect(findings).toMatchObject([{ rule: 'payment.repeated', confidence: 'LIKELY', money: [{ asset: 'BRL', value: '150.00' }] }]);
  });

  it('gets a LIKELY finding if it pays again after a lost response and webhooks later report both payments', async () => {
    const findings = await play([subscribe(), ...paidTwice, settle(), end()]);
    expect(findings).toMatchObject([{ rule: 'payment.repeated', confidence: 'LIKELY', money: [{ asset: 'BRL', value: '150.00' }] }]);
  });

  it('gets a finding if it makes a payment again that it gave up just before the response was sent', async () => {
    const { world, headers, body, request } = await payer('hurried');
    const effect = { delay: '60ms' };
    await stage.control('POST', '/faults', world, { on: 'REQUEST', when: { operationId: 'createTransfer' }, times: 1, effect });
    const socket = await sendUnread('/api/operations/transfer', headers('first'), JSON.stringify(body));
    const { observers } = stage.sandbox.planeHost;
    const original = observers.committed.bind(observers);
    const committed = vi.spyOn(observers, 'committed');
    await new Promise<void>((closed) => {
      committed.mockImplementation((...args) => {
        const [, commit] = args;
        const isOfPayment = 'changes' in commit && commit.changes.some(({ table }) => table === 'operations');
        if (isOfPayment) committed.mockRestore();
        original(...args);
        if (!isOfPayment) return;
        socket.destroy();
        closed();
      });
    });
    await request('/api/operations/transfer', headers('second'), body);
    expect(await found(world)).toMatchObject([{ rule: 'payment.repeated', confidence: 'LIKELY', money: [{ value: '25.00' }] }]);
  });

  it('gets a finding if it pays again after a lost response, over another connection', async () => {
    const findings = await play([
      loseResponse('createTransfer'),
      transfer({ key: 'first', expect: 'lost', connection: 'one' }),
      transfer({ key: 'second', value: '25.0', connection: 'two' }),
    ]);
    expect(rulesOf(findings)).toContain('payment.repeated');
  });

  it('gets a LIKELY finding for one accepted forged webhook, and a CERTAIN finding for two', async () => {
    const forge = () => [misdeliver('OPERATION_REQUESTED', { corruptSignature: true }), transfer(), settle()];
    const one = await play([subscribe(), ...forge()]);
    expect(one).toMatchObject([{ rule: 'webhook.bad-signature-accepted', confidence: 'LIKELY' }]);
    const two = await play([subscribe(), ...forge(), ...forge()]);
    expect(two).toMatchObject([{ rule: 'webhook.bad-signature-accepted', confidence: 'CERTAIN', count: 2 }]);
  });

  it.each([
    ['rejects a wrong signature', 401, 'CERTAIN'],
    ['fails at a wrong signature', 503, 'LIKELY'],
  ])('that %s and accepts one webhook without a signature gets a finding that fits', async (_what, status, confidence) => {
    const forge = (effect: object) => [misdeliver('OPERATION_REQUESTED', effect), transfer(), settle()];
    const [wrong, none] = [[answers({ status }), ...forge({ corruptSignature: true })], forge({ unsigned: true })];
    for (const script of [
      [...wrong, ...none],
      [...none, ...wrong],
    ])
      expect(await play([subscribe(), ...script])).toMatchObject([{ rule: 'webhook.bad-signature-accepted', confidence, count: 1 }]);
  });

  it.each([
    ['a parameter that looks like a filter', 'status=ACTIVE', 'ERROR'],
    ['a parameter of a tracing system', 'utm_source=mail', 'WARNING'],
  ])('gets a finding if it sends %s', async (_what, query, severity) => {
    expect(await play([ask('listAccounts', { query })])).toMatchObject([{ rule: 'request.unknown-parameter', severity }]);
  });

  it.each([
    ['a payment with the parameter dryRun', transferWith('dryRun=true'), /^There is no dry run: the request was carried out/],
    ['a payment with the parameter tenant', transferWith('tenant=a'), /^The parameter was ignored, and the request was carried out/],
    [
      'the parameter pageSize',
      ask('listAccounts', { query: 'pageSize=5' }),
      /^The parameter was ignored, so the response is the first page\. Use .*`limit`/,
    ],
    ['a parameter that looks like a filter', ask('listAccounts', { query: 'status=ACTIVE' }), /Filter lists with `filters=/],
    [
      'a parameter to an endpoint without parameters',
      ask('getBeneficiary', { params: { beneficiaryId: '{{approved.id}}' }, query: 'status=ACTIVE' }),
      /has no parameters/,
    ],
  ])('gets specific advice if it sends %s', async (_what, step, advice) => {
    expect(await play([step])).toMatchObject([{ rule: 'request.unknown-parameter', advice: expect.stringMatching(advice) as string }]);
  });

  it('gets different advice for an amount with a currency and for an amount with a decimal comma', async () => {
    const advice = async (value: string) => (await play([transfer({ value, expect: 400 })]))[0]?.advice;
    expect(await advice('R$ 25.00')).toMatch(/name the currency in `asset`/);
    expect(await advice('1.234,56')).toMatch(/^Use a point/);
  });

  it('is caught when it retries a read, or a rate-limited request with a new key, before Retry-After', async () => {
    const limited = injectFault('createTransfer', { status: 429, retryAfter: '5s' });
    expect(rulesOf(await play([limited, transfer({ key: 'one', expect: 429 }), transfer({ key: 'two' })]))).toEqual(['retry.too-early']);
    const read = injectFault('listAccounts', { status: 503, retryAfter: '5s' });
    expect(rulesOf(await play([read, ask('listAccounts', { expect: 503 }), ask('listAccounts')]))).toEqual(['retry.too-early']);
  });

  it.each([
    ['150.10000610351562', 'money.float-artefact'],
    ['33.333333333333336', 'money.float-artefact'],
    ['R$ 25.00', 'money.locale'],
  ])('gets a finding if it sends the amount %s', async (value, rule) => {
    expect(rulesOf(await play([transfer({ value, expect: 400 })]))).toEqual([rule]);
  });

  const inCents = ['125040', '31075', '8990', '441733', '64005'];
  it.each([
    ['all of whose payments are in cents', inCents, [{ rule: 'money.minor-units', confidence: 'LIKELY', money: [{ value: '664134.57' }] }]],
    ['whose payments are whole amounts that end with zeros', ['3000', '4500', '3800', '5200', '7000'], []],
    ['one of whose payments has cents', [...inCents, '17.50'], []],
    ['whose payments are large whole amounts with a decimal point', inCents.map((value) => `${value}.00`), []],
  ])('%s gets the finding that fits', async (_what, values, expected) => {
    const paid = values.flatMap((value) => [
      transfer({ value }),
      advance('PT1M'),
      ask('getOperation', { params: { operationId: '{{transfer.id}}' } }),
    ]);
    expect(await play([...paid, end()])).toMatchObject(expected);
  });

  const paidOut = ['129.90', '58.25', '25.00'].flatMap((sourceAmount) => [quote({ sourceAmount }), withdraw()]);
  const quoted = (sourceAmount: string) => quote({ sourceAmount, as: sourceAmount });
  it.each([
    ['transfers two of them in cents', [transfer({ value: '12990' }), transfer({ value: '5825' })], [{ value: '18626.85' }]],
    ['pays one out in cents', [quoted('12990'), withdraw({ of: '12990' })], [{ value: '12860.10' }]],
    ['takes a quote in cents and does not use it', [quoted('12990')], undefined],
    [
      'transfers in cents what the provider then declines',
      [control('PUT', '/scenario', { name: 'declines' }), transfer({ value: '12990' })],
      undefined,
    ],
    ['transfers a hundred times a whole amount', [transfer({ value: '2500' })], undefined],
  ])('that pays some amounts with cents and %s gets the finding that fits', async (_what, paid, money) => {
    const findings = await play([...paidOut, ...paid, advance('PT1M'), end()]);
    const these = findings.filter(({ rule }) => rule === 'money.minor-units');
    expect(these.map((each) => each.money)).toEqual([money && money.map((each) => ({ asset: 'BRL', ...each }))]);
  });

  it.each([
    ['in binary floating point and never correctly', '158.26999999999998', [], '158.27'],
    ['in the format of Brazil and never correctly', 'R$ 1.250,40', [], '1250.40'],
    ['with too many decimals, and then correctly', '10.005', ['10.00'], null],
  ])('that sends an amount %s gets the finding that fits', async (_what, value, corrected, due) => {
    const paid = corrected.flatMap((each) => [
      transfer({ value: each }),
      advance('PT1M'),
      ask('getOperation', { params: { operationId: '{{transfer.id}}' } }),
    ]);
    const these = (await play([transfer({ value, expect: 400 }), ...paid, end()])).filter(({ rule }) => rule === 'payment.never-made');
    expect(these.map(({ money }) => money)).toEqual(due === null ? [] : [[{ asset: 'BRL', value: due }]]);
  });

  it.each([
    ['and never pays it', [], [{ rule: 'idempotency.replay-as-new', confidence: 'CERTAIN', money: [{ asset: 'BRL', value: '25.00' }] }]],
    ['and pays it with a key of its own later', [transfer({ key: 'second', headers: { 'X-Sandbox-Purpose': 'invoice 2' } })], []],
  ])('that uses the key of a payment for another purpose, %s, gets the finding that fits', async (_when, later, expected) => {
    const sent = ['invoice 1', 'invoice 2', 'invoice 2'].map((purpose) =>
      transfer({ key: 'first', headers: { 'X-Sandbox-Purpose': purpose } }),
    );
    expect(await play([...sent, ...later])).toMatchObject(expected);
  });

  it.each([
    ['in another header', { 'X-Idempotency-Key': '', 'Idempotency-Key': randomUUID() }, [], '300.00'],
    ['that is no UUID', { 'X-Idempotency-Key': 'invoice-1' }, [], '300.00'],
    ['in another header, and corrects it', { 'X-Idempotency-Key': '' }, [quote(), withdraw(), quote(), withdraw()], null],
  ])('whose quotes have their key %s gets the finding that fits', async (_what, headers, corrected, due) => {
    const rejected = [1, 2].map(() => quote({ headers, expect: 400 }));
    const these = (await play([...rejected, ...corrected, end()])).filter(({ rule }) => rule === 'payment.never-made');
    expect(these.map(({ money }) => money)).toEqual(due === null ? [] : [[{ asset: 'BRL', value: due }]]);
  });

  it.each([
    ['never', [], ['payment.never-made']],
    ['with its key', [transfer({ key: 'first' })], []],
  ])('that repeats a payment that was rejected with 503 %s gets the finding that fits', async (_when, again, expected) => {
    const refused = [injectFault('createTransfer', { status: 503 }), transfer({ key: 'first', expect: 503 }), pass(1000)];
    const these = rulesOf(await play([...refused, ...again, end()])).filter((each) => each === 'payment.never-made');
    expect(these).toEqual(expected);
  });

  const busy = injectFault('createTransfer', { status: 503 });
  const backwards = { sourceAccountId: '{{otherAccount}}', targetAccountId: '{{account}}', amount: { value: '25.00', asset: 'BRL' } };
  const unknown = { ...backwards, targetAccountId: '{{key.unknown}}' };
  const toNobody = ask('createTransfer', { body: unknown, expect: 404 });
  const failedTransfer = [transfer(), control('POST', '/operations/{{transfer.id}}/fail', {}), readOf('transfer')];
  const readEnd = [advance('PT1M'), readOf('transfer')];
  const conflict = (sourceAmount: string) => [quote({ sourceAmount }), withdraw({ key: 'first', expect: 409 })];
  const inVain = (sourceAmount: string) =>
    [1, 2].flatMap(() => [injectFault('createQuote', { status: 503 }), quote({ sourceAmount, expect: 503 })]);
  const early = ['61.00', '72.00'].flatMap((sourceAmount) => [quote({ sourceAmount }), withdrawToRegistered({ expect: 422 })]);
  it.each([
    ['tries a payment with two keys, both in vain', [busy, transfer({ expect: 503 }), busy, transfer({ expect: 503 })], '25.00'],
    [
      'tries a payment with two keys before it succeeds',
      [busy, transfer({ expect: 503 }), busy, transfer({ expect: 503 }), transfer()],
      null,
    ],
    ['tries two payments for two purposes', [1, 2].flatMap((each) => [busy, transfer({ expect: 503, ...forPurpose(`${each}`) })]), '50.00'],
    [
      'repeats one of two equal payments, to two payees',
      [
        busy,
        transfer({ key: 'first', expect: 503 }),
        busy,
        ask('createTransfer', { body: backwards, expect: 503 }),
        transfer({ key: 'first' }),
      ],
      '25.00',
    ],
    ['gets 404, and then 503, for one transfer', [toNobody, busy, { ...toNobody, expect: 503 }], '25.00'],
    ['gets 503, and then 404, for one transfer', [busy, { ...toNobody, expect: 503 }, toNobody], null],
    [
      'gets 503 for a transfer, and repeats it with an expired token',
      [busy, transfer({ expect: 503 }), advance('PT61M'), transfer({ expect: 401 })],
      '25.00',
    ],
    [
      'makes one of two equal payments at the second attempt, never the other, and reads the end of the first',
      [busy, transfer({ key: 'first', expect: 503 }), transfer({ key: 'first' }), busy, transfer({ as: 'lost', expect: 503 }), ...readEnd],
      '25.00',
    ],
    [
      'names an unknown account, and repeats a payment to another one with another key',
      [toNobody, busy, transfer({ expect: 503 }), transfer()],
      null,
    ],
    [
      'repeats a payment to an account that was too poor, and none to another one',
      [...failedTransfer, busy, ask('createTransfer', { body: backwards, expect: 503 }), transfer()],
      '25.00',
    ],
    ['pays from another account instead', [busy, transfer({ expect: 503 }), ask('createTransfer', { body: backwards })], null],
    [
      'only takes a new quote after a conflict of keys',
      [
        quote(),
        withdraw({ key: 'first' }),
        ...conflict('61.00'),
        ...conflict('72.00'),
        quote({ sourceAmount: '61.00' }),
        quote({ sourceAmount: '72.00' }),
      ],
      '133.00',
    ],
    [
      'pays with other keys after a conflict of keys',
      [quote(), withdraw({ key: 'first' }), ...conflict('61.00'), withdraw(), ...conflict('72.00'), withdraw()],
      null,
    ],
    [
      'fails to repeat a lost payment with another key',
      [loseResponse('createTransfer'), transfer({ expect: 'lost' }), busy, transfer({ expect: 503 })],
      null,
    ],
    [
      'loses a payment, and writes the amount of an equal one for a locale',
      [loseResponse('createTransfer'), transfer({ expect: 'lost' }), transfer({ value: 'R$ 25.00', expect: 400 })],
      '25.00',
    ],
    [
      'takes two quotes with three keys each',
      ['61.00', '72.00'].flatMap((sourceAmount) => [...inVain(sourceAmount), quote({ sourceAmount })]),
      null,
    ],
    ['never gets two quotes', ['61.00', '72.00'].flatMap(inVain), '133.00'],
    ['pays a payee before the review, and never again', [register(), ...early, advance('PT5S')], '133.00'],
    [
      'tries one payment to a payee twice before the review',
      [register(), ...[1, 2].flatMap(() => [quote({ sourceAmount: '61.00' }), withdrawToRegistered({ expect: 422 })]), advance('PT5S')],
      null,
    ],
    [
      'pays a payee before the review, and again after it',
      [
        register(),
        ...early,
        advance('PT5S'),
        ...['61.00', '72.00'].flatMap((sourceAmount) => [quote({ sourceAmount }), withdrawToRegistered()]),
      ],
      null,
    ],
    [
      'tests payments to a payee whose review never ends',
      ['61.00', '72.00'].flatMap((sourceAmount) => [quote({ sourceAmount }), withdraw({ to: 'pending', expect: 422 })]),
      null,
    ],
  ] satisfies [string, Script, string | null][])('that %s gets the finding that fits', async (_what, script, due) => {
    const these = (await play([...script, end()])).filter(({ rule }) => rule === 'payment.never-made');
    expect(these.map(({ money }) => money)).toEqual(due === null ? [] : [[{ asset: 'BRL', value: due }]]);
  });

  it('gets a finding with the one of two equal payments that it did not repeat', async () => {
    const other = ask('createTransfer', { key: 'second', body: { ...backwards, tags: [{ key: 'of', value: 'second' }] } });
    const rejected = [busy, transfer({ key: 'first', expect: 503 }), busy, { ...other, expect: 503 }];
    const these = (await play([...rejected, other, end()])).filter(({ rule }) => rule === 'payment.never-made');
    expect(these.flatMap(({ evidence }) => evidence.map(({ request }) => request?.body))).toEqual([expect.not.stringContaining('second')]);
  });

  it('gets a finding if it sends a number instead of an amount object', async () => {
    const body = { sourceAccountId: '{{account}}', targetAccountId: '{{otherAccount}}', amount: 25.5 };
    expect(rulesOf(await play([ask('createTransfer', { body, expect: 400 })]))).toEqual(['money.json-number']);
  });
});

/** Pays, and reads the end. */
const paidAndRead = (value: string, as: string, given: object = {}) => [transfer({ value, as, ...given }), advance('PT1M'), readOf(as)];
const eachTwice = (between: (value: string, as: string) => Script) =>
  ['61.00', '72.00', '83.00'].flatMap((value, index) => [
    transfer({ value, as: `p${index}` }),
    ...between(value, `p${index}`),
    transfer({ value, as: `q${index}` }),
  ]);
const lostTransfer = (given: object) => [loseResponse('createTransfer'), transfer({ expect: 'lost', ...given })];

/** Pays each amount twice; the responses to the given operations have unknown fields. */
const strange = (operations: readonly OperationId[], amounts: readonly string[]) => [
  ...operations.map((each) => injectFault(each, { unknownFields: true }, { times: 2 * amounts.length, phase: 'after_commit' })),
  ...amounts.flatMap((sourceAmount) => [1, 2].flatMap(() => [quote({ sourceAmount }), withdraw()])),
];

/** Each excuse of a suspect pair: a client that earns it, and one that abuses it. */
const pairs: readonly [story: string, script: Script, expected: readonly object[]][] = [
  ['pays once more what is on its way', [transfer(), transfer()], [{ rule: 'payment.equal', money: [{ value: '25.00' }] }]],
  ['pays once more what has ended', [...paidAndRead('25.00', 'first'), transfer()], []],
  [
    'pays each of three payments twice',
    eachTwice(() => []),
    [{ rule: 'payment.repeated', confidence: 'LIKELY', count: 3, money: [{ value: '216.00' }] }],
  ],
  [
    'pays each of four payments twice, the last after the end of the first',
    [...eachTwice(() => []), ...paidAndRead('94.00', 'last'), transfer({ value: '94.00' })],
    [{ rule: 'payment.repeated', confidence: 'LIKELY', count: 4, money: [{ value: '310.00' }] }],
  ],
  [
    'pays each of three payments twice, and three others once',
    [...eachTwice(() => []), ...['94.00', '95.00', '96.00'].map((value) => transfer({ value }))],
    [{ rule: 'payment.equal', count: 3, money: [{ value: '216.00' }] }],
  ],
  [
    'pays each of three payments twice, each after the end of the first',
    eachTwice((_value, as) => [advance('PT1M'), readOf(as)]),
    [{ rule: 'payment.equal', count: 3, money: [{ value: '216.00' }] }],
  ],
  [
    'pays each of three payments again after it has read that the first failed',
    eachTwice((_value, as) => [control('POST', `/operations/{{${as}.id}}/fail`, {}), readOf(as)]),
    [],
  ],
  [
    'pays each of three payments again after the first failed, which it has not read',
    eachTwice((_value, as) => [control('POST', `/operations/{{${as}.id}}/fail`, {})]),
    [{ rule: 'payment.repeated', confidence: 'LIKELY', count: 3 }],
  ],
  [
    'pays each of three payments twice, each a week after the end of the first',
    eachTwice((_value, as) => [advance('PT1M'), readOf(as), advance('P7D'), token()]),
    [],
  ],
  [
    'pays each of three payments twice, with two purposes',
    eachTwice(() => []).map((step, index) => ({ ...step, headers: { ...step.headers, 'X-Sandbox-Purpose': `purpose ${index}` } })),
    [],
  ],
  ['pays 25.00 ten times', Array.from({ length: 10 }, () => transfer()), [{ rule: 'payment.equal', count: 9 }]],
  [
    'pays each of three payments twice, in six marked tests',
    eachTwice(() => []).flatMap((step, index) => [mark(`test ${index}`), step]),
    [],
  ],
  [
    'pays two payments again, each with a new token',
    ['61.00', '72.00'].flatMap((value) => [transfer({ value }), token(), transfer({ value, as: 'again' })]),
    [{ rule: 'payment.repeated', count: 2, money: [{ value: '133.00' }] }],
  ],
  [
    'pays two payments again, each with a new token, and four others with new tokens',
    [
      ...['61.00', '72.00'].flatMap((value) => [transfer({ value }), token(), transfer({ value, as: 'again' })]),
      ...['81.00', '82.00', '83.00', '84.00'].flatMap((value) => [token(), transfer({ value })]),
    ],
    [{ rule: 'payment.equal', count: 2 }],
  ],
  [
    'takes two payments that are on hold for failed',
    ['150.17', '151.17'].flatMap((sourceAmount) => [
      quote({ sourceAmount }),
      withdraw(),
      advance('PT10S'),
      readOf('withdrawal'),
      quote({ sourceAmount }),
      withdraw({ as: 'again' }),
    ]),
    [{ rule: 'payment.repeated', count: 2, money: [{ value: '301.34' }] }],
  ],
  [
    'takes two payments that are in progress for failed',
    ['61.00', '72.00'].flatMap((value) => [transfer({ value }), readOf('transfer'), transfer({ value, as: 'again' })]),
    [{ rule: 'payment.repeated', count: 2 }],
  ],
  [
    'takes two responses with an unknown field for failures',
    strange(['createWithdrawal'], ['61.00', '72.00']),
    [{ rule: 'payment.repeated', count: 2 }],
  ],
  [
    'pays two amounts twice, with quotes whose responses have unknown fields too',
    strange(['createQuote', 'createWithdrawal'], ['61.00', '72.00']),
    [{ rule: 'payment.equal', count: 2 }],
  ],
  [
    'pays each of three amounts twice, with quotes whose responses have unknown fields too',
    strange(['createQuote', 'createWithdrawal'], ['61.00', '72.00', '83.00']),
    [{ rule: 'payment.repeated', count: 3 }],
  ],
  [
    'makes two payments again while they are in progress, and reads both ends of each',
    ['61.00', '72.00'].flatMap((value) => [
      transfer({ value }),
      readOf('transfer'),
      transfer({ value, as: 'again' }),
      advance('PT1M'),
      readOf('transfer'),
      readOf('again'),
    ]),
    [{ rule: 'payment.equal', count: 2 }],
  ],
  [
    'pays for one purpose twice',
    [...paidAndRead('25.00', 'first', forPurpose('invoice 1')), transfer(forPurpose('invoice 1'))],
    [{ rule: 'payment.repeated', confidence: 'CERTAIN', money: [{ value: '25.00' }] }],
  ],
  [
    'pays for one purpose again after a failure',
    [
      quote({ sourceAmount: '150.13' }),
      withdraw(forPurpose('invoice 1')),
      advance('PT1M'),
      readOf('withdrawal'),
      quote({ sourceAmount: '150.13' }),
      withdraw({ as: 'again', ...forPurpose('invoice 1') }),
    ],
    [],
  ],
  [
    'pays for the purpose of each test again, after the end of the one before',
    Array.from({ length: 5 }, (_each, index) => paidAndRead('25.00', `p${index}`, forPurpose('invoice 1'))).flat(),
    [{ rule: 'payment.equal', count: 4 }],
  ],
  [
    'loses a payment for another purpose and repeats it later',
    [
      ...lostTransfer({ key: 'first', ...forPurpose('invoice 1') }),
      transfer({ key: 'second', ...forPurpose('invoice 2') }),
      transfer({ key: 'first', ...forPurpose('invoice 1') }),
    ],
    [],
  ],
  [
    'loses a payment, and accepts only the webhooks about it before it pays again',
    [subscribe(), ...lostTransfer({ key: 'first' }), advance('PT1M'), settle(), transfer({ key: 'second' })],
    [{ rule: 'payment.repeated', confidence: 'LIKELY' }],
  ],
  [
    'loses a payment, and accepts its webhooks, and repeats its request before it pays again',
    [subscribe(), ...lostTransfer({ key: 'first' }), advance('PT1M'), settle(), transfer({ key: 'first' }), transfer({ key: 'second' })],
    [],
  ],
  [
    'loses two payments, repeats each with its key, and then makes an equal one',
    ['61.00', '72.00'].flatMap((value) => [
      ...lostTransfer({ key: `lost ${parseInt(value)}`, value }),
      transfer({ key: `lost ${parseInt(value)}`, value }),
      transfer({ value, as: 'equal' }),
    ]),
    [{ rule: 'payment.equal', count: 2 }],
  ],
  [
    'repeats a lost payment in vain, and pays again with another key',
    [...lostTransfer({ key: 'first' }), ...lostTransfer({ key: 'first' }), transfer({ key: 'second' })],
    [{ rule: 'payment.repeated', confidence: 'LIKELY' }],
  ],
  [
    'repeats after a weekend, with its key, what was lost',
    [...lostTransfer({ key: 'first' }), advance('PT60H'), token(), transfer({ key: 'first' })],
    [{ rule: 'idempotency.retry-after-retention', money: [{ value: '25.00' }] }],
  ],
  [
    'repeats after a weekend, with its key and a new quote, what was lost',
    [
      quote(),
      loseResponse('createWithdrawal'),
      withdraw({ key: 'first', expect: 'lost' }),
      advance('PT60H'),
      token(),
      quote(),
      withdraw({ key: 'first' }),
    ],
    [{ rule: 'idempotency.retry-after-retention', money: [{ value: '150.00' }] }],
  ],
  [
    'uses an expired key for another payment after a weekend',
    [...lostTransfer({ key: 'first' }), advance('PT60H'), token(), transfer({ key: 'first', value: '26.00' })],
    [],
  ],
  [
    'announces equal deposits',
    ['61.00', '61.00', '72.00', '72.00', '83.00', '83.00'].flatMap((sourceAmount) => [
      quote({ sourceAmount }),
      ask('createDeposit', { body: { accountId: '{{account}}', quoteId: '{{quote.id}}', fundingInstruction: { rail: 'PIX_KEY' } } }),
    ]),
    [],
  ],
];

describe('the pairs of equal payments of a client', () => {
  it.each(pairs)('are judged if it %s', async (_story, script, expected) => {
    const { findings, astray } = await stage.play(client, script, true);
    expect(astray).toEqual([]);
    const ofPairs = findings.filter(({ rule }) => /^payment\.(repeated|equal)$|retention$/.test(rule));
    expect(ofPairs).toMatchObject(expected);
    expect(ofPairs).toHaveLength(expected.length);
  });

  it('name no money if the first payment fails after the second', async () => {
    const first = [quote({ sourceAmount: '150.13' }), withdraw()];
    const second = [quote({ sourceAmount: '150.13' }), withdraw({ as: 'again' })];
    const { findings } = await stage.play(client, [...first, ...second, advance('PT1M')], true);
    const equal = findings.find(({ rule }) => rule === 'payment.equal');
    expect([equal?.count, equal?.money]).toEqual([1, undefined]);
  });
});

describe('the excuse of a rule', () => {
  const cases = excuses.map(([rule, [earner, earned], [abuser, abused]]) => [rule, earner, abuser, earned, abused] as const);
  it.each(cases)('%s holds for a client that %s, and not for one that %s', async (rule, _earner, _abuser, earned, abused) => {
    const namesOf = (findings: readonly Finding[]) => findings.flatMap((each) => [each.rule, `${each.rule} ${each.confidence}`]);
    expect(namesOf(await play([...earned, end()]))).not.toContain(rule);
    expect(namesOf(await play([...abused, end()]))).toContain(rule);
  });

  it('for an unread response holds only until the client uses the id in it', async () => {
    const { world, headers, body } = await payer('used');
    const sent = (method: string, path: string, more: object | null) =>
      new Promise<Record<string, string>>((resolve, reject) => {
        const json = { 'Content-Type': 'application/json', ...headers('first') };
        const made = httpRequest(stage.url + path, { method, agent: false, headers: json }, (response) => {
          text(response).then((whole) => resolve(JSON.parse(whole) as Record<string, string>), reject);
        });
        made.on('error', reject).end(more === null ? undefined : JSON.stringify(more));
      });
    const { id } = await sent('POST', '/api/operations/transfer', body);
    await stage.control('POST', '/clock/advance', world, { by: 'PT1M' });
    await sent('GET', `/api/operations/${id}`, null);
    await sent('POST', '/api/operations/transfer', body);
    expect(rulesOf(await found(world))).toContain('idempotency.replay-as-new');
  });

  it('for a repeated key holds for a new process only', async () => {
    for (const isNew of [true, false]) {
      const { world, headers, body, request, renew } = await payer(isNew ? 'restarted' : 'continued');
      const { id } = await request('/api/operations/transfer', headers('first'), body);
      await stage.control('POST', '/clock/advance', world, { by: 'PT1M' });
      await fetch(`${stage.url}/api/operations/${id}`, { headers: { ...headers('first'), Connection: 'close' } });
      if (isNew) await renew();
      await request('/api/operations/transfer', headers('first'), body);
      expect(rulesOf(await found(world)).includes('idempotency.replay-as-new')).toBe(!isNew);
    }
  });
});
