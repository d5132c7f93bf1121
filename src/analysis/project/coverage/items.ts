import { eventChallenges, writeChallenges, type Dimension } from '../../../contract/control/analysis/coverage.js';
import { isKeyed, sharedErrors } from '../../../contract/public/shared-errors.js';
import { publicRoutes, type OperationId } from '../../../contract/public/routes.js';
import { eventTypes } from '../../../contract/shared/event-types.js';
import { kindNames, kindOf } from '../../../contract/shared/kinds.js';
import { errorCatalogue, type ErrorCode } from '../../../contract/shared/error-codes.js';
import type { AnyRoute } from '../../../contract/shared/route.js';
import { kinds } from '../../../domain/kinds.js';
import { reasonCatalogue } from '../../../contract/shared/reason-catalogue.js';

const shownKinds = kindNames.filter((kind) => kindOf(kind).shown.statuses);
const explainedKinds = kindNames.filter((kind) => kindOf(kind).shown.reasons);

/** Returns the error codes of an operation. */
function codesOf(route: AnyRoute): ErrorCode[] {
  return [...new Set([...sharedErrors(route), ...route.errors])];
}

/** The operations that change data and take an idempotency key. */
const writes: readonly AnyRoute[] = publicRoutes.filter(isKeyed);

/** The operations whose created resources cause webhooks. */
const eventMakers: ReadonlySet<string> = new Set<OperationId>([
  'createWithdrawal',
  'createTransfer',
  'createSwap',
  'createDeposit',
  'createBeneficiary',
]);

/** Returns the fault tests of an operation. `unknownFields` and `malformed` need a response body, `early` needs a webhook. */
function challengesOf({ operationId, response }: AnyRoute) {
  const isPossible = { unknownFields: response !== null, malformed: response !== null, early: eventMakers.has(operationId) };
  return writeChallenges.filter((each) => isPossible[each as keyof typeof isPossible] ?? true);
}

/** All coverage items of each dimension. Items of the dimension `rules` depend on the scenario. */
export const coverageItems: Readonly<Record<Exclude<Dimension, 'rules'>, readonly string[]>> = {
  operations: publicRoutes.map(({ operationId }) => operationId),
  statuses: publicRoutes.flatMap((route) =>
    [...new Set([route.status, ...codesOf(route).map((code) => errorCatalogue[code].status)])].map(
      (status) => `${route.operationId}.${status}`,
    ),
  ),
  outcomes: publicRoutes.flatMap((route) => ['ok', ...codesOf(route)].map((outcome) => `${route.operationId}.${outcome}`)),
  transitions: shownKinds.flatMap((kind) =>
    Object.entries(kinds[kind].transitions).flatMap(([from, targets]) => targets.map((to) => `${kind}.${from}.${to}`)),
  ),
  reasons: explainedKinds.flatMap((kind) =>
    kinds[kind].reasons.flatMap((place) => Object.keys(reasonCatalogue[place]).map((code) => `${kind}.${code}`)),
  ),
  events: eventTypes,
  resilience: [
    ...writes.flatMap((route) => challengesOf(route).map((each) => `${route.operationId}.${each}`)),
    ...eventTypes.flatMap((type) => eventChallenges.map((each) => `${type}.${each}`)),
  ],
};
