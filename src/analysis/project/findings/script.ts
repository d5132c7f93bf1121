import { publicRoutes } from '../../../contract/public/routes.js';
import type { OperationId } from '../../../contract/public/routes.js';

/**
 * One request of an example that any HTTP client can send. Strings refer to earlier responses in double braces:
 * `{{quote.id}}` is the `id` in the response stored as `quote`, `{{key.first}}` is a UUID.
 */
export interface Step {
  /** The target: the sandbox, or the test receiver of webhooks, which also lets real time pass. */
  readonly to: 'sandbox' | 'receiver';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as sent; null for none. */
  readonly body: string | null;
  /** The name under which the response is stored; null if it is not stored. */
  readonly as: string | null;
  /** The expected status: `lost` for no response, 2 for any 2xx. */
  readonly expect: number | 'lost';
  /** The name of the connection to use. */
  readonly connection: string;
  /** Time after which the client gives up waiting for the response, in milliseconds; null to wait. */
  readonly timeoutMs: number | null;
}

/** The requests of an example, in order. */
export type Script = readonly Step[];

/** A request to the API. */
export interface Ask {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  /** The body as sent, if it is not JSON. */
  readonly text?: string;
  /** The name of the idempotency key. Default: a new key. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name of the token; null for none. */
  readonly token?: string | null;
  readonly as?: string;
  readonly expect?: number | 'lost';
  readonly connection?: string;
  readonly timeoutMs?: number;
}

let ownKeys = 0;

/** Returns the step that calls an operation. */
export function ask(operationId: OperationId, given: Ask = {}): Step {
  const route = publicRoutes.find((each) => each.operationId === operationId)!;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => given.params?.[name] ?? `{{${name}}}`);
  return send(route.method.toUpperCase(), path + (given.query === undefined ? '' : `?${given.query}`), given);
}

/** Returns the step that sends a request to any path, inside or outside the API. */
export function send(method: string, path: string, given: Ask): Step {
  const { body, text, token = 'token', headers = {}, as = null, expect = 2, connection = 'main', timeoutMs = null } = given;
  const isKeyed = method !== 'GET' && !path.startsWith('/api/oauth');
  const all = {
    ...(token === null ? {} : { Authorization: `Bearer {{${token}.accessToken}}` }),
    ...(isKeyed ? { 'X-Idempotency-Key': `{{key.${given.key ?? `own${(ownKeys += 1)}`}}}` } : {}),
    ...headers,
  };
  return { ...step('sandbox', connection, method, path, text ?? jsonOf(body), all), as, expect, timeoutMs };
}

/** Returns the step of a request that is expected to succeed. @param body the body as sent; null for none */
function step(to: Step['to'], connection: string, method: string, path: string, body: string | null, given: Step['headers'] = {}): Step {
  const headers = { ...(body === null ? {} : { 'Content-Type': 'application/json' }), ...given };
  return { to, method, path, headers, body, as: null, expect: 2, connection, timeoutMs: null };
}

const jsonOf = (body: unknown) => (body === undefined ? null : JSON.stringify(body));

/** Requests a token. */
export const token = (as = 'token', connection = 'main') =>
  ask('createToken', { token: null, as, connection, body: { clientId: '{{clientId}}', clientSecret: '{{clientSecret}}' } });

/** Requests a quote for an amount in BRL. */
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

/** Pays the amount of a quote out to the beneficiary that {@link register} made. */
export const withdrawToRegistered = (given: Ask = {}) =>
  ask('createWithdrawal', {
    as: 'withdrawal',
    body: {
      accountId: '{{account}}',
      quoteId: '{{quote.id}}',
      beneficiary: {
        type: 'REFERENCE',
        id: '{{beneficiary.id}}',
        paymentInstruction: { type: 'REFERENCE', id: '{{beneficiary.paymentInstruction.id}}' },
      },
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

/** Registers a beneficiary. */
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

/** Sends a request to the control API. */
export function control(method: string, path: string, body?: unknown): Step {
  return step('sandbox', 'control', method, `/_sandbox${path}`, jsonOf(body), { 'X-Sandbox-World': '{{world}}' });
}

/** Injects a fault into requests of an operation. Default: once. */
export const injectFault = (operationId: OperationId, effect: object, more: object = {}) =>
  control('POST', '/faults', { on: 'REQUEST', when: { operationId }, times: 1, effect, ...more });

/** Loses the response of the next request of an operation, after the request took effect. */
export const loseResponse = (operationId: OperationId) => injectFault(operationId, { connectionReset: true }, { phase: 'after_commit' });

/** Injects a fault into the next delivery of an event type. */
export const misdeliver = (eventType: string, effect: object) =>
  control('POST', '/faults', { on: 'DELIVERY', when: { eventType }, times: 1, effect });

/** Advances the clock of the world and runs everything due. */
export const advance = (by: string) => control('POST', '/clock/advance', { by });

/** Waits until no webhook delivery is in progress. */
export const settle = () => control('POST', '/deliveries/flush');

/** Lets real time pass. */
export const pass = (ms: number): Step => tell(`/pass?ms=${ms}`);

/**
 * Sets the next responses of the receiver, in order; all later responses are 200. `afterMs` delays a response, and with `looksBack` the
 * receiver reads the operation of the event first.
 */
export const answers = (
  ...list: readonly { status: number; headers?: Readonly<Record<string, string>>; afterMs?: number; looksBack?: true }[]
): Step => tell('/answers', list);

/** Ends the example, so that the final findings appear. */
export const end = () => control('GET', '/findings?final=true');

function tell(path: string, body?: unknown): Step {
  return step('receiver', 'receiver', 'POST', path, jsonOf(body));
}
