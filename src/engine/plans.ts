import type { ScenarioStep } from '../contract/scenario/scenario.js';
import type { ResourceTrigger } from '../contract/shared/kinds.js';
import { spanMs, type After } from '../contract/scenario/after.js';
import { later } from '../domain/context.js';
import { dueAfterBusinessDays, type Calendar } from '../domain/calendars/business-days.js';
import { minutesOf } from '../domain/calendars/zoned-time.js';
import { kinds } from '../domain/kinds.js';
import { reachableFrom } from '../domain/machine.js';
import { deriveFraction } from '../world/ids.js';
import { pickRule } from './rules.js';
import { storeTrace } from './outbox.js';
import type { PlanRecord } from '../world/rows.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { View } from '../world/view.js';

/** Creates the plan of a new resource: the steps of the first matching scenario rule. `subject` returns the resource that rules test. */
export function startPlan(uow: UnitOfWork, on: ResourceTrigger, id: string, subject: () => unknown): void {
  storeTrace(uow, id);
  const rule = pickRule(uow, on, subject);
  if (!rule?.scenario) return;
  const delay = uow.settings.delays[on];
  const steps = delay === undefined ? rule.steps : rule.steps.map((step) => ({ ...step, after: delay }));
  goTo(uow, { id, on, scenario: rule.scenario, rule: rule.name, steps, next: 0, skipped: [], jobId: null }, 0);
}

/** Returns the next step of a resource with its cause id; undefined if no step is left. */
export function nextStep(view: View, id: string): { plan: PlanRecord; step: ScenarioStep; causeId: string } | undefined {
  const plan = view.get('plans', id);
  const step = plan?.steps[plan.next];
  if (!plan || !step) return undefined;
  return { plan, step, causeId: `rule:${plan.scenario}/${plan.rule}#${plan.next + 1}` };
}

/** Completes the next step and schedules the one after. @param skippedAt the status that did not allow the step; null if it was executed */
export function stepDone(uow: UnitOfWork, id: string, skippedAt: string | null): void {
  const plan = uow.get('plans', id);
  if (!plan || plan.next >= plan.steps.length) return;
  const skipped = skippedAt === null ? plan.skipped : [...plan.skipped, { step: plan.next + 1, at: uow.now, status: skippedAt }];
  goTo(uow, { ...plan, skipped }, plan.next + 1);
}

/** Stops the timer of a plan. `resumePlan` continues it. */
export function pausePlan(uow: UnitOfWork, id: string): void {
  const plan = uow.get('plans', id);
  if (!plan) return;
  cancelTimer(uow, plan);
  uow.put('plans', { ...plan, jobId: null });
}

/** Continues a plan with its first remaining step for which `isLegal` is true. Skips the steps before it. */
export function resumePlan(uow: UnitOfWork, id: string, isLegal: (step: ScenarioStep) => boolean): void {
  const plan = uow.get('plans', id);
  if (!plan) return;
  const next = plan.steps.findIndex((step, index) => index >= plan.next && isLegal(step));
  goTo(uow, plan, next < 0 ? plan.steps.length : next);
}

/**
 * Adapts a plan to a forced status: the plan continues with the first remaining step that may follow this status. If there is none, it
 * continues with the first step that may follow later, for example a closure after the account becomes active.
 */
export function redirectPlan(uow: UnitOfWork, id: string, status: string): void {
  const plan = uow.get('plans', id);
  if (!plan) return;
  const { transitions } = kinds[plan.on];
  const leadsTo = (statuses: readonly string[]) => (step: ScenarioStep) => statuses.includes(step.to ?? '');
  const isLegal = leadsTo(transitions[status] ?? []);
  resumePlan(uow, id, plan.steps.slice(plan.next).some(isLegal) ? isLegal : leadsTo(reachableFrom(transitions, status)));
}

/** Ends a plan early, for example because its resource has a final status. The row remains, to show which rule applied. */
export function discardPlan(uow: UnitOfWork, id: string): void {
  const plan = uow.get('plans', id);
  if (plan) goTo(uow, plan, plan.steps.length);
}

/** Sets the next step of a plan and its timer. After the last step there is no timer. */
function goTo(uow: UnitOfWork, plan: PlanRecord, next: number): void {
  cancelTimer(uow, plan);
  const { id, on, scenario, rule, steps, skipped } = plan;
  const step = steps[next];
  if (!step) return uow.put('plans', { id, on, scenario, rule, steps, next, skipped, jobId: null });
  const order = uow.count('job');
  const jobId = `step-${order}`;
  const { dueAt, note } = dueTime(uow, `${plan.id}#${next}`, step.after);
  uow.put('jobs', { id: jobId, dueAt, order, verb: 'step', subject: plan.id });
  uow.put('plans', { id, on, scenario, rule, steps, next, skipped, jobId, ...(note === null ? {} : { note }) });
}

const midnight = 24 * 60;

/** Returns the due time of a step. @param id id of the step, which determines its random numbers together with the world's seed */
function dueTime(uow: UnitOfWork, id: string, after: After): { dueAt: string; note: string | null } {
  const draw = (what: string) => deriveFraction(uow.identity.seed, uow.identity.name, 'step', what, id);
  if (typeof after === 'string' || 'min' in after) return { dueAt: later(uow.now, spanMs(after, draw('delay'))), note: null };
  const { businessDays, calendar: name, cutoff, opens = '09:00', zone, plus = '0s' } = after;
  const calendar: Calendar =
    typeof name === 'string' ? uow.calendars[name] : { zone: zone!, holidays: new Set(name.holidays), years: null };
  const days =
    typeof businessDays === 'number'
      ? businessDays
      : businessDays.min + Math.floor((businessDays.max - businessDays.min + 1) * draw('days'));
  const rule = { days, cutoff: cutoff === undefined ? midnight : minutesOf(cutoff), opens: minutesOf(opens), zone: zone ?? calendar.zone };
  const { ms, isKnown } = dueAfterBusinessDays(Date.parse(uow.now), rule, calendar);
  const { from = 0, to = 0 } = calendar.years ?? {};
  const note = isKnown
    ? null
    : `Calendar ${typeof name === 'string' ? name : 'of the scenario'} covers ${from} to ${to}; outside of these years only weekends count.`;
  return { dueAt: new Date(ms + spanMs(plus, draw('delay'))).toISOString(), note };
}

function cancelTimer(uow: UnitOfWork, plan: PlanRecord): void {
  if (plan.jobId !== null) uow.delete('jobs', plan.jobId);
}

/** Returns the rule and step in a cause id; null if the cause is not a scenario step. */
export function ruleOfCause(causeId: string): { scenario: string; name: string; step: number } | null {
  const [, scenario = '', name = '', step = ''] = /^rule:([^/]+)\/(.*)#([0-9]+)$/s.exec(causeId) ?? [];
  return step === '' ? null : { scenario, name, step: Number(step) };
}
