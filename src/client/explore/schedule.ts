import { sentenceOf, type Deviation } from '../../contract/scenario/deviations.js';
import { deviationKinds, guarantees, type DeviationKind } from '../../contract/scenario/guarantees.js';
import type { InlineScenario } from '../types.js';
import { startOf } from '../../contract/shared/messages/cut.js';

export { sentenceOf, type Deviation } from '../../contract/scenario/deviations.js';

/** A step of an operation in the baseline, and the time since the previous step in milliseconds. */
interface PlannedStep {
  readonly afterMs: number;
  readonly to: string;
  readonly reason?: { readonly code: string; readonly message: string };
}

/** An event of the baseline: the run of a journey without deviations. */
export interface JourneyEvent {
  readonly name: string;
  readonly resourceId: string;
  /** Name of the write that created the resource of the event; null if no explored write did. */
  readonly write: string | null;
}

/** A request of the baseline that is not a GET or a token request. */
export interface JourneyWrite {
  readonly name: string;
}

/** An operation of the baseline. */
export interface JourneyOperation {
  readonly name: string;
  readonly intent: string;
  readonly steps: readonly PlannedStep[];
  /** Time from the creation of the operation to its last step, in milliseconds. */
  readonly lengthMs: number;
}

/** The events, writes and operations of a journey, in their order. */
export interface Journey {
  readonly events: readonly JourneyEvent[];
  readonly writes: readonly JourneyWrite[];
  readonly operations: readonly JourneyOperation[];
}

/** Abilities of the client that some kinds of deviations need. */
export interface ClientAbilities {
  /** Whether the client has a recovery step, which a lost event needs. */
  readonly recover: boolean;
  /** Whether the program of the client can be killed and started again. */
  readonly crash: boolean;
}

/** Returns a sentence about how a schedule happens in production. */
export function sentenceAbout(schedule: readonly Deviation[]): string {
  return [...new Set(schedule.map(({ kind }) => guarantees.deviations[kind].how))].join('; ');
}

/** Returns the type of a named event or write: its name without its number. */
export const typeOf = (name: string) => name.split('#')[0]!;
const numberOf = (name: string) => Number(name.split('#')[1] ?? 1);

/** Returns all deviations that can be tried alone, always in the same order. */
export function singlesOf({ events, writes, operations }: Journey, possible: ClientAbilities): Deviation[] {
  const found: Deviation[] = [];
  const add = (kind: DeviationKind, subject: string, at: string | null = null) => found.push({ kind, subject, at });
  for (const [index, event] of events.entries()) {
    const later = events.slice(index + 1);
    const next = later.find(({ resourceId }) => resourceId === event.resourceId);
    const other = later.find(({ resourceId }) => resourceId !== event.resourceId);
    for (const each of [next, other]) if (each) add('late', event.name, each.name);
    if (later.length > 0) add('late', event.name, 'end');
    add('twice', event.name, 'now');
    add('twice', event.name, 'end');
    add('twice', event.name, 'together');
    if (next) add('overlap', event.name, next.name);
    if (possible.recover) add('lost', event.name);
    if (possible.crash) add('crash', event.name, 'webhook');
  }
  for (const { name } of writes) {
    const own = events.filter(({ write }) => write === name);
    // The first event of a write, and its outcome, if that is another event.
    for (const each of new Set([own[0], own.findLast((event) => isOutcome(event.name))])) if (each) add('early', each.name, name);
    add('lostResponse', name);
    add('unavailable', name);
    if (possible.crash) for (const point of ['before', 'after']) add('crash', name, point);
  }
  if (operations.length > 1) for (const { name, steps } of operations) if (steps.length > 0) add('slow', name);
  return found.toSorted((a, b) => deviationKinds.indexOf(a.kind) - deviationKinds.indexOf(b.kind));
}

/** Whether an event reports the outcome of an operation. */
const isOutcome = (name: string) => /^OPERATION_(COMPLETED|FAILED)$/.test(typeOf(name));

/** Whether two deviations can be in one schedule: not if both are about the same event, write or program. */
export function areCompatible(a: Deviation, b: Deviation): boolean {
  if (a.kind === 'crash' && b.kind === 'crash') return false;
  return a.subject !== b.subject && (writeOf(a) === null || writeOf(a) !== writeOf(b));
}

/** Returns the name of the write whose request a deviation changes; null if it changes none. */
function writeOf({ kind, subject, at }: Deviation): string | null {
  if (kind === 'early') return at;
  return kind === 'lostResponse' || kind === 'unavailable' || (kind === 'crash' && at !== 'webhook') ? subject : null;
}

/** Returns weaker deviations that may cause the same failure, weakest first. */
export function weakerOf(deviation: Deviation, { events }: Journey): Deviation[] {
  const { kind, subject, at } = deviation;
  if (kind === 'twice' && at !== 'now') return [{ kind, subject, at: 'now' }];
  if (kind === 'early') {
    const first = events.find(({ write }) => write === at)!;
    return first.name === subject ? [] : [{ kind, subject: first.name, at }];
  }
  if (kind === 'crash' && at === 'after') return [{ kind: 'lostResponse', subject, at: null }];
  if (kind !== 'late' || at !== 'end') return [];
  const index = events.findIndex(({ name }) => name === subject);
  const resourceId = events[index]?.resourceId;
  const later = events.slice(index + 1);
  const next = later.find((each) => each.resourceId === resourceId) ?? later[0];
  return next ? [{ kind, subject, at: next.name }] : [];
}

type Rule = NonNullable<InlineScenario['rules']>[number];

/** A rule, and the number of the event or request that it is about. */
interface NumberedRule {
  readonly number: number;
  readonly deviation: Deviation;
  readonly rule: Rule;
}

/** Maximum delay of a request during which the program can be killed. */
const crashDelay = '30s';

function ruleOf(deviation: Deviation, journey: Journey): NumberedRule {
  const { kind, subject, at } = deviation;
  const ofCall = kind === 'early' ? at! : subject;
  const number = numberOf(ofCall);
  const counted = { ...(number > 1 ? { after: number - 1 } : {}), times: 1 };
  const onRequest = (phase: 'before' | 'after_commit', effect: object): NumberedRule => ({
    number,
    deviation,
    rule: { on: 'REQUEST', when: { operationId: typeOf(ofCall) }, phase, ...counted, effect },
  });
  const onDelivery = (effect: object): NumberedRule => ({
    number: numberOf(subject),
    deviation,
    rule: {
      on: 'DELIVERY',
      when: { eventType: typeOf(subject), kind: 'FIRST' },
      ...(numberOf(subject) > 1 ? { after: numberOf(subject) - 1 } : {}),
      times: 1,
      effect,
    },
  });
  switch (kind) {
    case 'late':
      return onDelivery({ until: at === 'end' ? 'end' : awaited(subject, at!, journey) });
    case 'twice':
      if (at === 'together') return onDelivery({ simultaneous: true });
      return onDelivery(at === 'now' ? { duplicate: 1 } : { again: { until: 'end' } });
    case 'overlap':
      return onDelivery({ overlap: true });
    case 'lost':
      return onDelivery({ lost: true });
    case 'early':
      return onRequest('after_commit', { respondAfter: isOutcome(subject) ? 'outcome' : 'events' });
    case 'lostResponse':
      return onRequest('after_commit', { connectionReset: true });
    case 'unavailable':
      return onRequest('before', { status: 503, retryAfter: '0s' });
    case 'slow':
      return slowRule(deviation, journey);
    case 'crash':
      if (at === 'webhook') return onDelivery({ dropResponse: true });
      return onRequest(at === 'before' ? 'before' : 'after_commit', { delay: crashDelay, connectionReset: true });
  }
}

function awaited(subject: string, other: string, { events }: Journey) {
  const resourceOf = (name: string) => events.find((each) => each.name === name)?.resourceId;
  return { eventType: typeOf(other), of: resourceOf(subject) === resourceOf(other) ? 'sameResource' : 'any' };
}

/** Returns a rule that delays the steps of an operation until the steps of all other operations are over. */
function slowRule(deviation: Deviation, { operations }: Journey): NumberedRule {
  const operation = operations.find(({ name }) => name === deviation.subject)!;
  const before = operations.slice(0, operations.indexOf(operation)).filter(({ intent }) => intent === operation.intent).length;
  const delayMs = operations.reduce((sum, { lengthMs }) => sum + lengthMs, 1000);
  const steps = operation.steps.map(({ afterMs, to, reason }, index) => ({
    after: `${afterMs + (index === 0 ? delayMs : 0)}ms`,
    to,
    ...(reason ? { reason } : {}),
  }));
  const when = { 'intent.type': operation.intent };
  const rule = { on: 'OPERATION', when, ...(before > 0 ? { after: before } : {}), times: 1, steps } as Rule;
  return { number: before + 1, deviation, rule };
}

/** Name of the scenario that contains the rules of the tried schedule. */
export const triedName = 'explored';

/** Returns the name of the rule for a deviation. */
export const ruleNameOf = (deviation: Deviation) => startOf(sentenceOf(deviation), 120);

/** Returns a schedule as a scenario that extends the scenario `parent`. */
export function scenarioOf(schedule: readonly Deviation[], journey: Journey, parent: string, name = triedName): InlineScenario {
  // A rule is counted only if no earlier rule applied, so the rule for a later event comes first.
  const numbered = schedule.map((each) => ruleOf(each, journey)).toSorted((a, b) => b.number - a.number);
  const rules = numbered.map(({ deviation, rule }) => ({ name: ruleNameOf(deviation), ...rule }));
  const summary = schedule.length === 0 ? 'The journey without deviations.' : startOf(`${schedule.map(sentenceOf).join('; ')}.`, 300);
  return { scenario: name, summary, extends: parent, rules };
}

/** Returns a name for the file of a schedule, of lower-case letters, digits and hyphens. */
export function fileNameOf(schedule: readonly Deviation[]): string {
  const part = ({ kind, subject, at }: Deviation) => {
    const other = at === null ? '' : kind === 'late' ? `-after-${at}` : `-${at}`;
    return `${kind}-${subject}${other}`;
  };
  return schedule
    .map(part)
    .join('-and-')
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/#1(?![0-9])/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/-$/, '');
}
