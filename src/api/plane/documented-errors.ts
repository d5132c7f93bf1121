import { errorCatalogue, errorCodes, type ErrorCode } from '../../contract/shared/error-codes.js';
import type { AnyRoute } from '../../contract/shared/route.js';
import { sharedErrors } from '../../contract/public/shared-errors.js';
import { publicRoutes, type OperationId } from '../../contract/public/routes.js';
import { usualCode } from './errors.js';

/** Returns the error codes that the document of the API lists for an operation, in the order of the document. */
export function documentedCodes(route: AnyRoute): ErrorCode[] {
  const codes = new Set([...sharedErrors(route), ...route.errors]);
  return errorCodes.filter((code) => codes.has(code));
}

/** Returns the code of an injected error with this status: the first code that the operation documents, otherwise the usual code. */
export function injectedCode(route: AnyRoute, status: number): ErrorCode {
  return documentedCodes(route).find((code) => errorCatalogue[code].status === status) ?? usualCode(status);
}

/** The errors of every path, which no operation documents. */
const ofAnyPath: readonly ErrorCode[] = ['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'];

const publicCodes = new Set<ErrorCode>([...ofAnyPath, ...publicRoutes.flatMap((route) => documentedCodes(route))]);

/** Whether only the control API has errors with this status. */
export function isControlStatus(status: number): boolean {
  const codes = errorCodes.filter((code) => errorCatalogue[code].status === status);
  return codes.length > 0 && codes.every((code) => !publicCodes.has(code));
}

const statusesById = new Map<string, ReadonlySet<number>>(
  publicRoutes.map((route) => [route.operationId, new Set(documentedCodes(route).map((code) => errorCatalogue[code].status))]),
);

/** Returns the error statuses that an operation documents, in ascending order. */
export function documentedStatuses(operationId: OperationId): number[] {
  return [...(statusesById.get(operationId) ?? [])].toSorted((a, b) => a - b);
}
