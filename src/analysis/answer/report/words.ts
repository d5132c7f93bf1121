import type { ReportedReconciliation } from '../../../contract/control/analysis/reconcile.js';
import { interventionNames, type NotProven, type Report, type ReportedFinding } from '../../../contract/control/analysis/report.js';
import { amountsText } from '../../../contract/shared/messages/amounts.js';
import { timesText } from '../../../contract/shared/messages/times.js';
import { weightOf } from '../../project/findings/story.js';

/** Returns the subject of a finding: the operation or event type. */
export const subjectOf = ({ operationId, eventType }: ReportedFinding) => operationId ?? eventType ?? 'requests without an operation';

/** Describes the money of a finding in a sentence; empty without money. */
export function moneyText({ money = [] }: ReportedFinding): string {
  return money.length === 0 ? '' : `Money: ${amountsText(money)}.`;
}

const notProvenNames: Readonly<Record<NotProven['kind'], readonly [one: string, several: string]>> = {
  EQUAL_PAYMENTS: ['equal payment', 'equal payments'],
  OUTCOMES_NOT_READ: ['unread outcome', 'unread outcomes'],
  KEYS_REPEATED: ['repeated key', 'repeated keys'],
  WHOLE_AMOUNTS: ['whole amount', 'whole amounts'],
  PAYMENTS_NOT_MADE: ['payment that was not made', 'payments that were not made'],
  SIGNATURES_NOT_TESTED: ['endpoint without a wrong signature', 'endpoints without a wrong signature'],
  FAULTS_NOT_TESTED: ['fault that never occurred', 'faults that never occurred'],
};

/** Names an item that is not proven, with its number and money, for example `3 equal payments (75.00 BRL)`. */
export function notProvenBrief({ kind, count, money = [] }: NotProven): string {
  const [one, several] = notProvenNames[kind];
  return `${count} ${count === 1 ? one : several}${money.length === 0 ? '' : ` (${amountsText(money)})`}`;
}

/** Describes an item that is not proven, with its money and how to prove it. */
export const notProvenText = ({ text, money = [] }: NotProven) =>
  `Not proven: ${text}${money.length === 0 ? '' : ` Money: ${amountsText(money)}.`}`;

/** Describes how often and where a finding occurred. */
export function placeText({ count, world, test, firstAt, evidence }: ReportedFinding): string {
  const first = evidence.find(({ at, realAt }) => at === firstAt && realAt !== undefined);
  return `${count === 1 ? 'once' : `${count} times`} in world ${world}${test === null ? '' : `, test "${test}"`}, first at ${timesText(firstAt, first?.realAt)}`;
}

/** Returns a number with its noun, for example `2 calls`. */
export const countText = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Describes the kind of a finding. */
export function kindText(finding: ReportedFinding): string {
  const { state, negative } = finding;
  return weightOf(finding) + (state === 'NEW' ? '' : `, ${state.toLowerCase()}`) + (negative ? ', in a negative test' : '');
}

/** Describes the request of a piece of evidence in a line, with its time; empty if it is not recorded. */
export function evidenceText({ at, realAt, request }: ReportedFinding['evidence'][number]): string {
  if (request === null) return '';
  const { method, url, status, code, outcome, idempotencyKey } = request;
  const parts = [
    ...(at === null ? [] : [timesText(at, realAt)]),
    `${method} ${url} → ${status ?? 'in progress'}`,
    ...(code === null ? [] : [code]),
    ...(outcome === null || outcome === 'DELIVERED' ? [] : [outcome]),
    ...(idempotencyKey === null ? [] : [`key ${idempotencyKey}`]),
  ];
  return parts.join(' ');
}

/** Describes the scope of a report in a sentence. */
export function scopeText({ worlds, record, unattributed, isFinal }: Report): string {
  const names = worlds.slice(0, 5).map(({ name }) => name);
  const more = worlds.length > names.length ? ` and ${worlds.length - names.length} more` : '';
  const where =
    worlds.length === 0 ? 'no world' : `${worlds.length === 1 ? 'world' : `${worlds.length} worlds:`} ${names.join(', ')}${more}`;
  const astray =
    unattributed > 0 ? ` ${countText(unattributed, 'request')} matched no world: from unknown clients, or without a token.` : '';
  const state = isFinal ? '' : ' The report is not final: more requests may follow, and findings that only the end can show are missing.';
  return `${countText(record.calls, 'request')} and ${countText(record.attempts, 'webhook attempt')} in ${where}.${astray}${state}`;
}

/** Describes client, build and interventions of a report, each in a sentence. */
export function headerTexts({ client, subject, validUntil, interventions }: Report): string[] {
  const names = interventionNames.filter((name) => interventions[name] > 0).map((name) => `${name} ${interventions[name]}`);
  const build = Object.entries(subject ?? {}).map(([name, value]) => `${name} ${value}`);
  return [
    ...(client ? [`Client: ${[client.name, client.version, client.commit && `commit ${client.commit}`].filter(Boolean).join(', ')}.`] : []),
    ...(build.length > 0 ? [`Subject: ${build.join(', ')}.`] : []),
    `Valid until ${validUntil}.`,
    `Interventions of testers: ${names.length === 0 ? 'none' : names.join(', ')}.`,
  ];
}

/** Describes the evicted requests in a sentence; empty if none were evicted. */
export function evictedText({ record: { evicted } }: Report): string {
  if (evicted === 0) return '';
  const what = evicted === 1 ? '1 recorded entry was' : `${evicted} recorded entries were`;
  return `${what} evicted to make room. Findings and coverage include them, but they can no longer be shown.`;
}

/** Returns the figures of coverage, each as a name and a string. */
export function coverageFigures({ coverage }: Report): [name: string, text: string][] {
  const figure = ({ covered, total, percent }: { covered: number; total: number; percent: number }) =>
    `${covered} of ${total} (${percent} %)`;
  return [
    [coverage.tier === 'all' ? 'everything' : `tier ${coverage.tier}`, figure(coverage)],
    ...(coverage.tier === 'all' ? [] : [['of all items', figure(coverage.all)] as [string, string]]),
    ...Object.entries(coverage.dimensions).flatMap(([name, each]): [string, string][] => (each.total === 0 ? [] : [[name, figure(each)]])),
  ];
}

/** The columns of the table of explorations. */
export const explorationHead = ['world', 'result', 'tried', 'schedules that break the client'] as const;

/** Returns the rows of the table of explorations. */
export function explorationRows({ explorations = [] }: Report): string[][] {
  return explorations.map(({ world, verdict, tried, failures }) => {
    const [singles, pairs] = [tried.singles, tried.pairs].map(([count = 0, of = 0]) => `${count} of ${of}`);
    const found = failures.map(({ what, how }) => `${what} (${how})`).join('. ');
    return [world, verdict, `${singles} singles, ${pairs} pairs`, found === '' ? 'none' : found];
  });
}

/** Describes a required verdict of reconciliations in a sentence. */
export function reconciledText({ required, others }: NonNullable<NonNullable<Report['profile']>['reconciled']>): string {
  if (others.length === 0) return `Reconciliations: ${required} is required; no world has a reconciliation.`;
  const worlds = others.map(({ world, what }) => `${world} ${what}`);
  return `Reconciliations: ${required} is required; ${worlds.join(', ')}.`;
}

/** Describes the last reconciliation of a world in a sentence. */
export function reconciliationText({ verdict, matched, count, pending, asOf, complete, worst, outdated }: ReportedReconciliation): string {
  const notes = [
    ...(worst === verdict ? [] : [`It was ${worst} before, without a payment between them.`]),
    ...(complete ? [] : ['No section was complete, so rows may be missing.']),
    ...(outdated ? ['The client has created operations since.'] : []),
  ];
  return `${verdict}: ${countText(matched, 'row')} without a difference, ${countText(count, 'difference')}, ${pending} pending, as of ${asOf}.${notes.map((each) => ` ${each}`).join('')}`;
}
