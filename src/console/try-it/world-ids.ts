import type { Account } from '../../contract/public/accounts.js';
import type { Beneficiary } from '../../contract/public/beneficiaries.js';
import type { Operation } from '../../contract/public/operations.js';
import type { Subscription } from '../../contract/public/webhooks.js';
import type { RecordEntry } from '../../contract/control/analysis/record.js';
import type { Status } from '../../contract/control/status.js';
import { get, urlPath } from '../api.js';
import { shortId } from '../parts/id.js';
import { amountText, inWords, movedText, nameOf } from '../parts/words.js';

interface Amount {
  readonly value: string;
  readonly asset: string;
}

/** An account with its balances. */
export type Funded = Account & { readonly balances: readonly Amount[] };

interface Quote {
  readonly id: string;
  readonly account: { readonly id: string };
  readonly sourceAmount: Amount;
  readonly targetAmount: Amount;
  readonly consumedAt: string | null;
  readonly expiresAt: string;
}

/** The resources of a world whose ids requests contain. */
export interface WorldIds {
  readonly accounts: readonly Funded[];
  readonly beneficiaries: readonly Beneficiary[];
  readonly operations: readonly Operation[];
  readonly subscriptions: readonly Subscription[];
  /** Unused quotes that have not expired. */
  readonly quotes: readonly Quote[];
  readonly attempts: readonly Extract<RecordEntry, { kind: 'ATTEMPT' }>[];
  /** World time. */
  readonly now: string;
  /** URL of the sandbox for the sandbox itself. */
  readonly internalUrl: string;
}

/** The number of listed accounts whose balances are read: one request for each. */
const mostBalances = 20;

const listed = async <T>(path: string): Promise<readonly T[]> => (await get<{ data: readonly T[] }>(path)).data;

/** Reads the resources of the open world, of each kind the newest 100. @throws ApiError */
export async function readWorldIds(): Promise<WorldIds> {
  const [accounts, beneficiaries, operations, subscriptions, quotes, entries, { now }, { internalUrl }] = await Promise.all([
    listed<Account>('/accounts?limit=100'),
    listed<Beneficiary>('/beneficiaries?limit=100'),
    listed<Operation>('/operations?limit=100'),
    listed<Subscription>('/subscriptions?limit=100'),
    listed<Quote>('/quotes?limit=100&filters=consumedAt[eq]=null'),
    listed<RecordEntry>('/requests?kind=ATTEMPT&limit=100'),
    get<{ now: string }>('/clock'),
    get<Status>(''),
  ]);
  // An account has money only after it was active once.
  const active = accounts.filter(({ currentState }) => currentState.status === 'ACTIVE').slice(0, mostBalances);
  const balances = new Map(
    await Promise.all(active.map(async ({ id }) => [id, (await get<Funded>(urlPath`/accounts/${id}`)).balances] as const)),
  );
  return {
    accounts: accounts.map((account) => ({ ...account, balances: balances.get(account.id) ?? [] })),
    beneficiaries,
    operations,
    subscriptions,
    quotes: quotes.filter(({ expiresAt }) => expiresAt > now),
    attempts: entries.filter((entry) => entry.kind === 'ATTEMPT'),
    now,
    internalUrl: internalUrl ?? location.origin,
  };
}

/** A resource that the user can choose for an id. */
export interface Choice {
  readonly id: string;
  readonly name: string;
}

const statusText = (status: string): string => (status === 'ACTIVE' || status === 'APPROVED' ? '' : `, ${inWords(status)}`);

const accountName = ({ owner, currentState, balances }: Funded): string =>
  `${nameOf(owner)}${statusText(currentState.status)}${balances.length > 0 ? `: ${balances.map(amountText).join(', ')}` : ''}`;

/**
 * Returns the choices for each kind of id in a request.
 * @param within the ids that the request has now: owners depend on the account, payment instructions on the beneficiary, and execution logs on
 * the subscription
 */
export function choicesOf(
  world: WorldIds,
  within: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, readonly Choice[]>> {
  const { accountId, beneficiaryId, subscriptionId } = within;
  const accounts = world.accounts.map((account) => ({ id: account.id, name: accountName(account) }));
  const ownersOf = world.accounts.find(({ id }) => id === accountId)?.owner;
  const owners = ownersOf?.type === 'COMPANY' ? ownersOf.ubos : [];
  return {
    accountId: accounts,
    sourceAccountId: accounts,
    targetAccountId: accounts,
    uboId: owners.map(({ id, name, currentState }) => ({ id, name: name + statusText(currentState.status) })),
    beneficiaryId: world.beneficiaries.map(({ id, holder, status }) => ({ id, name: nameOf(holder) + statusText(status) })),
    paymentInstructionId: (world.beneficiaries.find(({ id }) => id === beneficiaryId)?.paymentInstructions ?? []).map(
      ({ id, type, asset, status }) => ({ id, name: `${type} ${asset}${statusText(status)}` }),
    ),
    operationId: world.operations.map(({ id, intent, sourceAmount, targetAmount, currentState }) => ({
      id,
      name: `${intent.type.toLowerCase()} ${movedText({ source: sourceAmount, target: targetAmount })}, ${inWords(currentState.status)}`,
    })),
    subscriptionId: world.subscriptions.map(({ id, url }) => ({ id, name: url })),
    executionLogId: world.attempts
      .filter((attempt) => attempt.subscriptionId === subscriptionId)
      .map(({ id, eventType, httpStatus }) => ({ id, name: `${eventType}, ${httpStatus === 0 ? 'no response' : httpStatus}` })),
    quoteId: world.quotes
      .filter(({ account }) => account.id === accountId)
      .map(({ id, sourceAmount, targetAmount }) => ({ id, name: `${movedText({ source: sourceAmount, target: targetAmount })}, unused` })),
  };
}

/** Returns the name of a choice in a list, with the beginning of its id. */
export const choiceText = ({ id, name }: Choice): string => `${name} · ${shortId(id)}`;
