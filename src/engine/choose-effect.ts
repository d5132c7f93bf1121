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

/** What a rule or a fault does to a request, with everything that was left to chance drawn. */
export interface ChosenEffect {
  readonly ruleId: string;
  readonly effect: RequestEffect;
  /** Of real time. */
  readonly delayMs: number;
}

/** The effect on a request in one of its phases; null when there is none. */
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

/** The effect on an attempt to deliver a webhook; null when there is none. What it counts or draws goes into the unit of work. */
export function chooseDeliveryEffect(
  uow: UnitOfWork,
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
  kind: AttemptKind,
): DeliveryEffect | null {
  const rule = pickRule(uow, 'DELIVERY', () => attemptSubject(delivery, subscription, kind, () => payloadOf(uow, delivery)));
  if (!rule) return null;
  const { delay, duplicate, reorder, drop } = rule.effect;
  return {
    ...(delay === undefined ? {} : { delayMs: drawSpan(uow, rule, delay) }),
    ...(duplicate === undefined ? {} : { duplicate }),
    ...(reorder ? { reorder } : {}),
    ...(drop ? { drop } : {}),
    ...signingEffectOf(rule.effect),
  };
}

/** A duration, drawn from its range if it is one, in milliseconds. */
function drawSpan(uow: UnitOfWork, rule: CompiledRule, span: Span | undefined): number {
  if (span === undefined) return 0;
  if (typeof span === 'string') return durationMs(span) ?? 0;
  const [least, most] = [durationMs(span.min) ?? 0, durationMs(span.max) ?? 0];
  const { seed, name } = uow.identity;
  const hits = String(uow.get('ruleCounts', rule.id)?.hits ?? 0);
  return Math.round(least + (most - least) * deriveFraction(seed, name, 'delay', rule.id, hits));
}
