import { listOf, objectOf, textOf, type Json } from '../../call.js';

const statusOf = (value: Json) => textOf(objectOf(value['currentState'])['status']) ?? '';

/** The status of a resource, with everything that may prevent its use. */
export interface KnownStatus {
  readonly id: string;
  /** The status of the resource itself. */
  readonly status: string;
  /** Statuses of the assets of an account, by asset. */
  readonly assets: ReadonlyMap<string, string>;
  /** Keys of the documents of an account that are no longer requested. */
  readonly settled: ReadonlySet<string>;
}

const bare = (id: string, status: string): KnownStatus => ({ id, status, assets: new Map(), settled: new Set() });

/** Returns the key of a requested document: owner, type and side. */
export const documentKey = (uboId: unknown, type: unknown, side: unknown) =>
  `${textOf(uboId) ?? ''}/${textOf(type) ?? ''}/${textOf(side) ?? ''}`;

/** Returns the status of an account from its representation in the API. */
export function accountStatus(account: unknown): KnownStatus {
  const { id, assets, requirements, ...rest } = objectOf(account);
  const { currentlyDue, errors, pendingVerification, satisfied } = objectOf(requirements);
  const keysOf = (items: unknown) => listOf(items).map((each) => documentKey(each['uboId'], each['documentType'], each['documentSubType']));
  const open = new Set([...keysOf(currentlyDue), ...keysOf(errors)]);
  return {
    id: String(id),
    status: statusOf(rest),
    assets: new Map(listOf(assets).map((each) => [String(each['asset']), String(each['status'])])),
    settled: new Set([...keysOf(pendingVerification), ...keysOf(satisfied)].filter((key) => !open.has(key))),
  };
}

/** Returns the statuses of a beneficiary and its instructions. */
export function beneficiaryStatuses(beneficiary: unknown): KnownStatus[] {
  const { id, status, paymentInstructions } = objectOf(beneficiary);
  const own = textOf(id) === undefined ? [] : [bare(String(id), String(status))];
  return [...own, ...listOf(paymentInstructions).map((each) => bare(String(each['id']), String(each['status'])))];
}

/** Returns the status of an instruction from the event of its review. */
export function instructionStatus(payload: unknown): KnownStatus[] {
  const { id, status } = objectOf(objectOf(payload)['instruction']);
  return textOf(id) === undefined ? [] : [bare(String(id), String(status))];
}

export function isSame(a: KnownStatus, b: KnownStatus): boolean {
  return (
    a.status === b.status &&
    a.assets.size === b.assets.size &&
    [...a.assets].every(([asset, status]) => b.assets.get(asset) === status) &&
    a.settled.size === b.settled.size &&
    [...a.settled].every((key) => b.settled.has(key))
  );
}
