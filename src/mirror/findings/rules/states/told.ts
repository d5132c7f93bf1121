import { listOf, objectOf, textOf, type Json } from '../../call.js';

const statusOf = (value: Json) => textOf(objectOf(value['currentState'])['status']) ?? '';

/** What a thing is known as: its kind and id, and all that may forbid its use. */
export interface Standing {
  readonly id: string;
  /** The status; of an account also those of its assets and the documents that it no longer asks for. */
  readonly status: string;
  readonly assets: ReadonlyMap<string, string>;
  readonly settled: ReadonlySet<string>;
}

const bare = (id: string, status: string): Standing => ({ id, status, assets: new Map(), settled: new Set() });

/** What a document is asked for by: its owner, type and side. */
export const documentKey = (uboId: unknown, type: unknown, side: unknown) =>
  `${textOf(uboId) ?? ''}/${textOf(type) ?? ''}/${textOf(side) ?? ''}`;

/** How an account stands, by what the API shows of it. */
export function accountStanding(account: unknown): Standing {
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

/** How a beneficiary and its instructions stand, by what the API shows of them. */
export function beneficiaryStandings(beneficiary: unknown): Standing[] {
  const { id, status, paymentInstructions } = objectOf(beneficiary);
  const own = textOf(id) === undefined ? [] : [bare(String(id), String(status))];
  return [...own, ...listOf(paymentInstructions).map((each) => bare(String(each['id']), String(each['status'])))];
}

/** How an instruction stands, by the event of its review. */
export function instructionStanding(payload: unknown): Standing[] {
  const { id, status } = objectOf(objectOf(payload)['instruction']);
  return textOf(id) === undefined ? [] : [bare(String(id), String(status))];
}

/** Whether two say the same. */
export function isSame(a: Standing, b: Standing): boolean {
  return (
    a.status === b.status &&
    a.assets.size === b.assets.size &&
    [...a.assets].every(([asset, status]) => b.assets.get(asset) === status) &&
    a.settled.size === b.settled.size &&
    [...a.settled].every((key) => b.settled.has(key))
  );
}
