import { forcingRoutes } from '../contract/control/routes/forcing.js';
import type { PossibleMove } from '../contract/control/mirror/why.js';
import type { KindName } from '../contract/scenario/settings.js';
import { assetId } from '../domain/accounts/account.js';
import { DomainError } from '../domain/errors.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { Session } from '../world/session.js';
import { kindServices } from './kinds.js';
import { payDeposit, resumeOperation } from './operations/move-operation.js';
import { takeNextStep } from './take-step.js';

type Verb = (uow: UnitOfWork, id: string) => unknown;

/** The forcing verbs of an operation that are no move to one certain status. */
const operationVerbs: Readonly<Record<string, Verb>> = {
  resume: (uow, operationId) => resumeOperation(uow, { operationId, reason: null }),
  next: (uow, operationId) => takeNextStep(uow, { operationId }),
  pay: (uow, operationId) => payDeposit(uow, { operationId, forced: true }),
};

/** The verbs that force resources of a kind, by their names. */
function verbsOf(kind: KindName): Readonly<Record<string, Verb>> {
  const { move } = kindServices[kind];
  const moves = forcingRoutes
    .filter((each) => each.kind === kind)
    .map(({ verb, to, onlyFrom }): [string, Verb] => [verb, (uow, id) => move(uow, { id, to, reason: null, forced: true, onlyFrom })]);
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
  const own = Object.entries(verbsOf(kind)).flatMap(([verb, move]): PossibleMove[] => {
    const to = session.tryOut((uow) => (isTaken(() => move(uow, id)) ? find(uow, id)?.status : undefined));
    return to === undefined ? [] : [{ verb, to }];
  });
  return kind === 'ACCOUNT' ? [...own, ...assetMoves(session, id)] : own;
}

const isKind = (name: string): name is KindName => name in kindServices;

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
