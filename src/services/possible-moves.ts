import type { PossibleMove } from '../contract/control/mirror/why.js';
import type { Reason } from '../contract/shared/common.js';
import { isKind, kindOf, type KindName } from '../contract/shared/kinds.js';
import { assetId } from '../domain/accounts/account.js';
import { DomainError } from '../domain/errors.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { Session } from '../world/session.js';
import { kindServices } from './kinds.js';
import { payDeposit, resumeOperation } from './operations/move-operation.js';
import { takeNextStep } from './take-step.js';

type Verb = (uow: UnitOfWork, id: string, reason: Reason | null) => unknown;

/** The forcing verbs of an operation that do not lead to one certain status. */
const operationVerbs: Readonly<Record<string, Verb>> = {
  resume: (uow, operationId, reason) => resumeOperation(uow, { operationId, reason }),
  next: (uow, operationId) => takeNextStep(uow, { operationId }),
  pay: (uow, operationId) => payDeposit(uow, { operationId, forced: true }),
};

/** The verbs that force resources of a kind, by their names. */
export function forcingVerbs(kind: KindName): Readonly<Record<string, Verb>> {
  const { move } = kindServices[kind];
  const moves = kindOf(kind).verbs.flatMap(({ verb, to, onlyFrom }): [string, Verb][] =>
    to === null ? [] : [[verb, (uow, id, reason) => move(uow, { id, to, reason, forced: true, onlyFrom })]],
  );
  return { ...Object.fromEntries(moves), ...(kind === 'OPERATION' ? operationVerbs : {}) };
}

/**
 * The forced moves of a resource that would be taken now, each tried out: so whatever stands in the way of a verb, in the table of the
 * kind or beside it, keeps it from being named. None for what has no statuses, or does not exist.
 * @param kind of the resource: one that has statuses, or another name
 */
export function possibleMoves(session: Session, kind: string, id: string): PossibleMove[] {
  if (!isKind(kind)) return [];
  const { find } = kindServices[kind];
  const own = Object.entries(forcingVerbs(kind)).flatMap(([verb, move]): PossibleMove[] => {
    const to = session.tryOut((uow) => (isTaken(() => move(uow, id, null)) ? find(uow, id)?.status : undefined));
    return to === undefined ? [] : [{ verb, to }];
  });
  return kind === 'ACCOUNT' ? [...own, ...assetMoves(session, id)] : own;
}

function assetMoves(session: Session, accountId: string): PossibleMove[] {
  const assets = session.read((view) => view.get('accounts', accountId)?.assets ?? []);
  return assets.flatMap(({ asset }) => possibleMoves(session, 'ASSET', assetId(accountId, asset)).map((each) => ({ ...each, asset })));
}

/** Whether a move is taken rather than refused. */
function isTaken(move: () => unknown): boolean {
  try {
    move();
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
