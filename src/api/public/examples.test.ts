import { eventTypes } from '../../contract/shared/event-types.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventSchemas } from '../../contract/public/events.js';
import type { TestResponse, CallOptions } from '../../testing/calls.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdrawalBody } from '../../testing/withdrawals.js';
import { companyRequest, createAccount, files, individualRequest, uboRequest, uploadForm } from '../../testing/onboarding.js';
import {
  committedExamples,
  expectErrors,
  isRecording,
  storeExample,
  outlineOf,
  readExamples,
  shownExamples,
  shownErrors,
  type Examples,
  type Recorded,
} from '../../testing/recorded-examples.js';

/** `npm run examples` records the responses below as examples for the document. Committed examples need the structure, not the values. */

const harness = useHarness();
const operations: Record<string, Recorded> = {};
const errors: Record<string, unknown> = {};
const events: Record<string, unknown> = {};
/** Requests that cause each error of each operation, by code. */
const provoke: Record<string, Record<string, () => Promise<TestResponse>>> = {};

const absent = '0b6f4a3e-5d0c-4d7e-9a51-6d2f8a4c1e77';
const key = '0d5ab5a2-1f0c-4a52-8d5c-6f0a7a3f9e21';
const post = (at: string, body?: unknown, options: CallOptions = {}) => harness.api('POST', at, { body, ...options });
const get = (at: string) => harness.api('GET', at);
const filtered = (at: string, filters: string) => get(`${at}${at.includes('?') ? '&' : '?'}filters=${encodeURIComponent(filters)}`);
const force = async (at: string) => expect((await harness.control('POST', at)).status).toBe(200);
const advance = (by: string) => harness.control('POST', '/clock/advance', { by });
/** Uploads a document with a valid file; null for no file. */
const upload = (body: unknown, content: Uint8Array | null = files.pdf) =>
  post('/api/documents', uploadForm(body, content && { content, name: 'articles-of-association.pdf' }));

const record = (operationId: string, answer: Promise<TestResponse>, request?: unknown) =>
  storeExample(operations, operationId, answer, request);

/** Sends a POST request and records its body and response as an example. */
const recordPost = (operationId: string, at: string, request: unknown) => record(operationId, post(at, request), request);

beforeAll(async () => {
  const [accountId = '', otherId = '', individualId = '', onboardingId = ''] = fixtureIds(harness).accountIds;
  const { approved } = fixtureIds(harness);

  const credentials = { clientId: 'sandbox', clientSecret: 'sandbox-secret' };
  const token = await recordPost('createToken', '/api/oauth/client/token', credentials);
  token.accessToken = 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln';
  const jwks = await record('getJwks', get('/.well-known/jwks.json'));
  // The key is random. The committed one stays, so that recording again changes nothing.
  const { n, kid } = (readExamples('public').operations['getJwks']!.response as Json).keys[0];
  Object.assign(jwks.keys[0], { n, kid });

  const subscription = await recordPost('createSubscription', '/api/subscriptions', {
    url: 'https://hooks.example.com/crossborder',
    includeAll: false,
    resources: [{ name: 'OPERATION', events: ['OPERATION_COMPLETED', 'OPERATION_FAILED'] }, { name: 'BENEFICIARY' }],
    allowRetry: true,
  });
  await post('/api/subscriptions', { url: 'http://localhost:9000/', includeAll: true });
  await record('getSubscription', get(`/api/subscriptions/${subscription.id}`));
  await record('listSubscriptions', get('/api/subscriptions?limit=1&sortOrder=ASCENDING'));

  const company = companyRequest({ incorporateDate: '2014-03-10' }, [{ code: 'BRL', isVirtual: true }, { code: 'USDC' }]);
  const account = await recordPost('createAccount', '/api/accounts', company);
  const ubos = `/api/accounts/${account.id}/ubos`;
  const ubo = await recordPost('createUbo', ubos, uboRequest());
  const contact = { phone: '+55 48 3333-0101', ownershipPercentage: 75 };
  await record('updateUbo', harness.api('PATCH', `${ubos}/${ubo.id}`, { body: contact }), contact);
  await record('getUbo', get(`${ubos}/${ubo.id}`));
  const articles = { documentType: 'ARTICLES_OF_ASSOCIATION', holder: { type: 'ACCOUNT', referenceId: account.id } };
  const file = 'The bytes of a PDF, PNG or JPEG.';
  await record('uploadDocument', upload(articles), { body: articles, file });
  await record('listAccounts', filtered('/api/accounts?limit=1', 'currentState.status[eq]=ACTION_REQUIRED;owner.type[eq]=COMPANY'));
  await record(
    'listFundingInstructions',
    filtered(`/api/accounts/${accountId}/fundingInstructions?sortOrder=ASCENDING`, 'asset[in]=BRL|USD'),
  );

  const payee = await recordPost('createBeneficiary', '/api/beneficiaries', pixBeneficiary());
  await post('/api/beneficiaries', pixBeneficiary({ lastName: 'Rejected' }));
  await advance('PT2S');
  await record('getBeneficiary', get(`/api/beneficiaries/${payee.id}`));

  const conversion = { accountId, sourceAsset: 'USD', targetAsset: 'BRL', sourceAmount: '100.00' };
  const quoteOf = async (changes: Record<string, string> = {}) => {
    const { body } = await post('/api/quotes', { ...conversion, ...changes });
    return body.id as string;
  };
  const quote = await recordPost('createQuote', '/api/quotes', conversion);
  const withdrawal = await recordPost('createWithdrawal', '/api/operations/withdrawal', withdrawalBody(accountId, quote.id, payee));
  const amount = { value: '1500.00', asset: 'BRL' };
  const transfer = { sourceAccountId: accountId, targetAccountId: otherId, amount };
  await recordPost('createTransfer', '/api/operations/transfer', transfer);
  await recordPost('createSwap', '/api/operations/swap', { accountId, quoteId: await quoteOf() });
  const fundingInstruction = { rail: 'PIX_KEY' };
  const paidIn = await quoteOf({ sourceAsset: 'BRL', sourceAmount: '2500.00' });
  await recordPost('createDeposit', '/api/operations/deposit', { accountId, quoteId: paidIn, fundingInstruction });
  const failing = await quoteOf({ sourceAsset: 'BRL', sourceAmount: '80.13' });
  await post('/api/operations/withdrawal', withdrawalBody(accountId, failing, payee));
  await harness.control('POST', `/accounts/${account.id}/activate`);
  await advance('PT10S');
  await record('getOperation', get(`/api/operations/${withdrawal.id}`));
  const logs = `/api/subscriptions/${subscription.id}/executionLogs`;
  const { data } = await record('listExecutionLogs', filtered(`${logs}?limit=1`, 'eventType[eq]=OPERATION_COMPLETED'));
  await record('getExecutionLog', get(`${logs}/${data[0].id}`));
  const report = '/api/reports?periodStart=2026-11-21T00:00:00Z&periodEnd=2026-11-22T00:00:00Z';
  await record('getReport', get(report));
  for (const { headers, body } of harness.attempts) {
    const payload = JSON.parse(body);
    const type = headers['x-event-type']!;
    if (payload.id === withdrawal.id || !type.startsWith('OPERATION') || type === 'OPERATION_FAILED') events[type] ??= payload;
  }
  harness.receive = () => Promise.resolve({ httpStatus: 500, error: null });
  await post('/api/beneficiaries', pixBeneficiary());
  await harness.quiet();
  harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
  const [failed] = (await filtered(logs, 'status[eq]=FAILED')).body.data;
  await record('resendExecutionLog', post(`${logs}/${failed.id}/resend`));

  const expired = await quoteOf({ targetAsset: 'USD' });
  await harness.control('POST', `/quotes/${expired}/expire`);
  const other = await quoteOf({ accountId: otherId, sourceAsset: 'EUR', targetAsset: 'BRL' });
  const onboarding = await quoteOf({ accountId: onboardingId, sourceAsset: 'BRL', targetAsset: 'USDC' });
  const disabled = await quoteOf({ sourceAsset: 'SEK', targetAsset: 'NOK' });
  const forDollars = await quoteOf({ sourceAsset: 'BRL', targetAsset: 'USD' });
  const forReais = await quoteOf();
  const forSameAsset = await quoteOf({ sourceAsset: 'BRL' });
  const { pending } = fixtureIds(harness);
  await force(`/beneficiaries/${approved.id}/reject`);
  const { id: modifiable } = await createAccount(harness, 'default', companyRequest());
  const { id: rejectedId } = await createAccount(harness, 'default', companyRequest());
  const owners = `/api/accounts/${modifiable}/ubos`;
  const addTo = (at: string, changes: Record<string, unknown> = {}) => post(at, uboRequest(changes));
  const second = { taxId: { type: 'CPF', value: '236.067.977-53' }, ownershipPercentage: 40 };
  const { body: first } = await addTo(owners);
  const { body: next } = await addTo(owners, second);
  const third = { taxId: { type: 'CPF', value: '316.227.766-31' } };
  const { body: gone } = await addTo(`/api/accounts/${rejectedId}/ubos`);
  await force(`/accounts/${rejectedId}/reject`);
  await force(`/ubos/${first.id}/approve`);
  const { id: person } = await createAccount(harness, 'default', individualRequest());
  const change = (at: string, body: Record<string, unknown>) => harness.api('PATCH', at, { body });
  const withdraw = (quoteId: string, of = payee, from = accountId) => post('/api/operations/withdrawal', withdrawalBody(from, quoteId, of));
  const swap = (quoteId: string, from = accountId) => post('/api/operations/swap', { accountId: from, quoteId });
  const deposit = (quoteId: string, rail = 'PIX_KEY', from = accountId) =>
    post('/api/operations/deposit', { accountId: from, quoteId, fundingInstruction: { rail } });
  const move = (changes: Record<string, unknown>) => post('/api/operations/transfer', { ...transfer, ...changes });
  const inline = { type: 'INLINE', holder: pixBeneficiary().holder };
  const quoteRefusals = (use: (quoteId: string, from?: string) => Promise<TestResponse>) => ({
    INVALID_DATA: () => use('6327245c'),
    RESOURCE_NOT_FOUND: () => use(absent),
    QUOTE_EXPIRED: () => use(expired),
    QUOTE_ACCOUNT_MISMATCH: () => use(other),
    QUOTE_ALREADY_CONSUMED: () => use(quote.id),
    ACCOUNT_NOT_ACTIVE: () => use(onboarding, onboardingId),
    ASSET_NOT_ENABLED: () => use(disabled),
  });
  const listRefusals = (at: string) => ({
    INVALID_DATA: () => get(`${at}?limit=500&sortOrder=NEWEST`),
    INVALID_FILTER_FORMAT: () => filtered(at, 'createdAt[gte'),
  });
  const proof = { documentType: 'PROOF_OF_ADDRESS', holder: articles.holder };
  Object.assign(provoke, {
    getJwks: { METHOD_NOT_ALLOWED: () => post('/.well-known/jwks.json') },
    createToken: {
      INVALID_DATA: () => post('/api/oauth/client/token', { clientId: 'sandbox' }),
      INVALID_CREDENTIALS: () => post('/api/oauth/client/token', { ...credentials, clientSecret: 'wrong' }),
    },
    createAccount: {
      INVALID_DATA: () => post('/api/accounts', companyRequest({ taxId: { type: 'CNPJ', value: '42.273.345/0001-68' } }, [])),
    },
    listAccounts: listRefusals('/api/accounts'),
    listFundingInstructions: {
      ...listRefusals(`/api/accounts/${accountId}/fundingInstructions`),
      RESOURCE_NOT_FOUND: () => get(`/api/accounts/${absent}/fundingInstructions`),
    },
    createUbo: {
      INVALID_DATA: () => addTo(ubos, { email: 'marina.lobo', ownershipPercentage: 160 }),
      RESOURCE_NOT_FOUND: () => addTo(`/api/accounts/${absent}/ubos`),
      DUPLICATE_UBO: () => addTo(owners),
      UBOS_NOT_ALLOWED_FOR_INDIVIDUAL: () => addTo(`/api/accounts/${person}/ubos`),
      ACCOUNT_NOT_MODIFIABLE: () => addTo(`/api/accounts/${accountId}/ubos`),
      INSUFFICIENT_OWNERSHIP: () => addTo(owners, { ...third, ownershipPercentage: 10 }),
      OWNERSHIP_EXCEEDS_TOTAL: () => addTo(owners, { ...third, ownershipPercentage: 30 }),
    },
    getUbo: {
      INVALID_DATA: () => get(`${ubos}/marina-lobo`),
      RESOURCE_NOT_FOUND: () => get(`${ubos}/${absent}`),
    },
    updateUbo: {
      INVALID_DATA: () => change(`${ubos}/${ubo.id}`, { name: null }),
      RESOURCE_NOT_FOUND: () => change(`${ubos}/${absent}`, contact),
      DUPLICATE_UBO: () => change(`${owners}/${next.id}`, { taxId: uboRequest().taxId }),
      ACCOUNT_NOT_MODIFIABLE: () => change(`/api/accounts/${rejectedId}/ubos/${gone.id}`, contact),
      APPROVED_UBO: () => change(`${owners}/${first.id}`, contact),
      INSUFFICIENT_OWNERSHIP: () => change(`${owners}/${next.id}`, { ownershipPercentage: 10 }),
      OWNERSHIP_EXCEEDS_TOTAL: () => change(`${owners}/${next.id}`, { ownershipPercentage: 60 }),
    },
    uploadDocument: {
      INVALID_DATA: () => upload(proof),
      MISSING_MULTIPART_FIELD: () => upload(articles, null),
      EMPTY_FILE: () => upload(articles, new Uint8Array()),
      FILE_TOO_LARGE: () => upload(articles, Buffer.concat([files.pdf, Buffer.alloc(10_000_000)])),
      UNSUPPORTED_FILE_TYPE: () => upload(articles, files.gif),
      RESOURCE_NOT_FOUND: () => upload({ ...articles, holder: { type: 'ACCOUNT', referenceId: absent } }),
      DOCUMENT_NOT_REQUIRED: () => upload({ ...articles, holder: { type: 'ACCOUNT', referenceId: individualId } }),
    },
    createBeneficiary: {
      INVALID_DATA: () =>
        post('/api/beneficiaries', {
          ...pixBeneficiary(),
          paymentInstruction: { type: 'PIX', asset: 'BRL', dictKeyType: 'CPF', dictKey: '314.159.265-91' },
        }),
    },
    getBeneficiary: {
      INVALID_DATA: () => get('/api/beneficiaries/caio-menezes'),
      RESOURCE_NOT_FOUND: () => get(`/api/beneficiaries/${absent}`),
    },
    createQuote: {
      INVALID_DATA: () => post('/api/quotes', { ...conversion, targetAmount: '500.00' }),
      INVALID_AMOUNT_PRECISION: () => post('/api/quotes', { ...conversion, sourceAmount: '100.005' }),
      RESOURCE_NOT_FOUND: () => post('/api/quotes', { ...conversion, accountId: absent }),
      QUOTE_CREATION_FAILED: () => post('/api/quotes', { ...conversion, sourceAsset: 'PHP', targetAsset: 'GBP', sourceAmount: '0.01' }),
    },
    createWithdrawal: {
      ...quoteRefusals((quoteId, from) => withdraw(quoteId, payee, from)),
      INLINE_BENEFICIARY_NOT_SUPPORTED: () => post('/api/operations/withdrawal', { accountId, quoteId: forReais, beneficiary: inline }),
      INLINE_INSTRUCTION_NOT_SUPPORTED: () =>
        post('/api/operations/withdrawal', {
          accountId,
          quoteId: forReais,
          beneficiary: { type: 'REFERENCE', id: approved.id, paymentInstruction: { type: 'INLINE', rail: 'PIX_KEY' } },
        }),
      PAYMENT_INSTRUCTION_NOT_APPROVED: () => withdraw(forReais, pending),
      BENEFICIARY_NOT_APPROVED: () => withdraw(forReais, approved),
      INSTRUCTION_ASSET_MISMATCH: () => withdraw(forDollars),
    },
    createTransfer: {
      INVALID_DATA: () => move({ targetAccountId: accountId }),
      INVALID_AMOUNT_PRECISION: () => move({ amount: { value: '1500.005', asset: 'BRL' } }),
      RESOURCE_NOT_FOUND: () => move({ targetAccountId: absent }),
      ACCOUNT_NOT_ACTIVE: () => move({ targetAccountId: onboardingId }),
      ASSET_NOT_ENABLED: () => move({ amount: { value: '1500.00', asset: 'USD' } }),
    },
    createSwap: { ...quoteRefusals(swap), SWAP_SAME_ASSET: () => swap(forSameAsset) },
    createDeposit: {
      ...quoteRefusals((quoteId, from) => deposit(quoteId, 'PIX_KEY', from)),
      RAIL_NOT_AVAILABLE: () => deposit(forReais, 'SEPA'),
    },
    getOperation: {
      INVALID_DATA: () => get('/api/operations/latest'),
      RESOURCE_NOT_FOUND: () => get(`/api/operations/${absent}`),
    },
    createSubscription: {
      INVALID_DATA: () => post('/api/subscriptions', { url: 'http://hooks.example.com/', resources: [{ name: 'PAYMENT' }] }),
    },
    listSubscriptions: listRefusals('/api/subscriptions'),
    getSubscription: {
      INVALID_DATA: () => get('/api/subscriptions/first'),
      RESOURCE_NOT_FOUND: () => get(`/api/subscriptions/${absent}`),
    },
    listExecutionLogs: { ...listRefusals(logs), RESOURCE_NOT_FOUND: () => get(`/api/subscriptions/${absent}/executionLogs`) },
    getExecutionLog: {
      INVALID_DATA: () => get(`${logs}/last`),
      RESOURCE_NOT_FOUND: () => get(`${logs}/${absent}`),
    },
    resendExecutionLog: {
      INVALID_DATA: () => post(`${logs}/last/resend`),
      RESOURCE_NOT_FOUND: () => post(`/api/subscriptions/${absent}/executionLogs/${failed.id}/resend`),
      DELIVERY_NOT_FAILED: () => post(`${logs}/${data[0].id}/resend`),
    },
    getReport: {
      INVALID_DATA: () => get('/api/reports?periodStart=2026-11-22T00:00:00Z&periodEnd=2026-11-21T00:00:00Z'),
      INVALID_FILTER_FORMAT: () => filtered(report, 'amount[gt]=10'),
    },
  });
});

/** Sends a request to an operation, to test errors that all operations share. They are checked first, so the ids need not exist. */
const call = (operationId: string, options: CallOptions = {}, query = '') => {
  const { method, path: at } = harness.routes.find((route) => route.operationId === operationId && route.path.startsWith('/api'))!;
  return harness.api(method.toUpperCase(), at.replaceAll(/\{\w+\}/g, absent) + query, options);
};
const isFault = (code: string) => ['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'].includes(code);
const isUpload = (operationId: string) => operationId === 'uploadDocument';

/** Requests that cause the errors of all operations, or of all operations with an idempotency key or a body, by code. */
const shared: Record<string, (operationId: string) => Promise<TestResponse>> = {
  PAYLOAD_TOO_LARGE: (operationId) =>
    isUpload(operationId) ? upload({}, Buffer.alloc(11_000_000)) : call(operationId, { body: JSON.stringify('x'.repeat(1_048_576)) }),
  UNSUPPORTED_MEDIA_TYPE: (operationId) => call(operationId, { body: 'text', headers: { 'content-type': 'text/plain' } }),
  MISSING_REQUIRED_HEADER: (operationId) => call(operationId, { headers: { 'x-idempotency-key': '' } }),
  IDEMPOTENCY_CONFLICT: async (operationId) => {
    const { request } = operations[operationId]!;
    const body = isUpload(operationId) ? uploadForm((request as { body: unknown }).body) : request;
    await post('/api/quotes', operations['createQuote']!.request, { key });
    return call(operationId, { body, key }, '?again');
  },
  INVALID_ACCESS_TOKEN: (operationId) => call(operationId, { headers: { authorization: '' } }),
  RATE_LIMIT_EXCEEDED: (operationId) => faulty(operationId, 'RATE_LIMIT_EXCEEDED'),
  SERVICE_UNAVAILABLE: (operationId) => faulty(operationId, 'SERVICE_UNAVAILABLE'),
  INTERNAL_ERROR: (operationId) => faulty(operationId, 'INTERNAL_ERROR'),
  EXPIRED_ACCESS_TOKEN: async (operationId) => {
    await advance('PT1H');
    return call(operationId);
  },
};

async function faulty(operationId: string, code: string): Promise<TestResponse> {
  await harness.control('POST', '/faults', { on: 'REQUEST', when: { operationId }, times: 1, effect: { code } });
  return call(operationId, operationId === 'createToken' ? { body: operations[operationId]!.request } : {});
}

// oxlint-disable-next-line typescript/no-explicit-any -- the document has dynamic field names
type Json = any;
let documented: [operationId: string, codes: string[]][];

/** Returns the error codes of each operation: the names of its error examples. */
async function documentedCodes(): Promise<[string, string[]][]> {
  const { body: document } = await get('/openapi.json');
  const resolve = (each: Json): Json => (each.$ref ? document.components.responses[each.$ref.split('/').at(-1)] : each);
  return Object.values<Json>(document.paths)
    .flatMap((methods) => Object.values<Json>(methods))
    .map(({ operationId, responses }) => {
      const refused = Object.entries<Json>(responses).filter(([status]) => status >= '400');
      return [operationId, refused.flatMap(([, each]) => Object.keys(resolve(each).content['application/json'].examples)).toSorted()];
    });
}

describe('the errors in the OpenAPI document', () => {
  beforeAll(async () => void (documented = await documentedCodes()));

  it('are exactly the specific and shared errors that these tests cause', () => {
    for (const [operationId, codes] of documented) {
      const own = Object.keys(provoke[operationId]!);
      expect([operationId, codes]).toEqual([operationId, [...own, ...codes.filter((code) => code in shared)].toSorted()]);
    }
  });

  it('are returned by the operation that documents them', async () => {
    for (const [operationId] of documented) {
      for (const [code, refused] of Object.entries(provoke[operationId]!)) {
        const { body } = await refused();
        expect([operationId, body.code]).toEqual([operationId, code]);
        operations[operationId]!.errors[code] = body;
      }
    }
  });

  it.each(Object.keys(shared))('with the shared code %s are returned by each operation that documents this code', async (code) => {
    const having = documented.filter(([, codes]) => codes.includes(code)).map(([operationId]) => operationId);
    expect(having).not.toEqual([]);
    for (const operationId of having) {
      const { body } = await shared[code]!(operationId);
      expect([operationId, body.code]).toEqual([operationId, code]);
      // Uploads have another size limit and media type than JSON requests, so these errors are recorded separately.
      if (isUpload(operationId) && (code === 'PAYLOAD_TOO_LARGE' || code === 'UNSUPPORTED_MEDIA_TYPE'))
        operations[operationId]!.errors[code] = body;
      else if (!isFault(code)) errors[code] ??= body;
    }
  });
});

describe('the examples in the OpenAPI document', () => {
  let examples: Examples;

  // §D1-examples
  it('cover all recorded responses, and match the contract', () => {
    expect(Object.keys(events).toSorted()).toEqual(eventTypes.toSorted());
    const recorded = { operations, errors, events };
    examples = committedExamples('public', recorded);
    expect(outlineOf(examples)).toEqual(outlineOf(recorded));
    expectErrors(examples);
    for (const type of eventTypes) expect([type, examples.events![type]]).toEqual([type, eventSchemas[type].parse(examples.events![type])]);
  });

  // While examples are recorded, the document still has the old ones.
  it.skipIf(isRecording)('are shown at their operation, error code or event', async () => {
    const { body: document } = await get('/openapi.json');
    for (const [operationId, shown] of Object.entries(shownExamples(document))) {
      const { errors: _errors, ...committed } = examples.operations[operationId]!;
      expect([operationId, shown]).toEqual([operationId, committed]);
    }
    for (const [operationId, code, value] of shownErrors(document)) {
      if (!isFault(code))
        expect(value, `${operationId} ${code}`).toEqual(examples.operations[operationId]!.errors[code] ?? examples.errors[code]);
    }
    for (const [type, { post: operation }] of Object.entries<Json>(document.webhooks))
      expect(operation.requestBody.content['application/json'].examples[type].value).toEqual(examples.events![type]);
  });
});
