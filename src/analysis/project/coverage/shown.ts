import type { ShownKind } from '../../../contract/shared/kinds.js';

/** The status of a resource in a response or webhook, with the earlier statuses if they are included. */
export interface ShownStatus {
  readonly kind: ShownKind;
  readonly id: string;
  /** The statuses, oldest first; only the current status if the resource has no history. */
  readonly statuses: readonly string[];
  readonly reasons: readonly string[];
  /** The intent of an operation. */
  readonly intent?: string;
  /** Id of the beneficiary of a payment instruction in an event. */
  readonly within?: string;
}

interface State {
  readonly status: string;
  readonly reason?: { readonly code: string } | null;
}

/** A resource in the API: with its history, or only with its current state. */
interface Resource {
  readonly id: string;
  readonly states?: readonly State[];
  readonly currentState: State;
}

interface Operation extends Resource {
  readonly intent?: { readonly type: string };
}

interface Beneficiary {
  readonly id: string;
  readonly status: string;
  readonly paymentInstructions?: readonly Resource[];
}

interface Account extends Resource {
  readonly owner: { readonly ubos?: readonly Resource[] };
  readonly assets?: readonly { readonly asset: string; readonly status: string }[];
  readonly requirements?: { readonly errors?: readonly { readonly reason: { readonly code: string } }[] };
}

function resource(kind: ShownKind, { id, states, currentState }: Resource): ShownStatus {
  const all = states ?? [currentState];
  const reasons: string[] = [];
  for (const { reason } of all) if (reason) reasons.push(reason.code);
  return { kind, id, statuses: all.map(({ status }) => status), reasons };
}

function operation(value: Operation): ShownStatus[] {
  const { kind, id, statuses, reasons } = resource('OPERATION', value);
  const { type: intent } = value.intent ?? {};
  return [intent === undefined ? { kind, id, statuses, reasons } : { kind, id, statuses, reasons, intent }];
}

const bare = (kind: ShownKind, id: string, status: string): ShownStatus => ({ kind, id, statuses: [status], reasons: [] });

const beneficiary = ({ id, status, paymentInstructions = [] }: Beneficiary): ShownStatus[] => [
  bare('BENEFICIARY', id, status),
  ...paymentInstructions.map((each) => resource('PAYMENT_INSTRUCTION', each)),
];

const account = (value: Account): ShownStatus[] => [
  resource('ACCOUNT', value),
  ...(value.owner.ubos ?? []).map((each) => resource('UBO', each)),
  ...(value.assets ?? []).map(({ asset, status }) => bare('ASSET', `${value.id}/${asset}`, status)),
];

const ubo = (value: Resource) => [resource('UBO', value)];

/** Readers of the statuses in responses, by operation. Other operations return no status. */
const responses: Readonly<Record<string, (value: never) => ShownStatus[]>> = {
  createWithdrawal: operation,
  createTransfer: operation,
  createSwap: operation,
  createDeposit: operation,
  getOperation: operation,
  createBeneficiary: beneficiary,
  getBeneficiary: beneficiary,
  createUbo: ubo,
  getUbo: ubo,
  updateUbo: ubo,
  createAccount: account,
  listAccounts: account,
};

/** True if the responses of an operation contain a status. */
export const showsStatuses = (operationId: string) => Object.hasOwn(responses, operationId);

/** Returns the resources in the data of a response: those of a page, or a single one. */
export function resourcesIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  const { data } = value as { data?: unknown };
  return Array.isArray(data) ? (data as object[]) : [value];
}

/** Returns the statuses that a resource in the response of an operation shows. */
export function shownByResponse(operationId: string, value: object): ShownStatus[] {
  return responses[operationId]!(value as never);
}

/** Returns the reasons why documents of a listed account were rejected; empty for other operations. */
export function documentReasons(operationId: string, value: object): string[] {
  const errors = operationId === 'listAccounts' ? ((value as Account).requirements?.errors ?? []) : [];
  return errors.map(({ reason }) => reason.code);
}

/** Returns the statuses in the event of a webhook. */
export function shownByEvent(eventType: string, payload: unknown): ShownStatus[] {
  if (eventType.startsWith('OPERATION_')) return operation(payload as Operation);
  if (eventType === 'ASSET_ACTIVATED') {
    const { accountId, assets } = payload as { accountId: string; assets: readonly string[] };
    return assets.map((each) => bare('ASSET', `${accountId}/${each}`, 'ACTIVE'));
  }
  const { id: within, instruction } = payload as { id: string; instruction: { id: string; status: string } };
  return [{ ...bare('PAYMENT_INSTRUCTION', instruction.id, instruction.status), within }];
}
