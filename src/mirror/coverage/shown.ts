import { listOf, objectOf, textOf, type Json } from '../findings/call.js';
import type { ShownKind } from '../../contract/shared/kinds.js';

/** What an answer or an event shows of a resource: how it stands, and how it came to that, as far as it tells. */
export interface Shown {
  readonly kind: ShownKind;
  readonly id: string;
  /** Statuses in their order, the present one last. Only the present one where the API tells no more. */
  readonly statuses: readonly string[];
  readonly reasons: readonly string[];
  /** Of an operation. */
  readonly intent?: string;
}

/** What a resource with a history or a present state shows. */
function standing(kind: ShownKind, value: Json): Shown[] {
  const states = value['states'] === undefined ? [objectOf(value['currentState'])] : listOf(value['states']);
  const statuses = states.flatMap((each) => textOf(each['status']) ?? []);
  const reasons = states.flatMap((each) => textOf(objectOf(each['reason'])['code']) ?? []);
  return textOf(value['id']) === undefined || statuses.length === 0 ? [] : [{ kind, id: String(value['id']), statuses, reasons }];
}

function operation(value: Json): Shown[] {
  const intent = textOf(objectOf(value['intent'])['type']);
  return standing('OPERATION', value).map((each) => (intent === undefined ? each : { ...each, intent }));
}

/** What has a status and no more. */
const bare = (kind: ShownKind, id: unknown, status: unknown): Shown[] =>
  textOf(id) === undefined || textOf(status) === undefined ? [] : [{ kind, id: String(id), statuses: [String(status)], reasons: [] }];

function beneficiary(value: Json): Shown[] {
  const instructions = listOf(value['paymentInstructions']).flatMap((each) => standing('PAYMENT_INSTRUCTION', each));
  return [...bare('BENEFICIARY', value['id'], value['status']), ...instructions];
}

function account(value: Json): Shown[] {
  const id = String(value['id']);
  const owners = listOf(objectOf(value['owner'])['ubos']).flatMap((each) => standing('UBO', each));
  const assets = listOf(value['assets']).flatMap((each) => bare('ASSET', `${id}/${String(each['asset'])}`, each['status']));
  return [...standing('ACCOUNT', value), ...owners, ...assets];
}

/** The reasons for which documents of an account were rejected. */
export function documentReasons(operationId: string | null, answer: Json): string[] {
  const accounts = operationId === 'listAccounts' ? listOf(answer['data']) : [];
  const errors = accounts.flatMap((each) => listOf(objectOf(each['requirements'])['errors']));
  return errors.flatMap((each) => textOf(objectOf(each['reason'])['code']) ?? []);
}

/** What the answers of operations show. Those that are not here show no status of anything. */
const answers: Readonly<Record<string, (answer: Json) => Shown[]>> = {
  createWithdrawal: operation,
  createTransfer: operation,
  createSwap: operation,
  createDeposit: operation,
  getOperation: operation,
  createBeneficiary: beneficiary,
  getBeneficiary: beneficiary,
  createUbo: (answer) => standing('UBO', answer),
  getUbo: (answer) => standing('UBO', answer),
  updateUbo: (answer) => standing('UBO', answer),
  createAccount: account,
  listAccounts: (answer) => listOf(answer['data']).flatMap(account),
};

/** Whether the answers of an operation show the status of anything. */
export function showsStatuses(operationId: string | null): boolean {
  return operationId !== null && Object.hasOwn(answers, operationId);
}

/** What an answer shows, given the operation that it is of. */
export function shownByAnswer(operationId: string, answer: Json): Shown[] {
  return answers[operationId]!(answer);
}

/** What an event shows. */
export function shownByEvent(eventType: string, payload: Json): Shown[] {
  if (eventType.startsWith('OPERATION_')) return operation(payload);
  if (eventType === 'ASSET_ACTIVATED') {
    const assets = Array.isArray(payload['assets']) ? payload['assets'] : [];
    return assets.flatMap((each) => bare('ASSET', `${String(payload['accountId'])}/${String(each)}`, 'ACTIVE'));
  }
  const instruction = objectOf(payload['instruction']);
  return bare('PAYMENT_INSTRUCTION', instruction['id'], instruction['status']);
}
