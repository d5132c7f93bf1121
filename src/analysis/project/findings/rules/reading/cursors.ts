import { objectOf, textOf, type Call } from '../../call.js';

/** Returns the cursors in the response of a list. */
export function cursorsOf({ responseBody }: Call): { next: string | null; previous: string | null } {
  const { nextCursor, previousCursor } = objectOf(responseBody['meta']);
  return { next: textOf(nextCursor) ?? null, previous: textOf(previousCursor) ?? null };
}

/** The operations that return lists in pages. */
export const pagedOperations: ReadonlySet<string> = new Set([
  'listAccounts',
  'listFundingInstructions',
  'listSubscriptions',
  'listExecutionLogs',
]);
