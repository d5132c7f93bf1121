import type { Report, ReportedFinding } from '../../contract/control/mirror/report.js';
import { weightOf } from '../findings/story.js';

/** What a finding is about: the operation or the type of event. */
export const subjectOf = ({ operationId, eventType }: ReportedFinding) => operationId ?? eventType ?? 'calls of no operation';

/** The money that a finding is about, as a sentence; empty when there is none. */
export function moneyText({ money = [] }: ReportedFinding): string {
  return money.length === 0 ? '' : `Money: ${money.map(({ value, asset }) => `${value} ${asset}`).join(', ')}.`;
}

/** How often and where, as a phrase. */
export function placeText({ count, world, test, firstAt }: ReportedFinding): string {
  return `${count === 1 ? 'once' : `${count} times`} in world ${world}${test === null ? '' : `, test "${test}"`}, first at ${firstAt}`;
}

/** So many of something. */
export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** What kind of finding it is, in words. */
export function kindText(finding: ReportedFinding): string {
  const { state } = finding;
  return weightOf(finding) + (state === 'NEW' ? '' : `, ${state.toLowerCase()}`);
}

/** What a report is about, as a sentence. */
export function scopeText({ worlds, record, unattributed, isFinal }: Report): string {
  const names = worlds.slice(0, 5).map(({ name }) => name);
  const more = worlds.length > names.length ? ` and ${worlds.length - names.length} more` : '';
  const where =
    worlds.length === 0 ? 'no world' : `${worlds.length === 1 ? 'world' : `${worlds.length} worlds:`} ${names.join(', ')}${more}`;
  const astray = unattributed > 0 ? ` ${counted(unattributed, 'call')} came to no world: of unknown clients, or without a token.` : '';
  const state = isFinal ? '' : ' More may come: what only the end can show is not in it.';
  return `${counted(record.calls, 'call')} and ${counted(record.attempts, 'webhook attempt')} in ${where}.${astray}${state}`;
}

/** What is missing of the record, as a sentence; empty when nothing is. */
export function evictedText({ record: { evicted } }: Report): string {
  if (evicted === 0) return '';
  const what = evicted === 1 ? '1 entry of the record was' : `${evicted} entries of the record were`;
  return `${what} dropped to make room: findings and coverage have counted what they told, and nobody can look at them any more.`;
}

/** The figures of coverage, each as a name and a text. */
export function coverageFigures({ coverage }: Report): [name: string, text: string][] {
  const figure = ({ met, total, percent }: { met: number; total: number; percent: number }) => `${met} of ${total} (${percent} %)`;
  return [
    [coverage.tier === 'all' ? 'everything' : `tier ${coverage.tier}`, figure(coverage)],
    ...(coverage.tier === 'all' ? [] : [['of everything', figure(coverage.all)] as [string, string]]),
    ...Object.entries(coverage.dimensions).flatMap(([name, each]): [string, string][] => (each.total === 0 ? [] : [[name, figure(each)]])),
  ];
}
