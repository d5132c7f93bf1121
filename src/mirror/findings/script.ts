import { publicRoutes } from '../../contract/public/routes.js';
import type { OperationId } from '../../contract/public/routes.js';

/**
 * One request of an example, as any HTTP client can send it. Texts may name what came before in double braces:
 * `{{quote.id}}` is the `id` of the answer that was kept as `quote`, `{{key.first}}` a UUID of its own.
 */
export interface Step {
  /** The sandbox; or the receiver of webhooks, which also tells the time. */
  readonly to: 'sandbox' | 'receiver';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it is sent; null for none. */
  readonly body: string | null;
  /** What the answer is kept as. */
  readonly as: string | null;
  /** The status that shows that the example is what it means to be, or that no answer comes; 2 for any of the 200s. */
  readonly expect: number | 'lost';
  /** Which of its connections it goes over. */
  readonly connection: string;
}

/** What somebody does, from the first request to the last. */
export type Script = readonly Step[];

/** A request to the API. */
export interface Ask {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  /** The body as it is sent, where JSON would not say it. */
  readonly text?: string;
  /** The name of its idempotency key; one of its own unless told otherwise. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name that its token was kept as; null for none. */
  readonly token?: string | null;
  readonly as?: string;
  readonly expect?: number | 'lost';
  readonly connection?: string;
}

let ownKeys = 0;

/** Calls an operation. */
export function ask(operationId: OperationId, given: Ask = {}): Step {
  const route = publicRoutes.find((each) => each.operationId === operationId)!;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => given.params?.[name] ?? `{{${name}}}`);
  return send(route.method.toUpperCase(), path + (given.query === undefined ? '' : `?${given.query}`), given);
}

/** Sends a request to a path, whether it is one of the API or not. */
export function send(method: string, path: string, given: Ask): Step {
  const { body, text, token = 'token', headers = {}, as = null, expect = 2, connection = 'main' } = given;
  const isKeyed = method !== 'GET' && !path.startsWith('/api/oauth');
  return {
    to: 'sandbox',
    method,
    path,
    headers: {
      ...(token === null ? {} : { Authorization: `Bearer {{${token}.accessToken}}` }),
      ...(isKeyed ? { 'X-Idempotency-Key': `{{key.${given.key ?? `own${(ownKeys += 1)}`}}}` } : {}),
      ...(body === undefined && text === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: text ?? (body === undefined ? null : JSON.stringify(body)),
    as,
    expect,
    connection,
  };
}

/** Asks for a token. */
export const token = (as = 'token', connection = 'main') =>
  ask('createToken', { token: null, as, connection, body: { clientId: '{{clientId}}', clientSecret: '{{clientSecret}}' } });

/** Asks what an amount in BRL would be. */
export const quote = ({ as = 'quote', sourceAmount = '150.00', ...given }: Ask & { sourceAmount?: string } = {}) =>
  ask('createQuote', { as, body: { accountId: '{{account}}', sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount }, ...given });

/** Pays the amount of a quote out. */
export const withdraw = ({ of = 'quote', to = 'approved', ...given }: Ask & { of?: string; to?: 'approved' | 'pending' } = {}) =>
  ask('createWithdrawal', {
    as: 'withdrawal',
    body: {
      accountId: '{{account}}',
      quoteId: `{{${of}.id}}`,
      beneficiary: { type: 'REFERENCE', id: `{{${to}.id}}`, paymentInstruction: { type: 'REFERENCE', id: `{{${to}.instruction}}` } },
    },
    ...given,
  });

/** Moves money to the other account. */
export const transfer = ({ value = '25.00', ...given }: Ask & { value?: unknown } = {}) =>
  ask('createTransfer', {
    as: 'transfer',
    body: { sourceAccountId: '{{account}}', targetAccountId: '{{otherAccount}}', amount: { value, asset: 'BRL' } },
    ...given,
  });

/** Registers somebody to pay. */
export const register = ({ lastName = 'Menezes', ...given }: Ask & { lastName?: string } = {}) =>
  ask('createBeneficiary', {
    as: 'beneficiary',
    body: {
      holder: { type: 'INDIVIDUAL', firstName: 'Caio', lastName, taxId: { type: 'CPF', value: '31415926590' }, dateOfBirth: '1991-11-02' },
      relationshipType: 'THIRD_PARTY',
      paymentInstruction: { type: 'PIX', asset: 'BRL', dictKeyType: 'EMAIL', dictKey: 'caio.menezes@example.com' },
    },
    ...given,
  });

/** Subscribes a path of the receiver to all events. */
export const subscribe = ({ at = '/hook', as = 'subscription', ...given }: Ask & { at?: string } = {}) =>
  ask('createSubscription', { as, body: { url: `{{receiver}}${at}`, includeAll: true, allowRetry: true }, ...given });

/** Asks something of the control plane. */
export function control(method: string, path: string, body?: unknown): Step {
  const headers = { 'X-Sandbox-World': '{{world}}', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
  const text = body === undefined ? null : JSON.stringify(body);
  return { to: 'sandbox', method, path: `/_sandbox${path}`, headers, body: text, as: null, expect: 2, connection: 'control' };
}

/** Has requests of an operation go wrong, once unless told otherwise. */
export const strike = (operationId: OperationId, effect: object, more: object = {}) =>
  control('POST', '/faults', { on: 'REQUEST', when: { operationId }, times: 1, effect, ...more });

/** Loses the answer of the next request of an operation, after it has taken effect. */
export const lose = (operationId: OperationId) => strike(operationId, { connectionReset: true }, { phase: 'after_commit' });

/** Has a delivery of a type go wrong, once. */
export const misdeliver = (eventType: string, effect: object) =>
  control('POST', '/faults', { on: 'DELIVERY', when: { eventType }, times: 1, effect });

/** Moves the time of the world on, and all that is due by then. */
export const advance = (by: string) => control('POST', '/clock/advance', { by });

/** Waits until no webhook is on its way. */
export const settle = () => control('POST', '/deliveries/flush');

/** Lets real time pass. */
export const pass = (ms: number): Step => tell(`/pass?ms=${ms}`);

/** What the receiver answers next, one after another; then 200. It may take its time, in milliseconds, or read the operation of the event before. */
export const answers = (
  ...list: readonly { status: number; headers?: Readonly<Record<string, string>>; afterMs?: number; looksBack?: true }[]
): Step => tell('/answers', list);

/** Ends the story, so that what only the end can show is shown. */
export const end = () => control('GET', '/findings?final=true');

function tell(path: string, body?: unknown): Step {
  const headers: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const text = body === undefined ? null : JSON.stringify(body);
  return { to: 'receiver', method: 'POST', path, headers, body: text, as: null, expect: 2, connection: 'receiver' };
}
