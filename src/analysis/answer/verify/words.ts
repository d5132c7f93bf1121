import type { BriefEntry } from '../../../contract/control/analysis/verify.js';
import type { Matcher } from './match.js';
import type { NearMiss } from './nearest.js';
import { shortened } from '../../../contract/shared/messages/cut.js';

/** Maximum length of the first line of a message, in characters. */
const maxLine = 160;
const maxValue = 24;

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text) ? `${text.slice(0, 8)}…` : shortened(text, maxValue);
}

/** Describes a matcher in a few words. */
export function matchText({ kind, operationId, conditions }: Matcher): string {
  const noun = operationId ?? (kind === 'ATTEMPT' ? 'webhook attempt' : kind === 'REQUEST' ? 'call' : kind.toLowerCase());
  const rest = conditions.filter(({ path }) => path !== 'operationId' && path !== 'kind');
  return rest.length === 0 ? noun : `${noun} with ${rest.map(({ path, expected }) => `${path} ${valueText(expected)}`).join(', ')}`;
}

/** Returns the first line of a message; the matcher is shortened, because the end of the line matters most. */
export function firstLine(before: string, sought: string, after: string): string {
  const room = maxLine - before.length - after.length;
  return shortened(`${before}${shortened(sought, Math.max(room, 20))}${after}`, maxLine);
}

const clock = (at: string) => at.slice(11, 23);

/** Describes an entry in a line. */
function entryLine({ id, at, what, status, code, outcome, ruleId, idempotencyKey, findings }: BriefEntry): string {
  const byRule = ruleId === null ? '' : ` (${ruleId.replace(/^fault:(.{4}).*/, 'fault $1')})`;
  const parts = [
    `${id} ${clock(at)} ${what} ${status ?? 'in progress'}`,
    ...(code === null ? [] : [code]),
    ...(outcome === null || outcome === 'DELIVERED' ? [] : [`${outcome}${byRule}`]),
    ...(idempotencyKey === null ? [] : [`key ${idempotencyKey.slice(0, 4)}…`]),
    ...(findings.length === 0 ? [] : [`finding ${findings.join(', ')}`]),
  ];
  return parts.join('  ');
}

function nearLine(miss: NearMiss): string {
  const failing = miss.conditions.filter(({ holds }) => !holds);
  const differences = failing.map(
    ({ field, received, why }) => `${field} is ${valueText(received)}${why === undefined ? '' : ` (${why})`}`,
  );
  const times = miss.count === 1 ? '' : `${miss.count} times, such as `;
  return `nearest ${times}${entryLine(miss)}: ${[...differences, ...miss.why].join('; ')}`;
}

/** Returns the lines after the first: the matching entries and the near misses. */
export function furtherLines(matched: readonly BriefEntry[], nearest: readonly NearMiss[]): string[] {
  return [...matched.map((each) => `matched ${entryLine(each)}`), ...nearest.map(nearLine)].map((line) => shortened(line, 400));
}
