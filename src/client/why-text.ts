import { afterText } from '../contract/scenario/after-text.js';
import type { Why } from './types.js';

type Entry = Why['entries'][number];

/**
 * Returns a function that formats the timestamps of consecutive lines: the time of day, after the date if it differs from that of the
 * line above. @param above timestamp of the line above the first; empty without one
 */
export function timesOfLines(above = ''): (instant: string) => string {
  let day = above.slice(0, 10);
  return (instant) => {
    const isOtherDay = instant.slice(0, 10) !== day;
    day = instant.slice(0, 10);
    return isOtherDay ? `${day} ${instant.slice(11, 23)}` : instant.slice(11, 23);
  };
}

/** Explains a status as indented lines: history, webhooks and postings with their causes, and the next steps. */
export function whyText(why: Why): string {
  const { id, resource, status, entries, plan, notes } = why;
  const head = [resource, id, ...(status === null ? [] : [status])].join(' ');
  const timeOf = timesOfLines();
  return [
    head,
    ...entries.map((entry) => `  ${entryText(entry, timeOf(entry.at))}`),
    ...planLines(plan),
    ...notes.map((note) => `  ${note}`),
  ].join('\n');
}

function entryText({ kind, what, reason, cause }: Entry, time: string): string {
  const noun = { STATE: '', DELIVERY: 'webhook ', ATTEMPT: 'attempt ', LEDGER: 'posting ', REQUEST: 'request ' }[kind];
  const because = reason === null ? '' : ` (${reason.code}: ${reason.message})`;
  return `${time} ${noun}${what}${because} ← ${cause.summary}`;
}

/** Returns a line for each remaining or skipped scenario step. */
function planLines(plan: Why['plan']): string[] {
  if (!plan) return [];
  const rule = `rule "${plan.rule}" of scenario ${plan.scenario}`;
  const lines = plan.steps.flatMap(({ after, what, outcome, skippedIn }) => {
    if (outcome === 'SKIPPED') return [`  skipped: ${what}, not legal in ${skippedIn}, by ${rule}`];
    return outcome === 'PAST' ? [] : [`  to come: ${what}, ${afterText(after)} later, by ${rule}`];
  });
  return plan.isWaiting ? [...lines, '  The resource keeps this status until you force another one.'] : lines;
}
