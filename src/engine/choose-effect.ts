import { durationMs } from '../contract/shared/duration.js';
import type { RequestEffect, Span } from '../contract/scenario/effects.js';
import type { Phase } from '../contract/scenario/scenario.js';
import { attemptSubject, type AttemptKind, type DeliveryRecord, type SubscriptionRecord } from '../domain/webhooks/delivery.js';
import { signingEffectOf, type DeliveryEffect } from '../domain/webhooks/delivery-effect.js';
import type { CompiledRule } from '../scenario/compile.js';
import type { RequestSubject } from '../scenario/subjects.js';
import { deriveFraction } from '../world/ids.js';
import { payloadOf } from './payloads.js';
import { pickRule } from './rules.js';
import type { UnitOfWork } from '../world/unit-of-work.js';

/** The effect of a rule or fault on a request. All random values are drawn. */
export interface ChosenEffect {
  readonly ruleId: string;
  readonly effect: RequestEffect;
  /** Delay in milliseconds of real time. */
  readonly delayMs: number;
}

/** Returns the effect on a request in one phase, or null. */
export function chooseRequestEffect(uow: UnitOfWork, subject: RequestSubject, phase: Phase): ChosenEffect | null {
  const rule = pickRule(
    uow,
    'REQUEST',
    () => subject,
    (each) => each.phase === phase,
  );
  if (!rule) return null;
  return { ruleId: rule.id, effect: rule.effect, delayMs: drawSpan(uow, rule, rule.effect.delay) };
}

/** Returns the effect on a delivery attempt, or null. Stores the counts in the unit of work. */
export function chooseDeliveryEffect(
  uow: UnitOfWork,
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
  kind: AttemptKind,
): DeliveryEffect | null {
  const rule = pickRule(uow, 'DELIVERY', () => attemptSubject(delivery, subscription, kind, () => payloadOf(uow, delivery)));
  if (!rule) return null;
  const { delay, duplicate, reorder, until, again, overlap, drop, dropResponse, lost } = rule.effect;
  return {
    ...(delay === undefined ? {} : { delayMs: drawSpan(uow, rule, delay) }),
    ...(duplicate === undefined ? {} : { duplicate }),
    ...(reorder ? { reorder } : {}),
    ...(until === undefined ? {} : { until }),
    ...(again === undefined ? {} : { again }),
    ...(overlap ? { overlap } : {}),
    ...(drop ? { drop } : {}),
    ...(dropResponse ? { dropResponse } : {}),
    ...(lost ? { lost } : {}),
    ...signingEffectOf(rule.effect),
  };
}

/** Returns a duration in milliseconds. If it is a range, draws one from it. */
function drawSpan(uow: UnitOfWork, rule: CompiledRule, span: Span | undefined): number {
  if (span === undefined) return 0;
  if (typeof span === 'string') return durationMs(span) ?? 0;
  const [least, most] = [durationMs(span.min) ?? 0, durationMs(span.max) ?? 0];
  const { seed, name } = uow.identity;
  const hits = String(uow.get('ruleCounts', rule.id)?.hits ?? 0);
  return Math.round(least + (most - least) * deriveFraction(seed, name, 'delay', rule.id, hits));
}
