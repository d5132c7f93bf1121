import type { Why } from './types.js';

type Entry = Why['entries'][number];

/** The time of day of an instant, as lines of a tree show it. */
export const timeOfDay = (instant: string) => instant.slice(11, 23);

/** How something came to be as it is, as indented lines: its statuses, webhooks and postings with their causes, and what comes next. */
export function whyText(why: Why): string {
  const { id, resource, status, entries, plan } = why;
  const head = [resource, id, ...(status === null ? [] : [status])].join(' ');
  return [head, ...entries.map((entry) => `  ${entryText(entry)}`), ...planLines(plan)].join('\n');
}

/** @param known the cause that stands above already, and is not told again */
export function entryText({ at, kind, what, reason, cause }: Entry, known?: string): string {
  const noun = { STATE: '', DELIVERY: 'webhook ', ATTEMPT: 'attempt ', LEDGER: 'posting ' }[kind];
  const because = reason === null ? '' : ` (${reason.code}: ${reason.message})`;
  return `${timeOfDay(at)} ${noun}${what}${because}${cause.id === known ? '' : ` ← ${cause.summary}`}`;
}

/** What is left of a plan, and what of it was not legal. */
function planLines(plan: Why['plan']): string[] {
  if (!plan) return [];
  const rule = `rule "${plan.rule}" of scenario ${plan.scenario}`;
  const lines = plan.steps.flatMap(({ after, what, outcome, skippedIn }) => {
    if (outcome === 'SKIPPED') return [`  skipped: ${what}, not legal in ${skippedIn}, by ${rule}`];
    return outcome === 'PAST' ? [] : [`  to come: ${what}, ${after} later, by ${rule}`];
  });
  return plan.isWaiting ? [...lines, '  It stays so until it is forced.'] : lines;
}
