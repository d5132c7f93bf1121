import type { Difference, Reconciliation } from './types.js';

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Returns the lines below the first line about a difference: evidence, causes and advice. */
function detailLines({ evidence, suspect, finding, because, advice }: Difference): string[] {
  const meaning =
    suspect === null ? '' : ` (${suspect.toLowerCase().replaceAll('_', ' ')}${finding === null ? '' : `, finding ${finding}`})`;
  return [
    ...(evidence ? [`  evidence ${evidence.what}${meaning}`] : suspect === null ? [] : [`  suspect ${meaning.trim()}`]),
    ...(because.length === 0 ? [] : [`  because  ${because.join(' \u2190 ')}`]),
    `  advice   ${advice}`,
  ];
}

/** Maximum number of differences in a text. */
const maxShown = 20;

/** Describes a reconciliation as lines: the first difference with its evidence, then the others. */
export function reconciliationText({
  verdict,
  matched,
  first,
  differences,
  omitted,
  pending,
  unexplained,
  evicted,
}: Reconciliation): string[] {
  const count = differences.length + omitted;
  const rest = differences.filter((each) => JSON.stringify(each) !== JSON.stringify(first)).slice(0, maxShown - 1);
  const hidden = count - rest.length - (first ? 1 : 0);
  return [
    ...(first
      ? [`${counted(count, 'difference')}; the first: ${first.what}`, ...detailLines(first)]
      : [`${verdict}: ${counted(matched, 'row')} without a difference.`]),
    ...rest.map(({ kind, what }) => `${kind}: ${what}`),
    ...(hidden > 0 ? [`and ${hidden} more`] : []),
    ...pending.slice(0, maxShown).map(({ what }) => `pending: ${what}`),
    ...(pending.length > maxShown ? [`and ${pending.length - maxShown} more pending`] : []),
    ...unexplained.map(({ value, asset }) => `unexplained: ${value} ${asset}`),
    ...(evicted ? ['Some evidence is missing, because recorded requests were evicted or deleted.'] : []),
  ];
}
