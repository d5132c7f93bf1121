import {
  advance,
  answers,
  ask,
  control,
  end,
  injectFault,
  loseResponse,
  misdeliver,
  pass,
  quote,
  register,
  send,
  settle,
  subscribe,
  token,
  transfer,
  withdraw,
  withdrawToRegistered,
  type Script,
} from '../analysis/project/findings/script.js';

/** Marks a test, which goes on until the next mark. */
export const mark = (name: string) => control('PUT', '/test', { name });
/** Reads the operation whose response is stored under a name. */
export const readOf = (as: string) => ask('getOperation', { params: { operationId: `{{${as}.id}}` } });

const failing = injectFault('createBeneficiary', { status: 503 }, { phase: 'after_commit' });
const lostSubscription = [loseResponse('createSubscription'), subscribe({ key: 'first', expect: 'lost' })];
const times = (count: number, steps: (index: number) => Script): Script =>
  Array.from({ length: count }, (_each, index) => steps(index)).flat();
/** Pays ten times, each time with a token of which an hour minus the given time is left unused. */
const tokenEach = (after: string) =>
  times(10, (index) => [token('fresh'), transfer({ value: `${index + 31}.05`, token: 'fresh' }), advance(after)]);

const down = Array.from({ length: 12 }, () => ({ status: 500 }));
const readLog = ask('listExecutionLogs', { params: { subscriptionId: '{{subscription.id}}' } });
const refused = [quote({ sourceAmount: '150.12' }), withdraw(), advance('PT1M'), readOf('withdrawal')];
const failOnce = injectFault('createBeneficiary', { status: 503 });
const payNew = () => [advance('PT5S'), quote(), withdrawToRegistered()];

const list = (query: string, given: object = {}) => ask('listAccounts', { query, ...given });
const busy = (more: object = {}, count = 1) => injectFault('listAccounts', { status: 503, ...more }, { times: count });
/** Fails to read a list six times, with a constant wait before each retry. */
const sixReads = (fault: { status?: number; retryAfter?: string }, wait: string, given: (index: number) => object = () => ({})) => [
  busy(fault, 6),
  ...times(6, (index) => [list('limit=2', { expect: fault.status ?? 503, ...given(index) }), advance(wait)]),
];
const closing = { headers: { Connection: 'close' } };
const reset = { connectionReset: true };
/** Fails to make a payment three times, and closes the connection. Then fails three times more, with a new token and as long waits. */
const killedAfterThree = (given: object, effect: object = { status: 500 }) => {
  const attempt = (more: object) => transfer({ key: 'first', expect: 'status' in effect ? 500 : 'lost', ...given, ...more });
  const [short, middle, long] = [advance('PT0.5S'), advance('PT1S'), advance('PT2S')];
  const former = [attempt({}), short, attempt({}), middle, attempt(closing), long];
  const next = [short, middle, long].flatMap((wait) => [attempt({ token: 'renewed' }), wait]);
  const last = attempt({ token: 'renewed', expect: 2 });
  return [injectFault('createTransfer', effect, { times: 6 }), ...former, token('renewed'), ...next, last];
};
/** Fails to make a payment seven times, with a constant wait and a new token before each retry. */
const renewedEach = (given: object, effect: object = { status: 500 }) => {
  const attempt = transfer({ key: 'first', expect: 'status' in effect ? 500 : 'lost', token: 'renewed', ...given });
  return [injectFault('createTransfer', effect, { times: 7 }), ...times(7, () => [token('renewed'), attempt, advance('PT2S')])];
};
const invalid = (more: object = {}) => transfer({ value: '1.2.3', expect: 400, ...more });
const expired = [quote(), advance('PT31S')];
const slow = (count: number, delay = '2s') => injectFault('createTransfer', { delay }, { times: count });
const hasty = (timeoutMs: number, key = 'first') => transfer({ key, timeoutMs, expect: 'lost' });
const ofAsset = (asset: string) => `&filters=asset%5Beq%5D=${asset}`;
const period = (start: string, finish: string, filters = '') =>
  ask('getReport', { query: `periodStart=${start}&periodEnd=${finish}${filters}` });
const pages = [list('limit=1', { as: 'page' }), ...times(3, () => [list(`limit=1&cursor={{page.meta.nextCursor}}`)])];
const logs = (query: string, as = 'logs') => ask('listExecutionLogs', { params: { subscriptionId: '{{subscription.id}}' }, query, as });
const resend = ask('resendExecutionLog', { params: { subscriptionId: '{{subscription.id}}', executionLogId: '{{logs.data.0.id}}' } });
/** Two deliveries failed. */
const failedTwice = [
  subscribe(),
  answers({ status: 500 }, { status: 500 }, { status: 500 }),
  control('PUT', '/settings', { retry: { retries: 0, interval: '2s' } }),
  transfer(),
  transfer({ value: '26.00' }),
  settle(),
];
const pendingRead = ask('getBeneficiary', { params: { beneficiaryId: '{{pending.id}}' } });
const strange = { sourceAccountId: '{{account}}', targetAccountId: '{{otherAccount}}', reference: 'invoice 1' };

const noRetries = control('PUT', '/settings', { retry: { retries: 0, interval: '2s' } });
const deliver = (value = '25.00', given: object = {}) => [transfer({ value, ...given }), settle()];
const forged = (value: string) => [misdeliver('OPERATION_REQUESTED', { corruptSignature: true }), ...deliver(value)];
/** Subscribes an endpoint that responds to the first deliveries with the given statuses. No delivery is repeated. */
const endpoint = (...statuses: readonly number[]) => [subscribe(), noRetries, answers(...statuses.map((status) => ({ status })))];
const only = (event: string) =>
  ask('createSubscription', {
    as: 'subscription',
    body: { url: '{{receiver}}/hook', allowRetry: true, resources: [{ name: 'OPERATION', events: [event] }] },
  });
const unknownType = misdeliver('OPERATION_REQUESTED', { unknownEvent: true });
const forgedPayee = misdeliver('BENEFICIARY_PAYMENT_INSTRUCTION_CREATED', { corruptSignature: true });
const registered = (...lastNames: readonly string[]) => lastNames.flatMap((lastName) => [register({ lastName }), settle()]);
const three = ['21.00', '22.00', '23.00'].flatMap((value) => deliver(value));
/** Rejects the only event about the end of a payment, and lets time pass. */
const endRejected = (by: string) => [
  only('OPERATION_COMPLETED'),
  noRetries,
  answers({ status: 400 }),
  transfer(),
  control('POST', '/operations/{{transfer.id}}/complete', {}),
  settle(),
  advance(by),
];
/** The event OPERATION_REQUESTED arrives after that about the end, to which the endpoint responds with a status until then. */
const early = (status: number, value: string) => [
  misdeliver('OPERATION_REQUESTED', { delay: '4s' }),
  answers({ status }),
  ...deliver(value),
  control('POST', '/operations/{{transfer.id}}/complete', {}),
  settle(),
  ...times(6, () => [advance('PT2S'), settle()]),
];
const expiredPayment = (value: string) => transfer({ value, expect: 401 });
const inCents = (count: number) =>
  ['125040', '31075', '8990', '441733', '64005']
    .slice(0, count)
    .flatMap((value) => [transfer({ value }), advance('PT1M'), readOf('transfer')]);
const eachWorker = (step: (connection: string) => Script) => ['a', 'b', 'c', 'd'].flatMap((each) => step(each));

/**
 * Excuses of rules that are not about pairs: a client that earns each, and one that abuses it. The rule can be followed by the confidence
 * that the finding about the abuse must have.
 */
export const excuses: readonly [rule: string, earned: readonly [string, Script], abused: readonly [string, Script]][] = [
  [
    'idempotency.lost-response-abandoned',
    ['repeats a lost subscription with its key', [...lostSubscription, subscribe({ key: 'first' })]],
    ['repeats a lost subscription in vain', [...lostSubscription, ...lostSubscription]],
  ],
  [
    'idempotency.lost-response-abandoned',
    ['lists its subscriptions after a lost one', [...lostSubscription, ask('listSubscriptions')]],
    ['lists its subscriptions before it loses one', [ask('listSubscriptions'), ...lostSubscription]],
  ],
  [
    'idempotency.lost-response-new-key',
    [
      'registers a payee with a new key after a 503, and repeats the first request too',
      [failing, register({ key: 'first', expect: 503 }), register({ key: 'second' }), register({ key: 'first' })],
    ],
    [
      'registers a payee with a new key after a 503',
      [failing, register({ key: 'first', expect: 503 }), register({ key: 'second' }), register({ key: 'second' })],
    ],
  ],
  [
    'idempotency.key-reused',
    [
      'gets a conflict that a fault caused',
      [injectFault('createTransfer', { status: 409, code: 'IDEMPOTENCY_CONFLICT' }), transfer({ key: 'first', expect: 409 })],
    ],
    ['gets a conflict that it caused', [transfer({ key: 'first' }), transfer({ key: 'first', value: '26.00', expect: 409 })]],
  ],
  [
    'outcome.never-learned',
    ['reads the end after a report was asked for', [transfer(), advance('PT1M'), end(), readOf('transfer')]],
    ['reads the payment before its end', [transfer(), readOf('transfer'), advance('PT1M')]],
  ],
  [
    'outcome.never-learned',
    ['has had no time to learn the end', [transfer(), advance('PT3S')]],
    ['has had time to learn the end', [transfer(), advance('PT30S')]],
  ],
  [
    'outcome.never-learned',
    [
      'pays in a test that is over before the end',
      [mark('one'), transfer(), mark('two'), ask('listAccounts'), advance('PT1M'), ask('listAccounts')],
    ],
    [
      'pays in a test that goes on after another one',
      [mark('one'), transfer(), mark('two'), ask('listAccounts'), mark('one'), ask('listAccounts'), advance('PT1M'), ask('listAccounts')],
    ],
  ],
  [
    'outcome.never-learned',
    ['reads the end in the log of deliveries', [subscribe(), answers(...down), transfer(), advance('PT1M'), settle(), readLog]],
    ['reads the log before the end', [subscribe(), answers(...down), transfer(), settle(), readLog, advance('PT1M'), settle()]],
  ],
  [
    'payment.after-final-refusal',
    [
      'pays an equal amount in another test after a refusal',
      [mark('one'), ...refused, mark('two'), quote({ sourceAmount: '150.12' }), withdraw()],
    ],
    ['pays an equal amount in the same test after a refusal', [mark('one'), ...refused, quote({ sourceAmount: '150.12' }), withdraw()]],
  ],
  [
    'beneficiary.recreated',
    [
      'registers a payee again because the first registration failed',
      [failOnce, register({ expect: 503 }), register(), ...payNew(), ...payNew()],
    ],
    ['registers a payee again although it paid it before', [register(), ...payNew(), register(), ...payNew()]],
  ],
  [
    'token.per-request',
    ['requests a token when the one before has almost expired', tokenEach('PT59M')],
    ['requests a token for each payment', tokenEach('PT1M')],
  ],
  [
    'retry.no-backoff',
    ['waits constantly, as Retry-After asks', sixReads({ retryAfter: '2s' }, 'PT2S')],
    ['waits constantly', sixReads({ status: 500 }, 'PT2S')],
  ],
  [
    'retry.no-backoff',
    ['waits constantly for more than half a minute', sixReads({ status: 500 }, 'PT31S')],
    ['waits constantly for less than half a minute', sixReads({ status: 500 }, 'PT29S')],
  ],
  [
    'retry.no-backoff',
    ['is killed after three failures, and begins its waits again with a new token', killedAfterThree({})],
    ['has a new token for each of its constant waits', renewedEach({})],
  ],
  [
    'retry.no-backoff',
    ['closes its connections, is killed after three failures, and begins its waits again', killedAfterThree(closing)],
    ['closes its connections, and has a new token for each of its constant waits', renewedEach(closing)],
  ],
  [
    'retry.no-backoff',
    ['loses three connections, is killed, and begins its waits again', killedAfterThree({}, reset)],
    ['loses its connections, and has a new token for each of its constant waits', renewedEach({}, reset)],
  ],
  [
    'retry.no-backoff',
    ['sends the same read from six workers', sixReads({ status: 500 }, 'PT2S', (index) => ({ connection: `worker ${index}` }))],
    ['sends the same read from one worker', sixReads({ status: 500 }, 'PT2S', () => ({ connection: 'worker' }))],
  ],
  [
    'retry.no-backoff',
    [
      'gets a response after every three failures',
      times(3, () => [busy({ status: 500 }, 3), ...times(3, () => [list('limit=2', { expect: 500 }), advance('PT2S')]), list('limit=2')]),
    ],
    ['gets a response after six failures', [...sixReads({ status: 500 }, 'PT2S'), list('limit=2')]],
  ],
  [
    'retry.too-early',
    [
      'reads a list that a worker with another token may not read yet',
      [token('own', 'b'), busy({ retryAfter: '5s' }), list('', { expect: 503 }), list('', { token: 'own', connection: 'b' })],
    ],
    [
      'reads a list with another token that it may not read yet',
      [token('own', 'b'), busy({ retryAfter: '5s' }), list('', { expect: 503 }), list('', { token: 'own' })],
    ],
  ],
  [
    'retry.too-early',
    [
      'reads a list again while another worker uses its token',
      [busy({ retryAfter: '5s' }), list('', { expect: 503 }), list('limit=1', { connection: 'b' }), list('')],
    ],
    [
      'reads a list again while it also reads another one',
      [busy({ retryAfter: '5s' }), list('', { expect: 503 }), list('limit=1'), list('')],
    ],
  ],
  [
    'retry.not-retryable',
    ['forgets the key three times', times(3, () => [transfer({ headers: { 'X-Idempotency-Key': '' }, expect: 400 })])],
    ['sends an invalid amount three times', times(3, () => [invalid()])],
  ],
  [
    'retry.not-retryable',
    ['sends an invalid amount in each of three tests', times(3, (index) => [mark(`test ${index}`), invalid()])],
    ['sends an invalid amount three times in one test', [mark('test'), ...times(3, () => [invalid()])]],
  ],
  [
    'retry.not-retryable',
    ['sends an invalid amount every five minutes', times(3, () => [invalid(), pass(301_000)])],
    ['sends an invalid amount every four minutes', times(3, () => [invalid(), pass(240_000)])],
  ],
  [
    'timeout.too-short',
    ['gives up each of three slow payments at another time', [slow(3), hasty(100), hasty(400), hasty(1000)]],
    ['gives up three slow payments after about the same time', [slow(3), hasty(200), hasty(240), hasty(200)]],
  ],
  [
    'timeout.too-short',
    ['gives up in each of three tests', [slow(3), ...times(3, (index) => [mark(`test ${index}`), hasty(200, `key ${index}`)])]],
    ['gives up three times in one test', [slow(3), mark('test'), ...times(3, (index) => [hasty(200, `key ${index}`)])]],
  ],
  [
    'timeout.too-short',
    [
      'gives up with a new token each time',
      [slow(3), ...times(3, (index) => [token('own'), transfer({ key: `key ${index}`, token: 'own', timeoutMs: 200, expect: 'lost' })])],
    ],
    ['gives up with one token', [slow(3), ...times(3, (index) => [hasty(200, `key ${index}`)])]],
  ],
  [
    'personal.in-url',
    ['has eleven digits that are no tax id in a path', [send('GET', '/api/accounts/31415926591', { expect: 404 })]],
    ['has a tax id in a path', [send('GET', '/api/accounts/31415926590', { expect: 404 })]],
  ],
  [
    'request.unknown-field',
    [
      'sends an unknown field in a request that is rejected',
      [ask('createTransfer', { body: { ...strange, amount: { value: '1.2.3', asset: 'BRL' } }, expect: 400 })],
    ],
    [
      'sends an unknown field in a request that is carried out',
      [ask('createTransfer', { body: { ...strange, amount: { value: '25.00', asset: 'BRL' } } })],
    ],
  ],
  [
    'request.unknown-parameter',
    ['filters a list that it cannot get', [busy(), list('status=ACTIVE', { expect: 503 })]],
    ['filters a list that it gets', [list('status=ACTIVE')]],
  ],
  [
    'request.unknown-parameter',
    ['adds a parameter against caches', [list('_status=1732190400')]],
    ['adds a parameter with the name of a field', [list('status=1732190400')]],
  ],
  [
    'request.unknown-route',
    [
      'gets an error that a fault caused',
      [injectFault('listAccounts', { status: 404, code: 'ROUTE_NOT_FOUND' }), list('', { expect: 404 })],
    ],
    ['gets an error that it caused', [send('GET', '/api/acounts', { expect: 404 })]],
  ],
  [
    'request.unknown-route',
    ['asks if the service is running', [send('HEAD', '/api/acounts', { expect: 404 })]],
    ['asks for accounts', [send('GET', '/api/acounts', { expect: 404 })]],
  ],
  [
    'request.unknown-version',
    [
      'names a version at a path that does not exist',
      [send('GET', '/api/health', { headers: { 'X-Service-Version': '99' }, expect: 404 })],
    ],
    ['names a version at a path that exists', [ask('listAccounts', { headers: { 'X-Service-Version': '99' } })]],
  ],
  [
    'state.known-status-ignored',
    ['pays a payee at once after another worker has read it', [quote(), pendingRead, withdraw({ to: 'pending', expect: 422 })]],
    ['pays a payee a second after it has read it', [quote(), pendingRead, pass(1100), withdraw({ to: 'pending', expect: 422 })]],
  ],
  [
    'state.known-status-ignored',
    [
      'uses the quote of a lost payment again',
      [quote(), loseResponse('createWithdrawal'), withdraw({ key: 'first', expect: 'lost' }), pass(1100), withdraw({ expect: 422 })],
    ],
    ['uses the quote of a payment again', [quote(), withdraw(), pass(1100), withdraw({ expect: 422 })]],
  ],
  [
    'state.known-status-ignored',
    [
      'repeats the request that was rejected before it read the status',
      [
        quote(),
        withdraw({ key: 'first', to: 'pending', expect: 422 }),
        pendingRead,
        pass(1100),
        withdraw({ key: 'first', to: 'pending', expect: 422 }),
      ],
    ],
    [
      'sends another request after it has read the status',
      [
        quote(),
        withdraw({ key: 'first', to: 'pending', expect: 422 }),
        pendingRead,
        pass(1100),
        withdraw({ key: 'second', to: 'pending', expect: 422 }),
      ],
    ],
  ],
  [
    'quote.expired-retried',
    ['repeats a request with an expired quote with its key', [...expired, ...times(2, () => [withdraw({ key: 'first', expect: 422 })])]],
    ['repeats a request with an expired quote with other keys', [...expired, ...times(2, () => [withdraw({ expect: 422 })])]],
  ],
  [
    'quote.expired-retried',
    [
      'uses a quote again that a fault called expired',
      [quote(), injectFault('createWithdrawal', { status: 422, code: 'QUOTE_EXPIRED' }), withdraw({ expect: 422 }), withdraw()],
    ],
    ['uses a quote again that is expired', [...expired, withdraw({ expect: 422 }), withdraw({ expect: 422 })]],
  ],
  [
    'quote.expired-retried',
    [
      'uses an expired quote again because it got no response',
      [...expired, loseResponse('createWithdrawal'), withdraw({ expect: 'lost' }), withdraw({ expect: 422 })],
    ],
    [
      'uses an expired quote again after no response, and after one',
      [...expired, loseResponse('createWithdrawal'), withdraw({ expect: 'lost' }), ...times(2, () => [withdraw({ expect: 422 })])],
    ],
  ],
  [
    'response.unknown-fields',
    [
      'repeats a request that was rejected with unknown fields',
      [
        ...expired,
        injectFault('createWithdrawal', { unknownFields: true }, { phase: 'after_commit' }),
        ...times(2, () => [withdraw({ key: 'first', expect: 422 })]),
      ],
    ],
    [
      'repeats a payment whose response had unknown fields',
      [injectFault('createTransfer', { unknownFields: true }, { phase: 'after_commit' }), ...times(2, () => [transfer({ key: 'first' })])],
    ],
  ],
  [
    'page.loop',
    [
      'reads the second page three times, and then the third',
      [...pages, list('limit=1&cursor={{page.meta.nextCursor}}', { as: 'second' }), list('limit=1&cursor={{second.meta.nextCursor}}')],
    ],
    [
      'reads the second page four times, and then the first',
      [...pages, list('limit=1&cursor={{page.meta.nextCursor}}', { as: 'second' }), list('limit=1')],
    ],
  ],
  [
    'page.first-only',
    [
      'sends the failed deliveries of a page again, and reads the next',
      [...failedTwice, logs('limit=1'), resend, logs('limit=1&cursor={{logs.meta.nextCursor}}', 'next')],
    ],
    [
      'sends the failed deliveries of a page again, and reads it again',
      [...failedTwice, logs('limit=1'), resend, logs('limit=1', 'again')],
    ],
  ],
  [
    'report.gap',
    [
      'skips an hour between two reports',
      [period('2026-11-01T00:00:00Z', '2026-11-01T23:00:00Z'), period('2026-11-02T00:00:00Z', '2026-11-03T00:00:00Z')],
    ],
    [
      'skips a second between two reports',
      [period('2026-11-01T00:00:00Z', '2026-11-01T23:59:59Z'), period('2026-11-02T00:00:00Z', '2026-11-03T00:00:00Z')],
    ],
  ],
  [
    'report.gap',
    [
      'skips a second between reports of different assets',
      [
        period('2026-11-01T00:00:00Z', '2026-11-01T23:59:59Z', ofAsset('BRL')),
        period('2026-11-02T00:00:00Z', '2026-11-03T00:00:00Z', ofAsset('USD')),
      ],
    ],
    [
      'skips a second between reports of one asset',
      [
        period('2026-11-01T00:00:00Z', '2026-11-01T23:59:59Z', ofAsset('BRL')),
        period('2026-11-02T00:00:00Z', '2026-11-03T00:00:00Z', ofAsset('BRL')),
      ],
    ],
  ],
  [
    'report.gap',
    [
      'skips a second between periods of a minute',
      [period('2026-11-01T00:00:00Z', '2026-11-01T00:01:00Z'), period('2026-11-01T00:01:01Z', '2026-11-01T00:02:01Z')],
    ],
    [
      'skips a second between periods of two minutes',
      [period('2026-11-01T00:00:00Z', '2026-11-01T00:02:00Z'), period('2026-11-01T00:02:01Z', '2026-11-01T00:04:01Z')],
    ],
  ],
  [
    'report.local-time',
    ['asks for a period that ends at a full minute, three hours ago', [period('2026-11-20T09:00:00Z', '2026-11-21T09:00:00Z')]],
    ['asks for a period that ends at its local time', [advance('PT13S'), period('2026-11-20T09:00:13Z', '2026-11-21T09:00:13Z')]],
  ],
  [
    'report.local-time',
    ['asks for a period that ended fifteen hours ago', [advance('PT13S'), period('2026-11-20T09:00:13Z', '2026-11-20T21:00:13Z')]],
    ['asks for a period that ended fourteen hours ago', [advance('PT13S'), period('2026-11-20T09:00:13Z', '2026-11-20T22:00:13Z')]],
  ],
  [
    'page.wrong-scope',
    [
      'changes the order and asks for too many items',
      [list('limit=1', { as: 'page' }), list('limit=1000&sortOrder=ASCENDING&cursor={{page.meta.nextCursor}}', { expect: 400 })],
    ],
    [
      'changes the order',
      [list('limit=1', { as: 'page' }), list('limit=1&sortOrder=ASCENDING&cursor={{page.meta.nextCursor}}', { expect: 400 })],
    ],
  ],
  [
    'webhook.none-accepted',
    [
      'rejects a forged webhook',
      [misdeliver('OPERATION_REQUESTED', { corruptSignature: true }), ...endpoint(401), ...deliver(), advance('PT1M'), readOf('transfer')],
    ],
    ['rejects a genuine webhook', [...endpoint(401), ...deliver(), advance('PT1M'), readOf('transfer')]],
  ],
  [
    'webhook.none-accepted',
    ['is down for one event about an end', [...endpoint(200, 503), ...deliver(), advance('PT1M'), settle()]],
    ['rejects one event about an end', [...endpoint(200, 400), ...deliver(), advance('PT1M'), settle()]],
  ],
  [
    'webhook.none-accepted',
    ['has rejected an end less than five seconds ago', endRejected('PT4S')],
    ['has rejected an end more than five seconds ago', endRejected('PT6S')],
  ],
  [
    'webhook.none-accepted',
    ['unsubscribes the endpoint that rejects an end', [...endRejected('PT1M'), control('DELETE', '/subscriptions/{{subscription.id}}')]],
    ['leaves the endpoint subscribed that rejects an end', endRejected('PT1M')],
  ],
  [
    'webhook.none-accepted',
    [
      'rejects an event that will be sent again',
      [
        subscribe(),
        control('PUT', '/settings', { retry: { retries: 3, interval: '1h' } }),
        answers({ status: 400 }),
        ...deliver(),
        advance('PT1M'),
      ],
    ],
    ['rejects an event that will not be sent again', [...endpoint(400), ...deliver(), advance('PT1M')]],
  ],
  [
    'webhook.genuine-refused',
    ['rejects two webhooks', [...endpoint(401, 401), ...deliver(), ...deliver('26.00')]],
    ['rejects three webhooks', [...endpoint(401, 401, 401), ...three]],
  ],
  [
    'webhook.genuine-refused',
    ['rejects three webhooks after it has accepted one', [...endpoint(200, 401, 401, 401), ...deliver(), ...three]],
    ['rejects three webhooks after it has accepted a forged one', [...endpoint(200, 401, 401, 401), ...forged('20.00'), ...three]],
  ],
  [
    'webhook.event-refused',
    ['accepts the first event of a type that it rejects later', [...endpoint(200, 404, 404), ...three, advance('PT1M')]],
    ['is down for the first event of a type that it rejects later', [...endpoint(503, 404, 404), ...three, advance('PT1M')]],
  ],
  [
    'webhook.event-refused',
    ['rejects one event of a type', [...endpoint(404), ...deliver(), advance('PT1M'), settle()]],
    ['rejects two events of a type', [...endpoint(404, 404), ...deliver(), ...deliver('26.00'), advance('PT1M'), settle()]],
  ],
  [
    'webhook.event-refused',
    ['rejects two events because of their sender', [...endpoint(401, 401), ...deliver(), ...deliver('26.00'), advance('PT1M'), settle()]],
    ['rejects two events because of their type', [...endpoint(404, 404), ...deliver(), ...deliver('26.00'), advance('PT1M'), settle()]],
  ],
  [
    'webhook.event-refused',
    ['rejects all events', [...endpoint(404, 404, 404, 404), ...deliver(), ...deliver('26.00'), advance('PT1M'), settle()]],
    ['rejects the events of one type', [...endpoint(404, 404), ...deliver(), ...deliver('26.00'), advance('PT1M'), settle()]],
  ],
  [
    'webhook.unknown-type-refused',
    ['is overloaded when an event of an unknown type arrives', [unknownType, ...endpoint(200, 503), ...deliver()]],
    ['fails when an event of an unknown type arrives', [unknownType, ...endpoint(200, 500), ...deliver()]],
  ],
  [
    'webhook.unknown-type-refused',
    [
      'accepts an event of an unknown type when it is sent again',
      [unknownType, subscribe(), answers({ status: 200 }, { status: 400 }), ...deliver(), advance('PT10S'), settle()],
    ],
    [
      'accepts the next event of an unknown type',
      [unknownType, ...endpoint(200, 400), ...deliver(), misdeliver('OPERATION_REQUESTED', { unknownEvent: true }), ...deliver('26.00')],
    ],
  ],
  [
    'webhook.duplicate-failed',
    [
      'is overloaded when a message arrives again',
      [misdeliver('OPERATION_REQUESTED', { duplicate: 1 }), ...endpoint(200, 503), ...deliver(), ...deliver('26.00')],
    ],
    [
      'rejects a message that arrives again',
      [misdeliver('OPERATION_REQUESTED', { duplicate: 1 }), ...endpoint(200, 409), ...deliver(), ...deliver('26.00')],
    ],
  ],
  [
    'webhook.order-dependent',
    ['is busy once when an event arrives early', [subscribe(), ...early(503, '21.00')]],
    ['is busy each time an event arrives early', [subscribe(), ...['21.00', '22.00'].flatMap((value) => early(503, value))]],
  ],
  [
    'webhook.order-dependent',
    [
      'is busy twice when an event arrives early, and accepts another early one',
      [subscribe(), ...early(200, '20.00'), ...['21.00', '22.00'].flatMap((value) => early(503, value))],
    ],
    ['rejects an event that arrives early, and accepts another early one', [subscribe(), ...early(200, '20.00'), ...early(409, '21.00')]],
  ],
  [
    'webhook.slow',
    ['takes six seconds to fail', [subscribe(), noRetries, answers({ status: 500, afterMs: 6000 }), ...deliver()]],
    ['takes six seconds to accept', [subscribe(), noRetries, answers({ status: 200, afterMs: 6000 }), ...deliver()]],
  ],
  [
    'webhook.reserialised',
    [
      'rejects two names with accents, and accepts a third one',
      [...endpoint(200, 200, 401, 401), ...registered('Souza', 'Lima', 'Falcão', 'Inês', 'Conceição')],
    ],
    [
      'rejects two names with accents, and accepts one without',
      [...endpoint(200, 200, 401, 401), ...registered('Souza', 'Lima', 'Falcão', 'Inês', 'Prado')],
    ],
  ],
  [
    'webhook.reserialised',
    [
      'responds 400 to the only events with accents, whose type it never accepts',
      [...registered('Souza', 'Lima'), ...endpoint(200, 200, 400, 400), advance('PT3S'), settle(), ...registered('Falcão', 'Inês')],
    ],
    [
      'responds 400 to the events with accents, whose type it accepts without them',
      [...endpoint(200, 200, 400, 400), ...registered('Souza', 'Lima', 'Falcão', 'Inês')],
    ],
  ],
  [
    'webhook.reserialised',
    ['is down for two names with accents', [...endpoint(200, 200, 503, 503), ...registered('Souza', 'Lima', 'Falcão', 'Inês')]],
    ['distrusts two names with accents', [...endpoint(200, 200, 403, 403), ...registered('Souza', 'Lima', 'Falcão', 'Inês')]],
  ],
  [
    'webhook.reserialised',
    [
      'rejects two forged events with accents',
      [
        ...endpoint(200, 200, 401, 401),
        ...registered('Souza', 'Lima'),
        ...['Falcão', 'Inês'].flatMap((each) => [forgedPayee, ...registered(each)]),
      ],
    ],
    [
      'rejects two genuine events with accents',
      [...endpoint(200, 200, 401, 401), ...registered('Souza', 'Lima'), ...registered('Falcão', 'Inês')],
    ],
  ],
  [
    'webhook.duplicate-subscription',
    ['subscribes a URL to the two ends in turn', [only('OPERATION_COMPLETED'), only('OPERATION_FAILED')]],
    ['subscribes a URL to one end twice', [only('OPERATION_COMPLETED'), only('OPERATION_COMPLETED')]],
  ],
  [
    'webhook.bad-signature-accepted CERTAIN',
    ['rejects one of three forged webhooks', [...endpoint(401), ...['21.00', '22.00', '23.00'].flatMap(forged)]],
    ['is down for one of three forged webhooks', [...endpoint(503), ...['21.00', '22.00', '23.00'].flatMap(forged)]],
  ],
  [
    'webhook.bad-signature-accepted CERTAIN',
    [
      'accepts a genuine webhook, and rejects one of three forged ones',
      [...endpoint(200, 200, 404), ...deliver(), ...['21.00', '22.00', '23.00'].flatMap(forged)],
    ],
    [
      'rejects a genuine webhook like one of three forged ones',
      [...endpoint(404, 404), ...deliver(), ...['21.00', '22.00', '23.00'].flatMap(forged)],
    ],
  ],
  [
    'token.expired-reused',
    [
      'sends a request three times while it waits for a token',
      [
        advance('PT61M'),
        ...times(3, () => [token('fresh'), transfer({ key: 'first', expect: 401 })]),
        transfer({ key: 'first', token: 'fresh' }),
      ],
    ],
    [
      'requests five tokens, and does not use them',
      [advance('PT61M'), ...times(5, () => [token('fresh'), transfer({ key: 'first', expect: 401 })])],
    ],
  ],
  [
    'token.stampede',
    [
      'requests tokens in four workers, each after a second',
      [...eachWorker((connection) => [list('', { connection })]), ...eachWorker((connection) => [token('token', connection), pass(1100)])],
    ],
    [
      'requests tokens in four workers within a second',
      [...eachWorker((connection) => [list('', { connection })]), ...eachWorker((connection) => [token('token', connection), pass(100)])],
    ],
  ],
  [
    'token.per-request',
    ['requests a token in each of five tests', times(5, (index) => [mark(`test ${index}`), token(), list('')])],
    ['requests a token for each of five requests of a test', times(5, () => [mark('test'), token(), list('')])],
  ],
  [
    'secret.sent-elsewhere',
    ['has the secret in the URL of a subscription, which another rule reports', [subscribe({ at: '/hook?secret={{clientSecret}}' })]],
    [
      'sends the secret with a subscription',
      [ask('createSubscription', { body: { url: '{{receiver}}/hook', includeAll: true, allowRetry: true, secret: '{{clientSecret}}' } })],
    ],
  ],
  [
    'secret.sent-elsewhere',
    [
      'sends the secret in a header of a token request',
      [
        ask('createToken', {
          token: null,
          headers: { 'X-Secret': '{{clientSecret}}' },
          body: { clientId: '{{clientId}}', clientSecret: '{{clientSecret}}' },
        }),
      ],
    ],
    ['sends the secret in a header of another request', [list('', { headers: { 'X-Secret': '{{clientSecret}}' } })]],
  ],
  [
    'money.float-artefact',
    ['sends a third with six decimals', [transfer({ value: '33.333333', expect: 400 })]],
    ['sends a third with all digits of a float', [transfer({ value: '33.333333333333336', expect: 400 })]],
  ],
  [
    'money.locale',
    ['sends a version number as an amount', [invalid()]],
    ['groups the digits of an amount', [transfer({ value: '1.234.567', expect: 400 })]],
  ],
  [
    'money.minor-units',
    [
      'pays large whole amounts with a quote that has a decimal point',
      ['1251.00', '3107.00', '8993.00', '4417.00', '6401.00'].flatMap((sourceAmount) => [quote({ sourceAmount }), withdraw()]),
    ],
    ['pays in cents, and shows a price with a decimal point', [quote({ sourceAmount: '1.50' }), ...inCents(5)]],
  ],
  ['money.minor-units', ['pays four large whole amounts', inCents(4)], ['pays five large whole amounts', inCents(5)]],
  [
    'payment.never-made',
    ['pays once with an expired token', [advance('PT61M'), expiredPayment('21.00')]],
    ['pays twice with an expired token', [advance('PT61M'), expiredPayment('21.00'), expiredPayment('22.00')]],
  ],
  [
    'payment.never-made',
    [
      'makes with a new token and new keys what it could not pay with an expired one',
      [
        advance('PT61M'),
        expiredPayment('21.00'),
        expiredPayment('22.00'),
        token(),
        transfer({ value: '21.00' }),
        transfer({ value: '22.00' }),
      ],
    ],
    [
      'makes with a new token only one of two payments',
      [advance('PT61M'), expiredPayment('21.00'), expiredPayment('22.00'), token(), transfer({ value: '23.00' })],
    ],
  ],
  [
    'payment.after-final-refusal',
    [
      'pays an equal amount after an event about a lost payment',
      [
        subscribe(),
        quote({ sourceAmount: '150.12' }),
        loseResponse('createWithdrawal'),
        withdraw({ expect: 'lost' }),
        advance('PT1M'),
        settle(),
        quote({ sourceAmount: '150.12' }),
        withdraw(),
      ],
    ],
    [
      'pays an equal amount after an event about a payment',
      [
        subscribe(),
        quote({ sourceAmount: '150.12' }),
        withdraw(),
        advance('PT1M'),
        settle(),
        quote({ sourceAmount: '150.12' }),
        withdraw(),
      ],
    ],
  ],
  [
    'beneficiary.recreated',
    ['registers a payee in each of two tests', ['one', 'two'].flatMap((name) => [mark(name), register(), ...payNew()])],
    ['registers a payee twice in one test', ['one', 'one'].flatMap((name) => [mark(name), register(), ...payNew()])],
  ],
];
