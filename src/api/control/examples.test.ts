import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CoverageView } from '../../contract/control/analysis/coverage.js';
import { readScenarios } from '../../fixtures/scenario-files.js';
import type { ReasonGroup } from '../../contract/shared/reason-catalogue.js';
import { documentReason, reason } from '../../domain/reasons.js';
import type { ReadEvent } from '../../testing/event-reader.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdrawalBody } from '../../testing/withdrawals.js';
import { HeldBody } from '../../testing/held-body.js';
import { companyRequest, createAccount, individualRequest, uboRequest, upload } from '../../testing/onboarding.js';
import { temporaryDirectory } from '../../testing/process.js';
import {
  committedExamples,
  expectErrors,
  isRecording,
  storeExample,
  outlineOf,
  shownExamples,
  shownErrors,
  type Examples,
  type Recorded,
} from '../../testing/recorded-examples.js';

/**
 * `npm run examples` records the responses of the requests below as examples for the OpenAPI document of the control API.
 * The requests begin like those of the payments API, so that the first object of a kind has the same id in both documents.
 */

const scenariosDirectory = { path: temporaryDirectory(), shownAs: 'scenarios' };
const harness = useHarness({ scenariosDirectory });
const guarded = useHarness({ controlToken: 'secret', maxWorlds: 2 });
const shared = useHarness({ isHosted: true });
const operations: Record<string, Recorded> = {};
/** Recorded errors by their codes. */
const errors: Record<string, unknown> = {};

let keys = 0;
/** Creates an object through the payments API, with an idempotency key that is the same in every run. */
const post = async (at: string, body?: unknown) => {
  const key = `0d5ab5a2-1f0c-4a52-8d5c-6f0a7a3f9e${String((keys += 1)).padStart(2, '0')}`;
  const answer = await harness.api('POST', at, { body, key });
  expect([at, answer.status]).toEqual([at, 201]);
  return answer.body;
};

/** Creates a subscription to completed and failed operations. */
const subscribe = (url: string) =>
  post('/api/subscriptions', {
    url,
    includeAll: false,
    resources: [{ name: 'OPERATION', events: ['OPERATION_COMPLETED', 'OPERATION_FAILED'] }],
    allowRetry: true,
  });

/** A scenario file with an error. */
function brokenScenario() {
  const directory = temporaryDirectory();
  const text = 'scenario: mine\nsummary: Mine.\nrules:\n  - on: DOCUMENT\n    steps: [{ after: 1s, to: APROVED }]\n';
  writeFileSync(join(directory, 'mine.yaml'), text);
  const { files } = readScenarios([{ path: directory, shownAs: 'scenarios' }]);
  rmSync(directory, { recursive: true });
  return files;
}

interface Asked {
  /** Path parameters. `id` or `name` replaces the name of a single parameter. */
  readonly path?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  readonly world?: string;
  readonly headers?: Record<string, string>;
}

/** Calls a control operation by its operation id. */
function call(operationId: string, { path = {}, query = {}, body, world, headers }: Asked = {}, on = harness) {
  const route = on.routes.find((each) => each.operationId === operationId && each.path.startsWith('/_sandbox'))!;
  const at = route.path
    .slice('/_sandbox'.length)
    .replaceAll(/\{(\w+)\}/g, (_match, name: string) => path[name] ?? path['id'] ?? path['name']!);
  return on.control(route.method.toUpperCase(), `${at}?${new URLSearchParams(query).toString()}`, body, world, headers);
}

const record = (operationId: string, asked: Asked = {}) => storeExample(operations, operationId, call(operationId, asked), asked.body);

/** Sends a request that must fail, and records the error. */
async function refuse(code: string, operationId: string, asked: Asked, on = harness) {
  const { body } = await call(operationId, asked, on);
  expect([operationId, body.code]).toEqual([operationId, code]);
  errors[code] = body;
}

const newest = { limit: '1' };
/** The body of a forced transition with a reason of the catalogue. */
const because = <P extends ReasonGroup>(...given: Parameters<typeof reason<P>>) => ({ reason: reason(...given) });

async function recordWorlds() {
  const name = 'ci-worker-7';
  const body = { name, seed: 42, scenario: 'default', fixtures: 'default', clock: { mode: 'FROZEN' }, ttl: 'PT1H' };
  await record('createWorld', { body });
  await record('putWorld', { path: { worldName: name }, query: { ifExists: 'replace' }, body: { seed: 43, scenario: 'manual' } });
  await record('getWorld', { path: { name } });
  await record('listWorlds');
  await record('listAudit', { query: { limit: '2' } });
  const rotated = await record('rotateCredentials', { path: { worldName: name }, body: { grace: '1h' } });
  rotated.clientSecret = 'hSg7zRkXoT2nQ1pVbW9cYd4LfJ6mK8sAeU0iHxNq';
  await refuse('RESOURCE_ALREADY_EXISTS', 'createWorld', { body });
  await record('deleteWorld', { path: { name } });
  // Without fixtures, so that the exported state is short.
  const { body: world } = await call('createWorld', { body: { ...body, fixtures: 'empty' } });
  const state = await record('getState', { world: world.name });
  await record('putState', { world: world.name, body: state });
  const token = await record('issueToken', { world: world.name });
  token.accessToken = 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln';
  await record('resetWorld', { world: world.name, body: { ids: 'same' } });
}

const lateRequest = { kind: 'late', subject: 'OPERATION_REQUESTED#1', at: 'OPERATION_COMPLETED#1' };

/** The result of an exploration that found one schedule. */
const exampleExploration = {
  verdict: 'FAILED',
  seed: 1,
  baseline: {
    events: ['OPERATION_REQUESTED#1', 'OPERATION_COMPLETED#1'],
    writes: ['createWithdrawal#1'],
    deviations: [lateRequest, { kind: 'lostResponse', subject: 'createWithdrawal#1', at: null }],
  },
  tried: { singles: [2, 2], pairs: [0, 1], triples: 0 },
  ended: 'ALL',
  sequences: 2,
  resetMs: 0,
  notOccurred: [],
  unstable: [],
  failures: [
    {
      deviations: [lateRequest],
      shrunkFrom: [lateRequest],
      schedules: 1,
      stability: { kind: 'STABLE', runs: [3, 3] },
      point: 'AFTER_DELIVERY',
      differences: [{ path: 'payment.status', expected: 'COMPLETED', found: 'REQUESTED' }],
      effects: [],
      money: [],
      evidence: ['delivery 5f1c7a90-6b1e-4c52-9a8d-2f0a7a3f9e01 was answered 204'],
      how: 'your endpoint could not be reached once (a deployment); the event was sent again after the other one',
      savedAs: 'scenarios/explored/late-operation-requested-after-operation-completed.yaml',
    },
  ],
};

/** A custom profile. */
const exampleProfile = {
  profile: 'transfers',
  summary: 'Moves money between its own accounts.',
  contract: '1',
  findings: { failOn: 'error', accept: [{ rule: 'webhook.slow', reason: 'Cold start of the staging gateway.', until: '2027-01-31' }] },
  require: [
    { id: 'T-1', title: 'A transfer is made', covered: { operation: 'createTransfer', code: 'ok' } },
    { id: 'T-2', title: 'A lost answer is recovered', handles: { operation: 'createTransfer', challenge: 'lostResponse' } },
  ],
};

/** Shortens coverage to the first item of each dimension. */
function withFirstCells({ dimensions, ...rest }: CoverageView): object {
  const first = Object.entries(dimensions).map(([name, { items, ...figures }]) => [name, { ...figures, items: items.slice(0, 1) }]);
  return { ...rest, dimensions: Object.fromEntries(first) };
}

/** Records findings, coverage and reports of a client that uses an idempotency key twice. */
async function recordMirror() {
  const { body: world } = await call('createWorld', { body: { name: 'checkout', clock: { mode: 'FROZEN', now: '2026-11-21T12:00:00Z' } } });
  const { accountIds } = fixtureIds(harness, world.name);
  const [sourceAccountId, targetAccountId] = accountIds;
  const key = '3d0f6a0e-7f0c-4d4e-9d5f-2a1b3c4d5e6f';
  const pay = (value: string) => {
    const body = { sourceAccountId, targetAccountId, amount: { value, asset: 'BRL' } };
    return harness.api('POST', '/api/operations/transfer', { body, key }, world.name);
  };
  await record('expectFinding', { world: world.name, body: { rule: 'money.json-number', count: 1 } });
  await pay('25.00');
  await pay('26.00');
  await record('listFindings', { world: world.name });
  const { body: coverage } = await call('getCoverage', { world: world.name, query: { tier: 'core', missing: 'true' } });
  operations['getCoverage'] = { response: withFirstCells(coverage), errors: {} };
  const { body: report } = await call('getClientReport', { query: { world: world.name, profile: 'payouts' } });
  const shown = { ...report, coverage: withFirstCells(report.coverage) };
  operations['getClientReport'] = { response: shown, errors: {} };
  const { body: judged } = await call('createClientReport', { query: { world: world.name }, body: exampleProfile });
  operations['createClientReport'] = {
    request: exampleProfile,
    response: { ...judged, coverage: withFirstCells(judged.coverage) },
    errors: {},
  };
  await record('putExploration', { world: world.name, body: exampleExploration });
  await record('getExploration', { world: world.name });
  const { body: replay } = await call('getReplay', { world: world.name });
  operations['getReplay'] = {
    response: { ...replay, steps: replay.steps.slice(0, 2), world: { ...replay.world, scenarios: [] } },
    errors: {},
  };
  await record('clearFindings', { world: world.name });
  await call('deleteWorld', { path: { name: world.name } });
}

/** Records operations with automatic steps, and their events. */
async function recordCourse() {
  const { accountId } = fixtureIds(harness);
  const orders = { name: 'orders' };
  await subscribe('http://localhost:4010/_sandbox/inbox/orders');
  const payee = await post('/api/beneficiaries', pixBeneficiary());
  await record('approveBeneficiary', { path: { id: payee.id }, body: {} });
  const withdraw = async (changes: Record<string, string> = {}) => {
    const conversion = { accountId, sourceAsset: 'USD', targetAsset: 'BRL', sourceAmount: '100.00', ...changes };
    const { id: quoteId } = await post('/api/quotes', conversion);
    return post('/api/operations/withdrawal', withdrawalBody(accountId, quoteId, payee));
  };
  const settling = await withdraw();
  const stream = await harness.events('/stream?kinds=REQUEST');
  const failing = await withdraw({ sourceAsset: 'BRL', sourceAmount: '80.13' });
  const items = await stream.until(({ data }) => data.resourceId === failing.id);
  await stream.close();
  operations['getStream'] = { response: items.at(-1)!.data, errors: {} };
  await record('getClock');
  await record('listTimers');
  await record('advanceClock', { body: { by: 'PT30S' } });
  await record('awaitOperation', { path: { id: settling.id }, query: { status: 'COMPLETED' } });
  await record('getWhy', { path: { id: failing.id } });
  await record('awaitInboxMessages', { path: orders, query: { eventType: 'OPERATION_COMPLETED', resourceId: settling.id } });
  await record('listInboxMessages', { path: orders, query: newest });
  const { data } = await record('listDeliveries', { query: newest });
  await record('getDelivery', { path: { id: data[0].id } });
  await record('resendDelivery', { path: { id: data[0].id } });
  const [{ headers, body }] = (await harness.control('GET', '/inbox/orders/messages?limit=1')).body.data;
  await record('checkSignature', { body: { headers, body: JSON.stringify(JSON.parse(body), null, 2) } });
  await record('flushDeliveries', { body: { timeoutMs: 5000 } });
  await record('listLedgerEntries', { query: newest });
  await record('getTimeline', { query: { ...newest, resourceId: failing.id, kinds: 'STATE' } });
  await record('listOperations', { query: newest });
  await record('countItems', { path: { list: 'operations' }, query: { filters: 'currentState.status[eq]=COMPLETED' } });
  await record('listWorldAccounts', { query: newest });
  await record('listWorldSubscriptions', { query: newest });
  await record('listBeneficiaries', { query: newest });
  return { accountId, withdraw };
}

/** Records forced operations. */
async function recordForcing({ accountId, withdraw }: Awaited<ReturnType<typeof recordCourse>>) {
  const path = { id: (await withdraw()).id };
  await record('processOperation', { path, body: {} });
  await record('holdOperation', { path, body: because('operationOnHold', 'COMPLIANCE_REVIEW') });
  await record('resumeOperation', { path, body: {} });
  const missing = because('operationActionRequired', 'ADDITIONAL_INFORMATION_REQUIRED', { document: 'INVOICE' });
  await record('requireActionOperation', { path, body: missing });
  await refuse('WAIT_TIMEOUT', 'awaitOperation', { path, query: { status: 'COMPLETED', timeoutMs: '100' } });
  const completed = { id: (await withdraw()).id };
  await record('completeOperation', { path: completed, body: {} });
  const failing = { id: (await withdraw()).id };
  await record('nextOperation', { path: failing, body: {} });
  const rejected = because('operationFailed', 'BENEFICIARY_BANK_REJECTED');
  await record('failOperation', { path: failing, body: rejected });
  await refuse('INVALID_STATUS_CHANGE', 'failOperation', { path: completed, body: rejected });
  await refuse('INVALID_DATA', 'failOperation', { path: { id: 'latest' }, body: { reason: { code: 5 } } });
  await refuse('RESOURCE_NOT_FOUND', 'failOperation', { path: { id: '0b6f4a3e-5d0c-4d7e-9a51-6d2f8a4c1e77' }, body: rejected });

  const paidIn = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '2500.00' };
  const { id: quoteId } = await post('/api/quotes', paidIn);
  const deposit = await post('/api/operations/deposit', { accountId, quoteId, fundingInstruction: { rail: 'PIX_KEY' } });
  await record('payOperation', { path: { id: deposit.id }, body: { amount: '2500.00' } });
  await record('expireQuote', { path: { id: (await post('/api/quotes', paidIn)).id } });
  await record('listQuotes', { query: newest });

  const amount = { value: '1500.00', asset: 'BRL' };
  await record('creditAccount', { path: { id: accountId }, body: { amount } });
  await record('debitAccount', { path: { id: accountId }, body: { amount } });
  await record('getAccount', { path: { id: accountId } });
  const credit = (changes: Record<string, string>) => ({ path: { id: accountId }, body: { amount: { ...amount, ...changes } } });
  await refuse('INVALID_AMOUNT_PRECISION', 'creditAccount', credit({ value: '1500.005' }));
  await refuse('ASSET_NOT_ENABLED', 'creditAccount', credit({ asset: 'SEK' }));
  await refuse('ACCOUNT_NOT_MODIFIABLE', 'putSegment', { path: { id: accountId }, body: { segment: 'PAYMENT_SERVICE_PROVIDER' } });
  await refuse('INVALID_FILTER_FORMAT', 'listOperations', { query: { filters: 'createdAt[gte' } });
}

async function recordReviews() {
  const instructionOf = async () => {
    const { id, paymentInstructions } = await post('/api/beneficiaries', pixBeneficiary());
    return { payee: { id }, instruction: { id: paymentInstructions[0].id } };
  };
  const { instruction } = await instructionOf();
  await record('approvePaymentInstruction', { path: instruction, body: {} });
  await record('awaitPaymentInstruction', { path: instruction, query: { status: 'APPROVED' } });
  const mismatch = because('instructionRejected', 'HOLDER_MISMATCH');
  await record('rejectPaymentInstruction', { path: (await instructionOf()).instruction, body: mismatch });
  const match = because('instructionRejected', 'SANCTIONS_MATCH');
  await record('rejectBeneficiary', { path: (await instructionOf()).payee, body: match });
}

/** Records the status changes of accounts, up to ACTIVE and after it. */
async function recordOnboarding() {
  const company = companyRequest({ incorporateDate: '2014-03-10' }, [{ code: 'BRL', isVirtual: true }, { code: 'USDC' }]);
  const { id } = await createAccount(harness, 'default', company);
  const owner = await post(`/api/accounts/${id}/ubos`, uboRequest());
  const bring = async () => {
    const articles = { documentType: 'ARTICLES_OF_ASSOCIATION', holder: { type: 'ACCOUNT', referenceId: id } };
    expect((await upload(harness, 'default', articles, 'articles-of-association.pdf')).status).toBe(204);
    return (await record('listDocuments', { query: newest })).data[0].id as string;
  };
  const expired = { reason: documentReason('EXPIRED') };
  await record('rejectDocument', { path: { id: await bring() }, body: expired });
  await record('approveDocument', { path: { id: await bring() }, body: {} });
  await record('putSegment', { path: { id }, body: { segment: 'PAYMENT_SERVICE_PROVIDER' } });
  await record('approveUbo', { path: { id: owner.id }, body: {} });
  await record('openAccount', { path: { id }, body: {} });
  await record('activateAsset', { path: { id, asset: 'BRL' }, body: {} });
  const unavailable = because('operationFailed', 'RAIL_UNAVAILABLE');
  await record('failAsset', { path: { id, asset: 'USDC' }, body: unavailable });
  const { id: refused } = await createAccount(harness, 'default', companyRequest());
  const stranger = await post(`/api/accounts/${refused}/ubos`, uboRequest());
  const unverified = because('ownerRejected', 'IDENTITY_NOT_VERIFIED');
  await record('rejectUbo', { path: { id: stranger.id }, body: unverified });

  const person = { id: (await createAccount(harness, 'default', individualRequest())).id as string };
  await record('activateAccount', { path: person, body: {} });
  await record('awaitAccount', { path: person, query: { status: 'ACTIVE' } });
  const asset = { ...person, asset: 'BRL' };
  await record('freezeAsset', { path: asset, body: because('ownerRejected', 'SANCTIONS_MATCH') });
  await record('unfreezeAsset', { path: asset, body: {} });
  await record('deactivateAsset', { path: asset, body: {} });
  await record('closeAccount', { path: person, body: because('ownerRejected', 'COMPLIANCE_REJECTED') });
  const other = { id: (await createAccount(harness, 'default', individualRequest())).id as string };
  await record('rejectAccount', { path: other, body: because('ownerRejected', 'COMPLIANCE_REJECTED') });
}

/** Records settings and snapshots. */
async function recordSettings() {
  const name = { name: 'funded' };
  await record('createSnapshot', { body: name });
  await record('listSnapshots');
  await record('fireEvent', { body: { eventType: 'OPERATION_COMPLETED' } });
  const listener = { name: 'laptop' };
  const listening = await harness.events('/listeners/laptop/attempts?session=f3b1');
  await listening.next();
  const posted = record('postToListener', { path: listener, body: { hello: 'listener' } });
  const [{ data: attempt }] = (await listening.take(1)) as [ReadEvent];
  operations['listenToAttempts'] = { response: { ...attempt, attempt: '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417' }, errors: {} };
  await refuse('LISTENER_TAKEN', 'listenToAttempts', { path: listener, query: { session: 'a7c2' } });
  await record('respondToAttempt', { path: { ...listener, attemptId: attempt.attempt }, body: { status: 204 } });
  await posted;
  await listening.close();
  await record('putInboxResponses', { path: { name: 'orders' }, body: [{ status: 500, times: 2 }] });
  await record('getInboxResponses', { path: { name: 'orders' } });
  await record('postToInbox', { path: { name: 'returns' }, body: { hello: 'inbox' } });
  const effect = { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: 'PT1S' };
  const fault = await record('createFault', { body: { on: 'REQUEST', when: { operationId: 'createWithdrawal' }, times: 1, effect } });
  await record('listFaults');
  await record('deleteFault', { path: { id: fault.id } });
  await call('createSnapshot', { body: { name: 'before-rates' } });
  await record('putSettings', { body: { rates: { 'BRL/USD': '0.1850' }, quoteTtl: 'PT1M' } });
  await record('getSettings');
  await record('compareStates', { query: { from: 'snapshot:before-rates' } });
  await record('listScenarios');
  const text = 'scenario: mine\nsummary: Mine.\nrules:\n  - on: DOCUMENT\n    steps: [{ after: 1s, to: APROVED }]\n';
  await record('checkScenario', { body: { text, file: 'scenarios/mine.yaml' } });
  const onLarge = 'on: OPERATION, when: { sourceAmount.value: { gte: 1000 } }, steps: [{ after: 1s, to: PROCESSING }]';
  const large = `scenario: large\nsummary: Large amounts stay PROCESSING.\nrules:\n  - { name: large, ${onLarge} }\n`;
  await record('tryScenario', { body: { text: large } });
  await record('saveScenario', { body: { text: large } });
  await record('putScenario', { body: { name: 'compliance-hold' } });
  await record('getScenario');
  await record('putClock', { body: { mode: 'FROZEN' } });
  await record('restoreSnapshot', { path: name });
  await record('deleteSnapshot', { path: name });
  const [subscription] = (await harness.api('GET', '/api/subscriptions')).body.data;
  await record('probeSubscription', { path: { id: subscription.id } });
  await record('deleteSubscription', { path: { id: subscription.id } });
  await record('getStatus');
  await record('listKinds');
  await record('getLiveness');
  await record('getReadiness');
}

/** Records a reconciliation of client records that still show a completed operation as sent. */
async function recordReconciliation() {
  const { data } = (await harness.control('GET', '/operations?limit=100')).body as {
    data: { id: string; currentState: { status: string } }[];
  };
  const completed = data.find(({ currentState }) => currentState.status === 'COMPLETED')!;
  const statuses = { sent: ['REQUESTED', 'PROCESSING'], paid: ['COMPLETED'] };
  await record('reconcile', { body: { statuses, operations: [{ ref: 'pay_17', id: completed.id, status: 'sent' }] } });
}

/** Records the operations for recorded requests and tests. */
async function recordRecord({ accountId }: Awaited<ReturnType<typeof recordCourse>>) {
  await record('putClient', { body: { name: 'payout-service', version: '2.4.0', commit: '9fceb02' } });
  await record('putTest', { body: { name: 'pays out' } });
  const { id } = await post('/api/quotes', { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '25.00' });
  const { data } = await record('listRequests', { query: { ...newest, filters: `caused.id[eq]=${id}` } });
  await record('getRequest', { path: { id: data[0].id } });
  const match = { operationId: 'createQuote', 'body.sourceAmount': '25.00', status: { lt: 300 } };
  await record('verifyRequests', { body: { match, count: 1 } });
  await refuse('VERIFICATION_FAILED', 'verifyRequests', { body: { match, count: 2 } });
  await recordReconciliation();
  await record('deleteTest');
  await record('deleteRequests');
}

/** Records errors that any operation can return, and errors that depend on timing. */
async function recordCircumstances({ withdraw }: Awaited<ReturnType<typeof recordCourse>>) {
  await refuse('HOST_NOT_ALLOWED', 'listWorlds', { headers: { host: 'payments.example' } });
  await refuse('ORIGIN_NOT_ALLOWED', 'listWorlds', { headers: { origin: 'https://payments.example' } });
  await refuse('PAYLOAD_TOO_LARGE', 'createWorld', { body: JSON.stringify('x'.repeat(1_048_576)) });
  await refuse('UNSUPPORTED_MEDIA_TYPE', 'createWorld', { body: 'text', headers: { 'content-type': 'text/plain' } });
  await refuse('INVALID_ACCESS_TOKEN', 'getClock', { headers: { authorization: 'Bearer foreign' } });
  await refuse('CONTROL_TOKEN_REQUIRED', 'listWorlds', {}, guarded);
  const partner = await shared.sandbox.createWorld({ name: 'ci-worker-7' });
  const basic = (clientSecret: string) => `Basic ${btoa(`${partner.identity.clientId}:${clientSecret}`)}`;
  await refuse(
    'NOT_PERMITTED',
    'deleteWorld',
    { path: { name: 'ci-worker-7' }, world: 'ci-worker-7', headers: { authorization: basic(partner.identity.clientSecret) } },
    shared,
  );
  await refuse('INVALID_CREDENTIALS', 'getClock', { headers: { authorization: basic('wrong') } }, shared);
  const headers = { authorization: 'Bearer secret' };
  await call('createWorld', { body: { name: 'ci-worker-7' }, headers }, guarded);
  guarded.sandbox.replaceScenarios(brokenScenario());
  await refuse('SCENARIO_INVALID', 'putScenario', { body: { name: 'mine' }, headers }, guarded);
  await refuse('RATE_LIMIT_EXCEEDED', 'createWorld', { body: { name: 'ci-worker-8' }, headers }, guarded);
  harness.receive = async () => {
    await refuse('ADVANCE_IN_PROGRESS', 'advanceClock', { body: { by: 'PT30S' } });
    return { httpStatus: 200, error: null };
  };
  await subscribe('https://hooks.example.com/crossborder');
  await withdraw();
  await call('advanceClock', { body: { by: 'PT30S' } });
  const held = new HeldBody({ mode: 'FROZEN' });
  const overtaken = refuse('WORLD_REPLACED', 'putClock', { body: held.stream });
  await held.asked;
  await call('resetWorld');
  held.release();
  await overtaken;
}

/** Replaces request ids, which are random, by numbers in order of appearance. */
function withSettledIds<T>(value: T): T {
  const settled = new Map<string, string>();
  const text = JSON.stringify(value).replaceAll(/\b(ctl|req)_[A-Za-z0-9_-]{21}/g, (id, kind: string) => {
    const known = settled.get(id) ?? `${kind}_${createHash('sha256').update(String(settled.size)).digest('base64url').slice(0, 21)}`;
    settled.set(id, known);
    return known;
  });
  const token = /(\\?"token\\?":\\?"|\[token:)[0-9a-f]{8}/g; // Tokens are random too.
  return JSON.parse(text.replaceAll(token, (_match, before: string) => `${before}7f3a91c2`)) as T;
}

beforeAll(async () => {
  await recordWorlds();
  const course = await recordCourse();
  await recordForcing(course);
  await recordReviews();
  await recordOnboarding();
  await recordSettings();
  await recordRecord(course);
  await recordCircumstances(course);
  await recordMirror();
  Object.assign(operations, withSettledIds(operations));
});

describe('the examples in the OpenAPI document of the control API', () => {
  let examples: Examples;

  // §D1-examples
  it('cover all recorded responses, and match the contract', () => {
    const recorded = { operations, errors };
    examples = committedExamples('control', recorded);
    expect(outlineOf(examples)).toEqual(outlineOf(recorded));
    expectErrors(examples);
  });

  // While examples are recorded, the document still has the old ones.
  it.skipIf(isRecording)('are shown once for each operation, at the right operation', async () => {
    const { body: document } = await harness.control('GET', '/openapi.json');
    const committed = Object.entries(examples.operations).map(([operationId, { errors: _errors, ...each }]) => [operationId, each]);
    expect(shownExamples(document)).toEqual(Object.fromEntries(committed));
    // Error codes that no request can cause have a manually written example.
    const provoked = shownErrors(document).filter(([, code]) => code !== 'INTERNAL_ERROR' && code !== 'SERVICE_UNAVAILABLE');
    for (const [operationId, code, value] of provoked)
      expect([operationId, code, value]).toEqual([operationId, code, examples.errors[code]]);
    expect(new Set(provoked.map(([, code]) => code))).toEqual(new Set(Object.keys(examples.errors)));
  });
});
