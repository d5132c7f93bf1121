import type { Call } from '../../call.js';

/** The end of a list's answer, where its cursors stand. */
const maxMeta = 400;

/** The cursors that a page has handed out. */
export function cursorsOf({ seen }: Call): { next: string | null; previous: string | null } {
  const meta = (seen.answer.body ?? '').slice(-maxMeta);
  const cursor = (name: string) => new RegExp(`"${name}":"([A-Za-z0-9_-]+)"`).exec(meta)?.[1] ?? null;
  return { next: cursor('nextCursor'), previous: cursor('previousCursor') };
}

/** The lists that have pages. */
export const pagedOperations: ReadonlySet<string> = new Set([
  'listAccounts',
  'listFundingInstructions',
  'listSubscriptions',
  'listExecutionLogs',
]);
