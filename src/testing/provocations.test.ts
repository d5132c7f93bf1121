import { beforeAll, describe, expect, it } from 'vitest';
import type { TestResponse } from './calls.js';
import { runCommandLine as typed } from './command-line.js';
import { useHarness } from './harness.js';
import { fixtureIds, pixBeneficiary } from './withdrawals.js';
import { readSettings } from '../server/options.js';

const harness = useHarness();

/** Parts of bodies that are filled in before the request. */
interface Known {
  readonly account: string;
  readonly other: string;
  readonly quote: string;
  readonly approved: { readonly id: string; readonly paymentInstructions: readonly { readonly id: string }[] };
}
let known: Known;
beforeAll(async () => {
  const { accountId: account, accountIds, approved } = fixtureIds(harness);
  const body = { accountId: account, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '150.00' };
  const quote = (await harness.api('POST', '/api/quotes', { body })).body.id as string;
  known = { account, other: accountIds[1]!, quote, approved };
});

type Body = unknown;
type Call = (known: Known) => Promise<TestResponse>;
/** A frequent error, its request, and a hint that the error message must contain; null if the contract accepts the request. */
type Provocation = readonly [what: string, call: Call, hint: RegExp | null];

const send =
  (method: string, path: string, body?: (known: Known) => Body, headers: Record<string, string> = {}): Call =>
  (facts) =>
    harness.api(method, path.replace('{account}', facts.account), {
      ...(body === undefined ? {} : { body: body(facts) }),
      headers,
    });
const post = (path: string, body: (known: Known) => Body, headers?: Record<string, string>) => send('POST', path, body, headers);
const get = (path: string, headers?: Record<string, string>) => send('GET', path, undefined, headers);
const control =
  (method: string, path: string, body?: Body): Call =>
  () =>
    harness.control(method, path, body);
const quote = (fields: object) =>
  post('/api/quotes', ({ account }) => ({ accountId: account, sourceAsset: 'BRL', targetAsset: 'BRL', ...fields }));
const transfer = (fields: (known: Known) => object) => post('/api/operations/transfer', fields);
const withdrawal = (fields: (known: Known) => object) =>
  post('/api/operations/withdrawal', (facts) => ({ accountId: facts.account, quoteId: facts.quote, ...fields(facts) }));
const subscribe = (fields: object) => post('/api/subscriptions', () => ({ url: 'http://127.0.0.1:9000/hooks', ...fields }));
const token = (body: Body, headers: Record<string, string> = {}) =>
  post('/api/oauth/client/token', () => body, { authorization: '', 'x-idempotency-key': '', ...headers });
const company = { type: 'COMPANY', legalName: 'Ipe Ltda', taxId: { type: 'CNPJ', value: '11.222.333/0001-81' } };
const beneficiary = (fields: object) => post('/api/beneficiaries', () => ({ ...pixBeneficiary(), ...fields }));
const payee = (paymentInstruction: object) => beneficiary({ holder: company, paymentInstruction });
const bank = (fields: object) => payee({ type: 'BANK_ACCOUNT', ...fields });
const holder = (fields: object) =>
  beneficiary({
    holder: { type: 'INDIVIDUAL', firstName: 'Lia', lastName: 'Tavares', taxId: { type: 'CPF', value: '161.803.398-05' }, ...fields },
  });
const pix = (fields: object) => payee({ type: 'PIX', asset: 'BRL', ...fields });
const wallet = (fields: object) => payee({ type: 'CRYPTO_WALLET', asset: 'USDC', network: 'ETHEREUM', ...fields });
const deposit = (rail: string) =>
  post('/api/operations/deposit', (facts) => ({ accountId: facts.account, quoteId: facts.quote, fundingInstruction: { rail } }));
const account = (fields: object) => post('/api/accounts', () => ({ assets: [{ code: 'BRL' }], owner: { ...company, ...fields } }));
const reference = ({ approved }: Known) => ({
  beneficiary: { type: 'REFERENCE', id: approved.id, paymentInstruction: { type: 'REFERENCE', id: approved.paymentInstructions[0]!.id } },
});

const requests: readonly Provocation[] = [
  // Tokens
  ['no token', get('/api/accounts', { authorization: '' }), /POST \/api\/oauth\/client\/token/],
  ['a token without Bearer', get('/api/accounts', { authorization: 'abc' }), /"Bearer <token>"/],
  ['Basic credentials', get('/api/accounts', { authorization: 'Basic c2FuZGJveDp4' }), /"Bearer <token>"/],
  ['an invalid token', get('/api/accounts', { authorization: 'Bearer abc' }), /token/],
  ['a wrong secret', token({ clientId: 'sandbox', clientSecret: 'secret' }), /GET \/_sandbox\/worlds lists the credentials/],
  ['a wrong client', token({ clientId: 'me', clientSecret: 'sandbox-secret' }), /GET \/_sandbox\/worlds lists the credentials/],
  ['the field client_id', token({ client_id: 'sandbox', client_secret: 'sandbox-secret' }), /clientId: .*"client_id" is not a known field/],
  ['the field clientID', token({ clientID: 'sandbox', clientSecret: 'sandbox-secret' }), /clientId: .*"clientID" is not a known field/],
  ['a token request without a secret', token({ clientId: 'sandbox' }), /clientSecret: .*it is missing/],
  [
    'a form for a token',
    token('grant_type=client_credentials', { 'content-type': 'application/x-www-form-urlencoded' }),
    /a JSON body, for example \{"clientId":"sandbox","clientSecret":"sandbox-secret"\}\. curl -d sends a form/,
  ],
  ['POST /oauth/token', post('/oauth/token', () => ({})), /POST \/api\/oauth\/client\/token/],
  ['POST /api/token', post('/api/token', () => ({})), /POST \/api\/oauth\/client\/token/],
  ['POST /api/login', post('/api/login', () => ({})), /POST \/api\/oauth\/client\/token/],
  ['GET for a token', get('/api/oauth/client/token'), /accepts POST, not GET/],
  // Paths
  ['GET /accounts', get('/accounts'), /Did you mean GET \/api\/accounts\?/],
  ['GET /API/Accounts', get('/API/Accounts'), /Did you mean GET \/api\/accounts\?/],
  ['GET /api/Accounts', get('/api/Accounts'), /Did you mean GET \/api\/accounts\?/],
  ['GET /api/account', get('/api/account'), /Did you mean GET \/api\/accounts\?/],
  ['GET /api/accounts/', get('/api/accounts/'), /Did you mean GET \/api\/accounts\?/],
  ['GET /api/v1/accounts', get('/api/v1/accounts'), /Did you mean GET \/api\/accounts\?/],
  ['GET an account', get('/api/accounts/{account}'), /GET \/api\/accounts\?filters=id\[eq\]=/],
  ['balances of an account', get('/api/accounts/{account}/balances'), /GET \/_sandbox\/accounts\//],
  ['GET /api/balances', get('/api/balances'), /GET \/_sandbox\/accounts\/\{id\}/],
  ['POST /api/payments', post('/api/payments', () => ({})), /POST \/api\/operations\/withdrawal/],
  ['GET /api/payments', get('/api/payments'), /POST \/api\/operations\/withdrawal/],
  ['POST /api/payouts', post('/api/payouts', () => ({})), /POST \/api\/operations\/withdrawal/],
  ['POST /api/withdrawals', post('/api/withdrawals', () => ({})), /POST \/api\/operations\/withdrawal/],
  ['POST /api/transfers', post('/api/transfers', () => ({})), /POST \/api\/operations\/transfer/],
  ['POST /api/deposits', post('/api/deposits', () => ({})), /POST \/api\/operations\/deposit/],
  ['POST /api/swap', post('/api/swap', () => ({})), /POST \/api\/operations\/swap/],
  ['POST /api/operations', post('/api/operations', () => ({})), /POST \/api\/operations\/withdrawal/],
  ['POST /api/operations/withdrawals', post('/api/operations/withdrawals', () => ({})), /POST \/api\/operations\/withdrawal/],
  ['GET /api/operations', get('/api/operations'), /GET \/_sandbox\/operations/],
  ['GET /api/quotes', get('/api/quotes'), /GET \/_sandbox\/quotes/],
  ['GET /api/rates', get('/api/rates'), /POST \/api\/quotes/],
  ['GET /api/beneficiaries', get('/api/beneficiaries'), /GET \/_sandbox\/beneficiaries/],
  ['POST /api/recipients', post('/api/recipients', () => ({})), /POST \/api\/beneficiaries/],
  ['POST /api/webhooks', post('/api/webhooks', () => ({})), /\/api\/subscriptions/],
  ['GET /api/transactions', get('/api/transactions'), /GET \/api\/operations\/\{operationId\}/],
  ['GET /health', get('/health'), /\/_sandbox\/health\/ready/],
  [
    'cancel an operation',
    post('/api/operations/5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417/cancel', () => ({})),
    /POST \/_sandbox\/operations\/.*\/fail/,
  ],
  ['DELETE a subscription', send('DELETE', '/api/subscriptions/5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417'), /DELETE \/_sandbox\/subscriptions/],
  ['an operation that does not exist', get('/api/operations/5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417'), /5a1e9c02/],
  ['an id that is not a UUID', get('/api/operations/123'), /operationId: expected a UUID, such as .*got "123"/],
  // Headers and bodies
  ['no idempotency key', quoteWith({ 'x-idempotency-key': '' }), /Missing header X-Idempotency-Key\. Send a new UUID/],
  [
    'the header Idempotency-Key',
    quoteWith({ 'x-idempotency-key': '', 'idempotency-key': '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417' }),
    /X-Idempotency-Key; idempotency-key does not replace it/,
  ],
  ['a key that is not a UUID', quoteWith({ 'x-idempotency-key': 'order-1' }), /X-Idempotency-Key: expected a UUID.*got "order-1"/],
  ['no Content-Type', quoteWith({ 'content-type': '' }), /"Content-Type: application\/json"/],
  [
    'a form for a quote',
    quoteWith({ 'content-type': 'application/x-www-form-urlencoded' }),
    /"Content-Type: application\/json" and a JSON body/,
  ],
  ['text for a quote', quoteWith({ 'content-type': 'text/plain' }), /"Content-Type: application\/json"/],
  ['an unknown version', get('/api/accounts', { 'x-service-version': '9' }), null],
  // Quotes
  ['the field amount in a quote', quote({ amount: '10.00' }), /sourceAmount: .*"amount" is not a known field/],
  ['no amount', quote({}), /either sourceAmount or targetAmount/],
  ['both amounts', quote({ sourceAmount: '1.00', targetAmount: '1.00' }), /either sourceAmount or targetAmount, not both|only one/],
  ['an amount as a number', quote({ sourceAmount: 10 }), /as a string.*such as "1500\.00"; got the number 10/],
  ['an amount as an object', quote({ sourceAmount: { value: '10.00', asset: 'BRL' } }), /as a string.*got an object/],
  ['an amount with a comma', quote({ sourceAmount: '10,00' }), /with a decimal point.*got "10,00"/],
  ['an amount with three decimals', quote({ sourceAmount: '10.005' }), /at most 2 decimal places/],
  ['a negative amount', quote({ sourceAmount: '-5.00' }), /above zero/],
  ['an amount of zero', quote({ sourceAmount: '0.00' }), /above zero/],
  ['a currency in lower case', quote({ sourceAsset: 'brl', sourceAmount: '1.00' }), /did you mean "BRL"/],
  ['an unknown currency', quote({ sourceAsset: 'XYZ', sourceAmount: '1.00' }), /expected one of USD, BRL/],
  [
    'the field sourceCurrency',
    quote({ sourceAsset: undefined, sourceCurrency: 'BRL', sourceAmount: '1.00' }),
    /sourceAsset: .*"sourceCurrency" is not a known field/,
  ],
  [
    'the field targetCurrency',
    quote({ targetAsset: undefined, targetCurrency: 'BRL', sourceAmount: '1.00' }),
    /targetAsset: .*"targetCurrency" is not a known field/,
  ],
  ['the field destinationAmount', quote({ destinationAmount: '1.00' }), /"destinationAmount" is not a known field/],
  ['a quote for an unknown account', quote({ accountId: '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417', sourceAmount: '1.00' }), /5a1e9c02/],
  ['an account that is not a UUID', quote({ accountId: 'my-account', sourceAmount: '1.00' }), /accountId: expected a UUID/],
  // Transfers and withdrawals
  [
    'the field fromAccountId',
    transfer((each) => ({ fromAccountId: each.account, targetAccountId: each.other, amount: { value: '1.00', asset: 'BRL' } })),
    /sourceAccountId: .*"fromAccountId" is not a known field/,
  ],
  [
    'the field toAccountId',
    transfer((each) => ({ sourceAccountId: each.account, toAccountId: each.other, amount: { value: '1.00', asset: 'BRL' } })),
    /targetAccountId: .*"toAccountId" is not a known field/,
  ],
  [
    'a transfer with a string as amount',
    transfer((each) => ({ sourceAccountId: each.account, targetAccountId: each.other, amount: '1.00' })),
    /amount: expected an object with value, asset/,
  ],
  [
    'the field amount.currency',
    transfer((each) => ({ sourceAccountId: each.account, targetAccountId: each.other, amount: { value: '1.00', currency: 'BRL' } })),
    /amount\.asset: .*"currency" is not a known field/,
  ],
  [
    'a transfer to itself',
    transfer((each) => ({ sourceAccountId: each.account, targetAccountId: each.account, amount: { value: '1.00', asset: 'BRL' } })),
    /differs from sourceAccountId/,
  ],
  [
    'a transfer above the balance',
    transfer((each) => ({ sourceAccountId: each.account, targetAccountId: each.other, amount: { value: '999999999.00', asset: 'BRL' } })),
    null,
  ],
  ['a withdrawal without a beneficiary', withdrawal(() => ({})), /beneficiary: expected an object.*it is missing/],
  [
    'the field beneficiaryId',
    withdrawal(({ approved }) => ({ beneficiaryId: approved.id })),
    /beneficiary: .*"beneficiaryId" is not a known field/,
  ],
  ['a beneficiary as an id', withdrawal(({ approved }) => ({ beneficiary: approved.id })), /beneficiary: expected an object/],
  [
    'a beneficiary without a type',
    withdrawal(({ approved }) => ({ beneficiary: { id: approved.id } })),
    /beneficiary\.type: expected .*REFERENCE/,
  ],
  [
    'a beneficiary without an instruction',
    withdrawal(({ approved }) => ({ beneficiary: { type: 'REFERENCE', id: approved.id } })),
    /paymentInstruction: expected an object/,
  ],
  ['an inline beneficiary', withdrawal(() => ({ beneficiary: { type: 'INLINE' } })), /\/api\/beneficiaries|REFERENCE/],
  [
    'a withdrawal with an amount',
    withdrawal((facts) => ({ quoteId: undefined, amount: '1.00', ...reference(facts) })),
    /quoteId: expected a UUID/,
  ],
  [
    'a withdrawal with an unknown quote',
    withdrawal((facts) => ({ quoteId: '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417', ...reference(facts) })),
    /5a1e9c02/,
  ],
  ['the rail PIX for a deposit', deposit('PIX'), /did you mean "PIX_KEY"/],
  ['the rail pix_key', deposit('pix_key'), /did you mean "PIX_KEY"/],
  ['the rail SEPA for BRL', deposit('SEPA'), /PIX_KEY|BRL|rail/],
  // Beneficiaries
  ['the field birthDate', holder({ birthDate: '1993-06-21' }), /holder\.dateOfBirth: .*"birthDate" is not a known field/],
  ['a birthday as 21/06/1993', holder({ dateOfBirth: '21/06/1993' }), /yyyy-MM-dd/],
  ['a day that does not exist', holder({ dateOfBirth: '1993-02-30' }), /a date that exists/],
  ['a wrong CPF', holder({ dateOfBirth: '1993-06-21', taxId: { type: 'CPF', value: '161.803.398-06' } }), /a valid CPF, such as/],
  ['a tax id as text', holder({ dateOfBirth: '1993-06-21', taxId: '161.803.398-05' }), /taxId: expected an object with value, type/],
  [
    'a tax id of another kind',
    holder({ dateOfBirth: '1993-06-21', taxId: { type: 'cpf', value: '161.803.398-05' } }),
    /did you mean "CPF"/,
  ],
  ['a holder PERSON', beneficiary({ holder: { type: 'PERSON' } }), /did you mean "INDIVIDUAL"/],
  ['a holder BUSINESS', beneficiary({ holder: { type: 'BUSINESS' } }), /did you mean "COMPANY"/],
  ['recipient instead of holder', beneficiary({ holder: undefined, recipient: company }), /holder: .*"recipient" is not a known field/],
  ['no relationship', beneficiary({ relationshipType: undefined }), /relationshipType: expected one of/],
  ['a relationship in lower case', beneficiary({ relationshipType: 'third_party' }), /did you mean "THIRD_PARTY"/],
  ['the field keyType', pix({ keyType: 'EMAIL', dictKey: 'a@example.com' }), /dictKeyType: .*"keyType" is not a known field/],
  ['the field key', pix({ dictKeyType: 'EMAIL', key: 'a@example.com' }), /dictKey: .*"key" is not a known field/],
  ['email as a type of key', pix({ dictKeyType: 'email', dictKey: 'a@example.com' }), /did you mean "EMAIL"/],
  ['a telephone number without a country', pix({ dictKeyType: 'PHONE', dictKey: '48991234567' }), /such as "\+55/],
  ['an instruction of type pix', pix({ type: 'pix' }), /did you mean "PIX"/],
  ['an instruction of type SEPA', payee({ type: 'SEPA', asset: 'EUR', iban: 'DE89370400440532013000' }), /did you mean "BANK_ACCOUNT"/],
  ['EUR without a rail', bank({ asset: 'EUR', iban: 'DE89370400440532013000' }), /rail: expected one of SEPA, SWIFT for EUR/],
  [
    'USD without a rail',
    bank({ asset: 'USD', routingNumber: '021000021', accountNumber: '123456' }),
    /rail: expected one of SWIFT, WIRE, ACH for USD/,
  ],
  ['USD by SEPA', bank({ asset: 'USD', rail: 'SEPA', iban: 'DE89370400440532013000' }), /one of SWIFT, WIRE, ACH, which support USD/],
  [
    'an IBAN with wrong check digits',
    bank({ asset: 'EUR', rail: 'SEPA', iban: 'DE88370400440532013000' }),
    /with the check digits 89 after DE, such as "DE89370400440532013000"/,
  ],
  [
    'an IBAN of SWIFT with wrong check digits',
    bank({ asset: 'GBP', rail: 'SWIFT', bic: 'BUKBGB22', iban: 'GB28NWBK60161331926819' }),
    /with the check digits 29 after GB/,
  ],
  ['an IBAN that is too short', bank({ asset: 'EUR', rail: 'SEPA', iban: 'DE8937040044' }), /an IBAN of a country in SEPA, such as/],
  ['an IBAN outside of SEPA', bank({ asset: 'EUR', rail: 'SEPA', iban: 'AE070331234567890123456' }), /a country in SEPA/],
  [
    'an ABA number with a wrong check digit',
    bank({ asset: 'USD', rail: 'WIRE', routingNumber: '021000022', accountNumber: '123456' }),
    /with the check digit 1 at its end, such as "021000021"/,
  ],
  [
    'an ABA number of 8 digits',
    bank({ asset: 'USD', rail: 'ACH', routingNumber: '02100002', accountNumber: '123456' }),
    /of 9 digits, such as/,
  ],
  ['a wrong BIC', bank({ asset: 'GBP', rail: 'SWIFT', bic: 'BUKB', iban: 'GB29NWBK60161331926819' }), /a BIC of 8 or 11 characters/],
  [
    'an IBAN and an account number',
    bank({ asset: 'GBP', rail: 'SWIFT', bic: 'BUKBGB22', iban: 'GB29NWBK60161331926819', accountNumber: '1' }),
    /not both/,
  ],
  [
    'a branch of 3 digits',
    bank({ asset: 'BRL', bankCode: '341', branch: '001', accountNumber: '123456-7' }),
    /a branch number of 4 digits/,
  ],
  [
    'an EVM address with a wrong checksum',
    wallet({ address: '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1Beaed' }),
    /checksum \(EIP-55\).*such as "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"/,
  ],
  ['an EVM address of 39 digits', wallet({ address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae' }), /an address on ETHEREUM, such as/],
  ['an address of TRON on ETHEREUM', wallet({ address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }), /an address on ETHEREUM, such as "0x/],
  [
    'USDT on SOLANA',
    wallet({ asset: 'USDT', network: 'SOLANA', address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' }),
    /ETHEREUM, TRON, which support USDT/,
  ],
  [
    'the field chain',
    wallet({ network: undefined, chain: 'ETHEREUM', address: '0x52908400098527886E0F7030069857D2E4169EE7' }),
    /network: .*"chain" is not a known field/,
  ],
  // Accounts
  ['an account without assets', post('/api/accounts', () => ({ owner: company })), /assets: expected a list/],
  ['assets as texts', post('/api/accounts', () => ({ assets: ['BRL'], owner: company })), /assets\[0\]: expected an object with code/],
  [
    'dateOfBirth of an owner',
    account({ type: 'INDIVIDUAL', firstName: 'Lia', lastName: 'T', dateOfBirth: 'x', birthDate: 'x' }),
    /yyyy-MM-dd|birthDate|taxId/,
  ],
  [
    'an address with zip',
    account({
      industry: 'WHOLESALE',
      incorporateDate: '2019-05-02',
      address: { addressLine1: 'Rua 1', city: 'Recife', state: 'PE', country: 'BR', zip: '50030-230' },
    }),
    /postalCode: .*"zip" is not a known field/,
  ],
  [
    'a country by its name',
    account({ address: { addressLine1: 'Rua 1', city: 'Recife', state: 'PE', country: 'Brazil', postalCode: '50030-230' } }),
    /country: expected .*"BR"|country: expected .*two/i,
  ],
  // Lists
  ['sortOrder=asc', get('/api/accounts?sortOrder=asc'), /did you mean "ASCENDING"/],
  ['sortOrder=desc', get('/api/accounts?sortOrder=desc'), /did you mean "DESCENDING"/],
  ['limit=1000', get('/api/accounts?limit=1000'), /from 1 to 100/],
  ['a wrong cursor', get('/api/accounts?cursor=2'), /cursor/],
  ['filters=status=ACTIVE', get('/api/accounts?filters=status=ACTIVE'), /an operator, for example \[eq\]/],
  ['a filter on a field that does not exist', get('/api/accounts?filters=name[eq]=x'), /name/],
  ['page=2', get('/api/accounts?page=2'), null],
  ['sort=asc', get('/api/accounts?sort=asc'), null],
  ['offset=10', get('/api/accounts?offset=10'), null],
  // Subscriptions
  [
    'events in a subscription',
    subscribe({ events: ['OPERATION_COMPLETED'] }),
    /for example \[\{"name":"OPERATION".*"events" is not a known field/,
  ],
  ['no events', subscribe({}), /or includeAll: true/],
  [
    'the field callbackUrl',
    subscribe({ url: undefined, callbackUrl: 'http://127.0.0.1:9000', includeAll: true }),
    /url: .*"callbackUrl" is not a known field/,
  ],
  ['a webhook URL without a scheme', subscribe({ url: 'localhost:9000/hooks', includeAll: true }), /http/],
  ['an unknown event', subscribe({ resources: [{ name: 'OPERATION', events: ['OPERATION_DONE'] }] }), /expected one of OPERATION_/],
  [
    'an event of another resource',
    subscribe({ resources: [{ name: 'ACCOUNT', events: ['OPERATION_COMPLETED'] }] }),
    /ASSET_ACTIVATED, the events of ACCOUNT/,
  ],
  // Control API
  ['a clock mode in lower case', control('PUT', '/clock', { mode: 'frozen' }), /did you mean "FROZEN"/],
  ['the clock mode PAUSE', control('PUT', '/clock', { mode: 'PAUSE' }), /did you mean "FROZEN"/],
  ['an advance by a number', control('POST', '/clock/advance', { by: 60 }), /such as "30s"; got the number 60/],
  ['an advance by "1 minute"', control('POST', '/clock/advance', { by: '1 minute' }), /such as "30s"/],
  ['an unknown scenario', control('PUT', '/scenario', { name: 'compliance-hodl' }), /Did you mean "compliance-hold"/],
  ['a scenario as text', control('PUT', '/scenario', '"default"'), /an object with name/],
  ['an unknown name in settings', control('PUT', '/settings', { usdValue: { BRL: '1' } }), /known fields: rates/],
  ['a rate as a number', control('PUT', '/settings', { rates: { 'BRL/USD': 0.2 } }), /as a string.*such as "0\.1850"/],
  ['a fault without an effect', control('POST', '/faults', { on: 'REQUEST' }), /effect/],
  ['a fault on requests', control('POST', '/faults', { on: 'REQUESTS', effect: { status: 503 } }), /did you mean "REQUEST"/],
  ['GET one operation of the sandbox', control('GET', '/operations/5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417'), /filters=id\[eq\]/],
  ['a world that does not exist', () => harness.control('GET', '/clock', undefined, 'nope'), /nope/],
];

/** Sends a quote request with these headers. */
function quoteWith(headers: Record<string, string>): Call {
  return ({ account: accountId }) =>
    harness.api('POST', '/api/quotes', { body: { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1.00' }, headers });
}

/** Words of a library or JavaScript engine, which would mislead users. */
const misleading = /undefined|\[object|\bNaN\b|zod|regex|schema|discriminator/i;

const textOf = ({ body }: TestResponse) =>
  [body?.message as string, ...((body?.details?.errors ?? []) as { message: string }[]).map(({ message }) => message)].join('\n');

describe('a frequent error', () => {
  it.each(requests.filter(([, , hint]) => hint !== null))('in a request gets a helpful hint: %s', async (_what, call, hint) => {
    const answer = await call(known);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(textOf(answer)).toMatch(hint!);
    expect(textOf(answer)).not.toMatch(misleading);
  });

  it.each(requests.filter(([, , hint]) => hint === null))('that the contract accepts gets no error response: %s', async (_what, call) => {
    expect((await call(known)).status).toBeLessThan(400);
  });

  it('is one of at least 145 tested errors, of which at most ten get no error response', () => {
    const all = [...requests, ...commands, ...settings];
    expect(all.length).toBeGreaterThanOrEqual(145);
    expect(requests.filter(([, , hint]) => hint === null).length).toBeLessThanOrEqual(10);
  });
});

const commands: readonly (readonly [line: string, hint: RegExp])[] = [
  ['crossborder-sandbox complte @last', /did you mean "complete"/],
  ['crossborder-sandbox fault', /fault add/],
  ['crossborder-sandbox fault add', /--on/],
  ['crossborder-sandbox clock stop', /freeze, run/],
  ['crossborder-sandbox advance', /a duration, --to, --until-idle or --next/],
  ['crossborder-sandbox advance --by 1m', /--by/],
  ['crossborder-sandbox scenario use', /<?name>?/],
  ['crossborder-sandbox listen', /--forward-to is missing/],
  ['crossborder-sandbox settings set quoteTtl', /path=text/],
  ['crossborder-sandbox status --url 127.0.0.1:9', /a URL, for example http/],
  ['crossborder-sandbox status --url http://127.0.0.1:9', /No sandbox responds at http:\/\/127\.0\.0\.1:9/],
];

describe('a frequent error at the command line gets a helpful hint', () => {
  it.each(commands)('%s', async (line, hint) => {
    const { code, stderr } = await typed(line);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toMatch(hint);
  });
});

const settings: readonly (readonly [args: string[], hint: RegExp])[] = [
  [['--prot', '4020'], /did you mean --port/],
  [['--port', '99999'], /from 0 to 65535/],
  [['4020'], /write settings as --name value/],
  [['--log-level', 'verbose'], /one of fatal, error, warn, info/],
  [['--data', 'mysql://x'], /a directory, "memory", or postgres/],
];

describe('a frequent error in the settings gets a helpful hint', () => {
  it.each(settings)('%j', (args, hint) => {
    expect(() => readSettings(args, {})).toThrow(hint);
  });
});
