import type { ScenarioStep, Trigger } from '../contract/scenario.js';
import { durationMs } from '../contract/duration.js';
import { later } from '../domain/context.js';
import { matchRule, type ScenarioCatalogue } from '../scenario/match.js';
import type { PlanRecord } from './state.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Fixes the course of a resource that was just triggered, by the world's scenario; `subject` is what the rules look at. */
export function startPlan(uow: UnitOfWork, scenarios: ScenarioCatalogue, on: Trigger, id: string, subject: unknown): void {
  const active = uow.require('scenario', 'scenario', 'scenario').name;
  const rule = matchRule(scenarios.get(active)?.rules ?? [], on, subject);
  if (!rule || rule.steps.length === 0) return;
  schedule(uow, { id, on, scenario: rule.scenario, rule: rule.name, steps: rule.steps, next: 0, jobId: null });
}

/** The step that comes next for a resource, and the name of its cause; undefined when nothing is planned. */
export function nextStep(uow: UnitOfWork, id: string): { plan: PlanRecord; step: ScenarioStep; causeId: string } | undefined {
  const plan = uow.get('plans', id);
  const step = plan?.steps[plan.next];
  if (!plan || !step) return undefined;
  return { plan, step, causeId: `rule:${plan.scenario}/${plan.rule}#${plan.next + 1}` };
}

/** Leaves the step that was next behind, taken or skipped, and sets the timer of the one after. */
export function stepDone(uow: UnitOfWork, id: string): void {
  const plan = uow.get('plans', id);
  if (!plan) return;
  cancelTimer(uow, plan);
  if (plan.next + 1 >= plan.steps.length) uow.delete('plans', id);
  else schedule(uow, { ...plan, next: plan.next + 1, jobId: null });
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
  cancelTimer(uow, plan);
  const next = plan.steps.findIndex((step, index) => index >= plan.next && isLegal(step));
  if (next < 0) uow.delete('plans', id);
  else schedule(uow, { ...plan, next, jobId: null });
}

/** Forgets what was planned: the resource has reached its end. */
export function discardPlan(uow: UnitOfWork, id: string): void {
  const plan = uow.get('plans', id);
  if (!plan) return;
  cancelTimer(uow, plan);
  uow.delete('plans', id);
}

function schedule(uow: UnitOfWork, plan: PlanRecord): void {
  const step = plan.steps[plan.next];
  if (!step) throw new Error(`Plan ${plan.id} has no step ${plan.next}.`);
  const order = uow.count('job');
  const jobId = `step-${order}`;
  uow.put('jobs', { id: jobId, dueAt: later(uow.now, durationMs(step.after) ?? 0), order, verb: 'step', subject: plan.id });
  uow.put('plans', { ...plan, jobId });
}

function cancelTimer(uow: UnitOfWork, plan: PlanRecord): void {
  if (plan.jobId !== null) uow.delete('jobs', plan.jobId);
}
