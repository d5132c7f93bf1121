import type { ScenarioStep } from '../contract/scenario/scenario.js';
import type { ResourceTrigger } from '../contract/shared/kinds.js';
import { durationMs } from '../contract/shared/duration.js';
import { later } from '../domain/context.js';
import { kinds } from '../domain/kinds.js';
import { reachableFrom } from '../domain/machine.js';
import { pickRule } from './rules.js';
import type { PlanRecord } from '../world/rows.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { View } from '../world/view.js';

/** Fixes the course of a resource that was just triggered, by the world's scenario; `subject` makes what the rules look at. */
export function startPlan(uow: UnitOfWork, on: ResourceTrigger, id: string, subject: () => unknown): void {
  const rule = pickRule(uow, on, subject);
  if (!rule?.scenario) return;
  const delay = uow.settings.delays[on];
  const steps = delay === undefined ? rule.steps : rule.steps.map((step) => ({ ...step, after: delay }));
  goTo(uow, { id, on, scenario: rule.scenario, rule: rule.name, steps, next: 0, skipped: [], jobId: null }, 0);
}

/** The step that comes next for a resource, and the name of its cause; undefined when nothing is planned. */
export function nextStep(view: View, id: string): { plan: PlanRecord; step: ScenarioStep; causeId: string } | undefined {
  const plan = view.get('plans', id);
  const step = plan?.steps[plan.next];
  if (!plan || !step) return undefined;
  return { plan, step, causeId: `rule:${plan.scenario}/${plan.rule}#${plan.next + 1}` };
}

/** Leaves the step that was next behind, taken or (not legal in `skippedAt`, its status) left out, and sets the timer of the one after. */
export function stepDone(uow: UnitOfWork, id: string, skippedAt: string | null): void {
  const plan = uow.get('plans', id);
  if (!plan || plan.next >= plan.steps.length) return;
  const skipped = skippedAt === null ? plan.skipped : [...plan.skipped, { step: plan.next + 1, at: uow.now, status: skippedAt }];
  goTo(uow, { ...plan, skipped }, plan.next + 1);
}

/** Stops the timer of a plan and keeps the rest of it, for a `resumePlan`. */
export function pausePlan(uow: UnitOfWork, id: string): void {
  const plan = uow.get('plans', id);
  if (!plan) return;
  cancelTimer(uow, plan);
  uow.put('plans', { ...plan, jobId: null });
}

/** Sets the timer of the first step left that `isLegal` allows; the ones before it are left out. */
export function resumePlan(uow: UnitOfWork, id: string, isLegal: (step: ScenarioStep) => boolean): void {
  const plan = uow.get('plans', id);
  if (!plan) return;
  const next = plan.steps.findIndex((step, index) => index >= plan.next && isLegal(step));
  goTo(uow, plan, next < 0 ? plan.steps.length : next);
}

/**
 * What a forced move does to a plan: it goes on with the first step left that may follow the new status, or else with the first that
 * may come once something else has moved the resource on, as a closure comes after an account has become active.
 */
export function redirectPlan(uow: UnitOfWork, id: string, status: string): void {
  const plan = uow.get('plans', id);
  if (!plan) return;
  const { transitions } = kinds[plan.on];
  const leadsTo = (statuses: readonly string[]) => (step: ScenarioStep) => statuses.includes(step.to ?? '');
  const isLegal = leadsTo(transitions[status] ?? []);
  resumePlan(uow, id, plan.steps.slice(plan.next).some(isLegal) ? isLegal : leadsTo(reachableFrom(transitions, status)));
}

/** Ends what was planned: the resource has reached its end. The plan stays, to tell which rule led there. */
export function discardPlan(uow: UnitOfWork, id: string): void {
  const plan = uow.get('plans', id);
  if (plan) goTo(uow, plan, plan.steps.length);
}

/** Sets a plan to a step and its timer with it; behind the last step, there is no timer. */
function goTo(uow: UnitOfWork, plan: PlanRecord, next: number): void {
  cancelTimer(uow, plan);
  const step = plan.steps[next];
  if (!step) return uow.put('plans', { ...plan, next, jobId: null });
  const order = uow.count('job');
  const jobId = `step-${order}`;
  uow.put('jobs', { id: jobId, dueAt: later(uow.now, durationMs(step.after) ?? 0), order, verb: 'step', subject: plan.id });
  uow.put('plans', { ...plan, next, jobId });
}

function cancelTimer(uow: UnitOfWork, plan: PlanRecord): void {
  if (plan.jobId !== null) uow.delete('jobs', plan.jobId);
}
