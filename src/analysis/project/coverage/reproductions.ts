import { forcingRoutes } from '../../../contract/control/routes/forcing.js';
import type { Dimension, EventChallenge, ReproductionStep, WriteChallenge } from '../../../contract/control/analysis/coverage.js';
import type { OperationId } from '../../../contract/public/routes.js';
import { publicRoutes } from '../../../contract/public/routes.js';
import { eventTypes, type EventType } from '../../../contract/shared/event-types.js';
import type { DeliveryEffect, RequestEffect } from '../../../contract/scenario/effects.js';
import { kindOf, type KindName } from '../../../contract/shared/kinds.js';
import { kinds } from '../../../domain/kinds.js';
import { reasonCatalogue, type ReasonGroup } from '../../../contract/shared/reason-catalogue.js';
import { isOperationEvent, statusOfOperationEvent } from '../../../domain/operations/event.js';
import { statusOfInstructionEvent } from '../../../domain/payees/beneficiary.js';
import { reason } from '../../../domain/reasons.js';
import { requestOf, requestsFor } from './requests.js';

/** Instructions to cover an item: a sentence and requests. */
export interface Reproduction {
  readonly how: string;
  readonly steps: readonly ReproductionStep[];
}

const control = (method: string, path: string, body?: unknown): ReproductionStep => ({
  method,
  path: `/_sandbox${path}`,
  ...(body === undefined ? {} : { body }),
});

/** Returns the request that injects a fault into the next request of an operation. */
const injectFault = (operationId: string, effect: RequestEffect, phase?: 'after_commit') =>
  control('POST', '/faults', { on: 'REQUEST', when: { operationId }, times: 1, ...(phase ? { phase } : {}), effect });

const subscribed = 'Create a subscription to your endpoint.';

/** The effect of each fault test of a write, and the expected behaviour of the client. */
const writeWays: Readonly<Record<WriteChallenge, { effect: RequestEffect; phase?: 'after_commit'; how: string }>> = {
  lostResponse: {
    effect: { connectionReset: true },
    phase: 'after_commit',
    how: 'The connection breaks after the request takes effect. Retry with the same idempotency key until there is a response.',
  },
  503: { effect: { status: 503, retryAfter: '2s' }, how: 'The response is 503. Retry with the same key, not before Retry-After.' },
  429: { effect: { status: 429, retryAfter: '2s' }, how: 'The response is 429. Retry with the same key, not before Retry-After.' },
  timeout: {
    effect: { delay: '30s' },
    phase: 'after_commit',
    how: 'The response is delayed by 30 s. Use a shorter timeout, and retry with the same key.',
  },
  malformed: { effect: { malformedJson: true }, how: 'The response is not valid JSON. Retry with the same key.' },
  unknownFields: {
    effect: { unknownFields: true },
    how: 'The response has fields outside the contract. Ignore them, use the id in the response, and do not retry.',
  },
  expireToken: { effect: { expireToken: true }, how: 'The token has expired. Get one new token, and retry the request.' },
  early: {
    effect: { respondAfter: 'events' },
    how: `${subscribed} The webhooks arrive before the response. Accept them, also by a retry, or read the resource.`,
  },
  crash: {
    effect: { delay: '30s', connectionReset: true },
    phase: 'after_commit',
    how: 'The response is delayed by 30 s. Kill your program meanwhile, start it again, and retry with the same key.',
  },
};

const eventWays: Readonly<Record<EventChallenge, { effect: DeliveryEffect; how: string }>> = {
  duplicate: { effect: { duplicate: 1 }, how: 'The event is sent twice. Respond 2xx both times.' },
  reorder: { effect: { reorder: true }, how: 'The event is sent after the next one. Accept it anyway, or read the resource.' },
  drop: { effect: { drop: true }, how: 'The first attempt is dropped. Accept the next one (`allowRetry`), or read the resource.' },
  badSignature: { effect: { corruptSignature: true }, how: 'The signature is wrong. Respond 401, and accept the genuine message.' },
  late: { effect: { until: 'end' }, how: 'The event is sent after all others. Accept it anyway, or read the resource.' },
  overlap: { effect: { overlap: true }, how: 'The event is sent at the same time as the next one of its resource. Accept both.' },
  lost: { effect: { lost: true }, how: 'The event is never sent. Read the resource.' },
  crash: {
    effect: { dropResponse: true },
    how: 'The event is sent, and the response is ignored, as if your program had been killed. Accept the next attempt (`allowRetry`), or read the resource.',
  },
};

/** Returns the statuses on the shortest path from the initial status to `goal`, without the initial status. */
function wayTo(kind: KindName, goal: string): string[] {
  const { statuses, transitions } = kinds[kind];
  const reproductions = new Map([[statuses[0]!, [] as string[]]]);
  for (const [status, way] of reproductions)
    for (const next of transitions[status]!) if (!reproductions.has(next)) reproductions.set(next, [...way, next]);
  return reproductions.get(goal) ?? [];
}

/** Returns the request that forces a resource into a status; undefined if there is no such control request. */
function force(kind: KindName, from: string | undefined, to: string, body?: unknown): ReproductionStep | undefined {
  const fits = forcingRoutes.filter((each) => each.kind === kind && each.to === to);
  const verb = fits.find(({ onlyFrom }) => onlyFrom === from) ?? fits.find(({ onlyFrom }) => onlyFrom === undefined);
  return verb && { method: 'POST', path: verb.route.path.replace('{asset}', 'BRL'), ...(body === undefined ? {} : { body }) };
}

/** Returns requests that create a resource, force it through statuses, and read it after each status. */
function courseOf(kind: KindName, statuses: readonly string[], body?: unknown): ReproductionStep[] {
  const opened = kind === 'ASSET' ? [force('ACCOUNT', undefined, 'OPENING')!] : [];
  const forced = statuses.flatMap((to, index) => {
    const request = force(kind, statuses[index - 1], to, index === statuses.length - 1 ? body : undefined);
    return request ? [request, requestOf(kindOf(kind).reader)] : [];
  });
  return [...requestsFor(kindOf(kind).maker), ...opened, ...forced];
}

function transitionReproduction(id: string): Reproduction {
  const [kind, from, to] = id.split('.') as [KindName, string, string];
  const way = [...wayTo(kind, from), to];
  const last = force(kind, from, to);
  // If no control request forces this status, force a following status, which may pass through this one.
  const further = last ? [] : kinds[kind].transitions[to]!.filter((each) => force(kind, to, each)).slice(0, 1);
  const isReview = kind === 'ACCOUNT' && from === 'REVIEWING' && to !== 'OPENING';
  const review = isReview
    ? ' An account is REVIEWING after everything that it requires was uploaded. Upload it before you force the status.'
    : '';
  return {
    how: `A resource changes from ${from} to ${to}, and a response or an accepted webhook shows it. In the scenario \`manual\` nothing else changes the resource.${review}`,
    steps: courseOf(kind, [...way, ...further]),
  };
}

/** The status that each group of reasons explains. */
const statusesOf: Readonly<Record<ReasonGroup, string>> = {
  operationFailed: 'FAILED',
  operationOnHold: 'ON_HOLD',
  operationActionRequired: 'ACTION_REQUIRED',
  instructionRejected: 'REJECTED',
  documentRejected: 'REJECTED',
  ownerRejected: 'REJECTED',
};

function reasonReproduction(id: string): Reproduction {
  const [kind, code] = id.split('.') as [KindName, string];
  const place = kinds[kind].reasons.find((each) => Object.hasOwn(reasonCatalogue[each], code))!;
  const body = { reason: reason(place, code as never) };
  const steps = courseOf(kind, wayTo(kind, statusesOf[place]), body);
  if (kind === 'DOCUMENT') steps.splice(requestsFor(kindOf(kind).maker).length, 0, control('GET', '/documents'));
  return { how: `A resource gets a status for the reason ${code}, and a response or an accepted webhook shows it.`, steps };
}

/** Returns the requests that cause an event of a type. */
function eventCourse(type: EventType): ReproductionStep[] {
  if (type === 'ASSET_ACTIVATED') return [...requestsFor('createAccount'), force('ACCOUNT', undefined, 'ACTIVE')!];
  const [kind, status]: [KindName, string] = isOperationEvent(type)
    ? ['OPERATION', statusOfOperationEvent[type]]
    : ['PAYMENT_INSTRUCTION', statusOfInstructionEvent[type]];
  // A final status can be forced from every status.
  const isFinal = kinds[kind].transitions[status]!.length === 0;
  const forced = wayTo(kind, status).slice(isFinal ? -1 : 0);
  return [...requestsFor(kindOf(kind).maker), ...forced.flatMap((to) => force(kind, undefined, to) ?? [])];
}

function eventReproduction(type: EventType): Reproduction {
  return { how: `${subscribed} The event is sent, and your endpoint responds 2xx.`, steps: eventCourse(type) };
}

function resilienceReproduction(id: string): Reproduction {
  const [of, challenge] = id.split('.') as [OperationId, WriteChallenge] | [EventType, EventChallenge];
  const eventType = eventTypes.find((each) => each === of);
  if (eventType !== undefined) {
    const { effect, how } = eventWays[challenge as EventChallenge];
    const fault = control('POST', '/faults', { on: 'DELIVERY', when: { eventType, kind: 'FIRST' }, times: 1, effect });
    const isLater = effect.until !== undefined || effect.overlap;
    const end = isLater ? [control('POST', '/clock/advance', { untilIdle: true })] : [];
    return { how: `${subscribed} ${how}`, steps: [fault, ...eventCourse(eventType), ...end] };
  }
  const { effect, phase, how } = writeWays[challenge as WriteChallenge];
  return { how, steps: [injectFault(of, effect, phase), ...requestsFor(of as OperationId)] };
}

function operationReproduction(id: string): Reproduction {
  const [operationId, outcome = 'ok'] = id.split('.') as [OperationId, string?];
  const own = publicRoutes.find((each) => each.operationId === operationId)!.status;
  const status = Number(outcome);
  if (outcome === 'ok' || status === own) return { how: 'Call the operation; it succeeds.', steps: requestsFor(operationId) };
  const effect = (Number.isNaN(status) ? { code: outcome } : { status }) as RequestEffect;
  return {
    how: `Call the operation; the response is ${outcome}, because of a fault or a real cause.`,
    steps: [injectFault(operationId, effect), ...requestsFor(operationId)],
  };
}

const reproductions: Readonly<Record<Exclude<Dimension, 'rules'>, (id: string) => Reproduction>> = {
  operations: operationReproduction,
  statuses: operationReproduction,
  outcomes: operationReproduction,
  transitions: transitionReproduction,
  reasons: reasonReproduction,
  events: (id) => eventReproduction(id as EventType),
  resilience: resilienceReproduction,
};

/** Returns instructions to cover an item. */
export function reproductionOf(dimension: Exclude<Dimension, 'rules'>, id: string): Reproduction {
  return reproductions[dimension](id);
}

/**
 * Returns instructions to apply a rule of a scenario.
 * @param id the name of the scenario, a slash, and the name of the rule
 */
export function reproductionOfRule(id: string): Reproduction {
  const [scenario = ''] = id.split('/');
  return {
    how: `Trigger the rule "${id.slice(scenario.length + 1)}" of the scenario ${scenario}.`,
    steps: [control('GET', '/scenario')],
  };
}
