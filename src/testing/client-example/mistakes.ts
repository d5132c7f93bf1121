/** Lines that must not compile and never run. The compiler reports an error if one of these lines is correct. */
import createClient from 'openapi-fetch';
import type { paths as ControlPaths } from './control.js';
import type { components, paths } from './public.js';

const api = createClient<paths>();
const control = createClient<ControlPaths>();
const keyed = { header: { 'X-Idempotency-Key': 'a key' } };

// @ts-expect-error -- unknown path
void api.POST('/api/operations/withdraw', { params: keyed });
// @ts-expect-error -- the path has no DELETE
void api.DELETE('/api/accounts');
// @ts-expect-error -- a write needs its idempotency key
void api.POST('/api/operations/swap', { body: { accountId: '', quoteId: '' } });
// @ts-expect-error -- misspelt field
void api.POST('/api/operations/swap', { params: keyed, body: { accountId: '', quoteID: '' } });
// @ts-expect-error -- missing field
void api.POST('/api/operations/swap', { params: keyed, body: { accountId: '' } });
// @ts-expect-error -- unknown asset
void api.POST('/api/accounts', { params: keyed, body: { assets: [{ code: 'XYZ' }], owner } });
// @ts-expect-error -- amounts are decimal strings
void api.POST('/api/quotes', { params: keyed, body: { accountId: '', sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: 1 } });
// @ts-expect-error -- the owner of an individual account has no legal name
owner = { type: 'INDIVIDUAL', legalName: '', taxId, address };
// @ts-expect-error -- unknown status
void (operation.currentState.status === 'SETTLED');
// @ts-expect-error -- only a PIX payment has an end-to-end id
void operation.transactions[0]?.endToEnd;
// @ts-expect-error -- unknown query parameter
void api.GET('/api/accounts', { params: { query: { page: 2 } } });
// @ts-expect-error -- a clock has two modes
void control.PUT('/_sandbox/clock', { body: { mode: 'STOPPED' } });

declare let owner: components['schemas']['OwnerRequest'];
declare const operation: components['schemas']['Operation'];
declare const taxId: components['schemas']['TaxIdRequest'];
declare const address: components['schemas']['AddressRequest'];
