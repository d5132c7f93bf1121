import { objectOf, textOf, type Call } from '../../call.js';

/** The cursors that a page has handed out. */
export function cursorsOf({ answer }: Call): { next: string | null; previous: string | null } {
  const { nextCursor, previousCursor } = objectOf(answer['meta']);
  return { next: textOf(nextCursor) ?? null, previous: textOf(previousCursor) ?? null };
}

/** The lists that have pages. */
export const pagedOperations: ReadonlySet<string> = new Set([
  'listAccounts',
  'listFundingInstructions',
  'listSubscriptions',
  'listExecutionLogs',
]);
