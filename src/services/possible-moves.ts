import type { PossibleMove } from '../contract/control/analysis/why.js';
import type { Reason } from '../contract/shared/common.js';
import { isKind, kindOf, type KindName } from '../contract/shared/kinds.js';
import { assetId } from '../domain/accounts/account.js';
import { DomainError } from '../domain/errors.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { Session } from '../world/session.js';
import { kindServices } from './kinds.js';
import { payDeposit, resumeOperation } from './operations/operations.js';
import { takeNextStep } from './take-step.js';

type Verb = (uow: UnitOfWork, id: string, reason: Reason | null) => unknown;

/** Further verbs that force an operation. The target status depends on the operation. */
const operationVerbs: Readonly<Record<string, Verb>> = {
  resume: (uow, operationId, reason) => resumeOperation(uow, { operationId, reason }),
  next: (uow, operationId) => takeNextStep(uow, { operationId }),
  pay: (uow, operationId) => payDeposit(uow, { operationId, forced: true }),
};

/** Returns the functions that force a status change of a resource of a kind, by verb. */
export function forceFunctions(kind: KindName): Readonly<Record<string, Verb>> {
  const { move } = kindServices[kind];
  const moves = kindOf(kind).verbs.flatMap(({ verb, to, onlyFrom }): [string, Verb][] =>
    to === null ? [] : [[verb, (uow, id, reason) => move(uow, { id, to, reason, forced: true, onlyFrom })]],
  );
  return { ...Object.fromEntries(moves), ...(kind === 'OPERATION' ? operationVerbs : {}) };
}

/**
 * Returns the forced status changes that would succeed now. Tries each in a dry run, which checks all conditions. Empty if the resource
 * does not exist or its kind has no statuses.
 * @param kind any resource name
 */
export function possibleMoves(session: Session, kind: string, id: string): PossibleMove[] {
  if (!isKind(kind)) return [];
  const { find } = kindServices[kind];
  const own = Object.entries(forceFunctions(kind)).flatMap(([verb, move]): PossibleMove[] => {
    const to = session.dryRun((uow) => (isTaken(() => move(uow, id, null)) ? find(uow, id)?.status : undefined));
    return to === undefined ? [] : [{ verb, to }];
  });
  return kind === 'ACCOUNT' ? [...own, ...assetMoves(session, id)] : own;
}

function assetMoves(session: Session, accountId: string): PossibleMove[] {
  const assets = session.read((view) => view.get('accounts', accountId)?.assets ?? []);
  return assets.flatMap(({ asset }) => possibleMoves(session, 'ASSET', assetId(accountId, asset)).map((each) => ({ ...each, asset })));
}

/** Whether a move succeeds. */
function isTaken(move: () => unknown): boolean {
  try {
    move();
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
