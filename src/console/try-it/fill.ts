import { credentials, tokenPath, type ApiCall } from '../api-calls.js';
import type { Funded, WorldIds } from './world-ids.js';

/** An operation that the page can send. */
export interface Sendable {
  readonly id: string;
  readonly plane: ApiCall['plane'];
  readonly method: string;
  /** Path with its parameters in braces. */
  readonly path: string;
  /** A valid body, with ids of another world; null for an operation without a body. */
  readonly example: unknown;
  readonly isKeyed: boolean;
  /** Whether the request is a form with a file, and `example` its JSON part. */
  readonly isUpload: boolean;
}

/** A small valid PDF. */
const sampleFile = (): File => new File(['%PDF-1.4\n%%EOF\n'], 'sample.pdf', { type: 'application/pdf' });

type Json = Record<string, unknown>;

/** Whether owners and documents can be added to an account. */
const isOnboarding = ({ owner, currentState: { status } }: Funded): boolean =>
  owner.type === 'COMPANY' && (status === 'ACTION_REQUIRED' || status === 'REVIEWING');

/** The accounts with money first. */
const byMoney = (accounts: readonly Funded[]): readonly Funded[] =>
  accounts.toSorted((a, b) => fundedAssets(b).length - fundedAssets(a).length);

/** Returns the assets of which an account has money. */
export const fundedAssets = ({ balances }: Funded): string[] => balances.filter(({ value }) => Number(value) > 0).map(({ asset }) => asset);

/** Returns a valid CPF that no other owner has, except by chance. */
function newCpf(): string {
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte % 10);
  for (let length = 9; length < 11; length += 1) {
    const sum = digits.reduce((total, digit, index) => total + digit * (length + 1 - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}

const ownersOf = ({ owner }: Funded) => (owner.type === 'COMPANY' ? owner.ubos : []);

/** Returns the first open requirement of a document, those without metadata first, as the body of its upload. */
function documentFor({ accounts, now }: WorldIds): Json | null {
  const values: Json = { issuedAt: now.slice(0, 10), country: 'BR', apostilled: true };
  const open = accounts
    .filter(isOnboarding)
    .flatMap(({ id, requirements: { currentlyDue, errors } }) =>
      [...currentlyDue, ...errors].filter(({ type }) => type === 'DOCUMENT').map((requirement) => ({ accountId: id, ...requirement })),
    );
  const [first] = open.toSorted((a, b) => a.requiredMetadata.length - b.requiredMetadata.length);
  if (first === undefined) return null;
  const { accountId, documentType, documentSubType, options, uboId, requiredMetadata } = first;
  return {
    documentType: documentType ?? options?.find((each) => each === 'PASSPORT') ?? options?.[0],
    ...(documentSubType === null ? {} : { documentSubType }),
    holder: uboId === null ? { type: 'ACCOUNT', referenceId: accountId } : { type: 'UBO', referenceId: uboId },
    ...(requiredMetadata.length === 0 ? {} : { metadata: Object.fromEntries(requiredMetadata.map((name) => [name, values[name]])) }),
  };
}

/** Returns ids and body of each operation that needs more than its example. A missing id stays the name of its parameter in braces. */
function contentOf({ id, example }: Sendable, world: WorldIds): { readonly ids?: Json; readonly body?: unknown } {
  const { beneficiaries, subscriptions, attempts } = world;
  const given = example as Json;
  const accounts = byMoney(world.accounts);
  const [account] = accounts;
  const accountId = account?.id ?? '{accountId}';
  const active = account === undefined ? [] : fundedAssets(account);
  const onboarding = accounts.filter(isOnboarding);
  switch (id) {
    case 'createUbo': {
      const shares = onboarding.map((each) => ownersOf(each).reduce((sum, { ownershipPercentage: share }) => sum + (share ?? 0), 0));
      const free = Math.max(
        0,
        shares.findIndex((share) => share <= 75),
      );
      const { ownershipPercentage: _, ...rest } = given;
      const share = (shares[free] ?? 100) <= 75 ? { ownershipPercentage: 25 } : {};
      return { ids: { accountId: onboarding[free]?.id }, body: { ...rest, ...share, taxId: { type: 'CPF', value: newCpf() } } };
    }
    case 'getUbo':
    case 'updateUbo': {
      const owned = (id === 'getUbo' ? accounts : onboarding).find((each) => ownersOf(each).length > 0);
      const [owner] = owned === undefined ? [] : ownersOf(owned);
      const { ownershipPercentage: _, ...patch } = given ?? {};
      return { ids: { accountId: owned?.id, uboId: owner?.id }, body: id === 'getUbo' ? null : patch };
    }
    case 'uploadDocument':
      return { body: documentFor(world) ?? { ...given, holder: { type: 'ACCOUNT', referenceId: '{accountId}' } } };
    case 'createQuote': {
      const [source = 'BRL', target = source] = active;
      return { body: { ...given, accountId, sourceAsset: source, targetAsset: target } };
    }
    case 'createWithdrawal': {
      const payable = beneficiaries.flatMap((each) =>
        each.paymentInstructions.filter(({ status }) => status === 'APPROVED').map((instruction) => ({ each, instruction })),
      );
      const [first] = payable;
      const reference = (of: string) => ({ type: 'REFERENCE', id: of });
      const paymentInstruction = reference(first?.instruction.id ?? '{paymentInstructionId}');
      return {
        body: { accountId, quoteId: '{quoteId}', beneficiary: { ...reference(first?.each.id ?? '{beneficiaryId}'), paymentInstruction } },
      };
    }
    case 'createTransfer': {
      const isOther = (each: Funded) => each !== account && each.currentState.status === 'ACTIVE';
      const common = (other: Funded) =>
        active.find((name) => other.assets.some(({ asset, status }) => asset === name && status === 'ACTIVE'));
      const target = accounts.find((each) => isOther(each) && common(each) !== undefined);
      const amount = { value: '10.00', asset: (target && common(target)) ?? 'BRL' };
      return { body: { sourceAccountId: accountId, targetAccountId: target?.id ?? '{targetAccountId}', amount } };
    }
    case 'createSwap':
      return { body: { accountId, quoteId: '{quoteId}' } };
    case 'createDeposit':
      return { body: { ...given, accountId, quoteId: '{quoteId}' } };
    case 'createSubscription':
      return { body: { ...given, url: inboxUrl(world) } };
    case 'getExecutionLog':
    case 'resendExecutionLog': {
      const isUsable = ({ subscriptionId, httpStatus }: WorldIds['attempts'][number]) =>
        subscriptions.some((each) => each.id === subscriptionId) && (id === 'getExecutionLog' || httpStatus < 200 || httpStatus >= 300);
      const log = attempts.find(isUsable);
      return { ids: { subscriptionId: log?.subscriptionId, executionLogId: log?.id } };
    }
    default:
      return { ids: { accountId, subscriptionId: subscriptions[0]?.id } };
  }
}

/** The inbox that "Try it" subscribes. */
export const inboxName = 'try-it';
export const inboxUrl = ({ internalUrl }: Pick<WorldIds, 'internalUrl'>): string => `${internalUrl}/_sandbox/inbox/${inboxName}`;

const text = (body: unknown): string | null => (body === null || body === undefined ? null : JSON.stringify(body, null, 2));

/**
 * Returns a request that works in a world now, if the world has what it needs. Ids that the world does not have stay in braces.
 * @param world null if unknown: the request then has the ids of the example
 */
export function fill(operation: Sendable, world: WorldIds | null): ApiCall {
  const { plane, method, path, example, isKeyed, isUpload } = operation;
  const { ids = {}, body = path === tokenPath ? (credentials() ?? example) : example } = world === null ? {} : contentOf(operation, world);
  const first = (list: readonly { readonly id: string }[] | undefined) => list?.[0]?.id;
  const known: Json = {
    accountId: first(world?.accounts),
    operationId: first(world?.operations),
    beneficiaryId: first(world?.beneficiaries),
    subscriptionId: first(world?.subscriptions),
    ...ids,
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (braces, name: string) => (known[name] as string | undefined) ?? braces);
  const day = world?.now.slice(0, 10) ?? '2026-01-01';
  const dayAfter = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  const query = operation.id === 'getReport' ? `?periodStart=${day}T00:00:00Z&periodEnd=${dayAfter}T00:00:00Z` : '';
  return {
    plane,
    method,
    path: filled + query,
    body: text(body),
    key: isKeyed ? crypto.randomUUID() : null,
    ...(isUpload ? { file: sampleFile() } : {}),
  };
}
