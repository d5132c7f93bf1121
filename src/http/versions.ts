/**
 * A version of the public API: how its requests become today's, and today's answers its own.
 * Routes and domain know today's shapes only.
 */
export interface Version {
  readonly name: string;
  /** The request body as today's version words it. */
  readonly requestIn?: (operationId: string, body: unknown) => unknown;
  /** A success or error body as this version words it. */
  readonly responseOut?: (operationId: string, body: unknown) => unknown;
}

/** The versions that exist, newest first. */
export const versions: readonly Version[] = [{ name: '1' }];

/** The version that a header asks for: the default one when it is missing, empty or names none that exists. */
export function resolveVersion(header: string | undefined, known: readonly Version[], defaultVersion: Version): Version {
  return known.find((each) => each.name === header?.trim()) ?? defaultVersion;
}
