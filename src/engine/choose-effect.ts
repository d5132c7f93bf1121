import { durationMs } from '../contract/shared/duration.js';
import { spanMs } from '../contract/scenario/after.js';
import type { RequestEffect, Span } from '../contract/scenario/effects.js';
import type { Phase } from '../contract/scenario/scenario.js';
import { attemptSubject, type AttemptKind, type DeliveryRecord, type SubscriptionRecord } from '../domain/webhooks/delivery.js';
import { contentEffectOf, type DeliveryEffect } from '../domain/webhooks/delivery-effect.js';
import type { CompiledRule, RuleOn } from '../scenario/compile.js';
import type { RequestSubject } from '../scenario/subjects.js';
import { percentileValue } from '../domain/distribution.js';
import { deriveFraction } from '../world/ids.js';
import { payloadOf } from './outbox.js';
import type { RateLimits } from './rate-limits.js';
import { resourceAgeMs } from './resource-age.js';
import { pickRule } from './rules.js';
import type { UnitOfWork } from '../world/unit-of-work.js';

/** The effect of a rule or fault on a request. All random values are already drawn. */
export interface ChosenEffect {
  readonly ruleId: string;
  readonly effect: RequestEffect;
  /** Delay in milliseconds of real time. */
  readonly delayMs: number;
  /** Time until the rate limit of the rule allows a request, in milliseconds of real time. Only for a rule with a limit. */
  readonly retryAfterMs?: number;
}

/** Returns the effect on a request in one phase; null if no rule or fault applies. */
export function chooseRequestEffect(
  uow: UnitOfWork,
  subject: Omit<RequestSubject, 'resource'>,
  phase: Phase,
  limits: RateLimits,
): ChosenEffect | null {
  let retryAfterMs: number | undefined;
  const isWithinLimit = (rule: RuleOn<'REQUEST'>): boolean => {
    if (rule.effect.limit === undefined) return false;
    const { waitMs } = limits.take(rule.id, rule.effect.limit, subject.operationId);
    retryAfterMs = waitMs;
    return waitMs === 0;
  };
  const rule = pickRule(
    uow,
    'REQUEST',
    () => ({ ...subject, resource: { age: resourceAgeMs(uow, subject.path) } }),
    (each) => each.phase === phase,
    isWithinLimit,
  );
  if (!rule) return null;
  const delayMs = drawSpan(uow, rule, rule.effect.delay);
  return { ruleId: rule.id, effect: rule.effect, delayMs, ...(rule.effect.limit === undefined ? {} : { retryAfterMs: retryAfterMs ?? 0 }) };
}

/** Returns the effect on a delivery attempt; null if no rule or fault applies. Stores the rule counts in the unit of work. */
export function chooseDeliveryEffect(
  uow: UnitOfWork,
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
  kind: AttemptKind,
): DeliveryEffect | null {
  const rule = pickRule(uow, 'DELIVERY', () => attemptSubject(delivery, subscription, kind, () => payloadOf(uow, delivery)));
  if (!rule) return null;
  const { delay, duplicate, reorder, until, again, overlap, simultaneous, drop, dropResponse, lost, unknownEvent } = rule.effect;
  return {
    ...(delay === undefined ? {} : { delayMs: drawSpan(uow, rule, delay) }),
    ...(duplicate === undefined ? {} : { duplicate }),
    ...(reorder ? { reorder } : {}),
    ...(until === undefined ? {} : { until }),
    ...(again === undefined ? {} : { again }),
    ...(overlap ? { overlap } : {}),
    ...(simultaneous ? { simultaneous } : {}),
    ...(drop ? { drop } : {}),
    ...(dropResponse ? { dropResponse } : {}),
    ...(lost ? { lost } : {}),
    ...(unknownEvent ? { unknownEvent } : {}),
    ...contentEffectOf(rule.effect),
  };
}

/** Returns a duration in milliseconds; draws one from a range or distribution. */
function drawSpan(uow: UnitOfWork, rule: CompiledRule, span: Span | undefined): number {
  if (span === undefined) return 0;
  if (typeof span === 'string') return durationMs(span) ?? 0;
  const { seed, name } = uow.identity;
  const hits = String(uow.get('ruleCounts', rule.id)?.hits ?? 0);
  const fraction = deriveFraction(seed, name, 'delay', rule.id, hits);
  if ('min' in span) return spanMs(span, fraction);
  const ms = (duration: string) => durationMs(duration) ?? 0;
  return Math.round(percentileValue({ p50: ms(span.p50), p95: ms(span.p95), p99: ms(span.p99) }, fraction));
}
