import { expireDeposit } from '../services/operations/operations.js';
import { takeStep } from '../services/take-step.js';
import { enterDelivery } from '../domain/webhooks/delivery.js';
import { enqueueAttempt, release } from '../engine/outbox.js';
import { nextStep } from '../engine/plans.js';
import type { JobRecord } from '../world/rows.js';
import type { Fired } from '../world/ticker.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { View } from '../world/view.js';
import type { World } from '../world/world.js';

interface JobVerb {
  causeId(view: View, job: JobRecord): string;
  run(uow: UnitOfWork, job: JobRecord): Fired | null;
}

/** The actions of jobs (timers of a world), by verb. */
const jobVerbs: Readonly<Record<JobRecord['verb'], JobVerb>> = {
  step: {
    causeId: (view, job) => nextStep(view, job.subject)?.causeId ?? 'none',
    run: (uow, job) => takeStep(uow, { id: job.subject }),
  },
  retry: {
    causeId: (_view, job) => `delivery:${job.subject}`,
    run: (uow, { subject }) => {
      const delivery = uow.get('deliveries', subject);
      if (delivery?.status !== 'WAITING') return null;
      const due = enterDelivery(uow, delivery, 'DUE');
      uow.put('deliveries', due);
      enqueueAttempt(uow, due, 'RETRY');
      return { at: uow.now, kind: 'RETRY', resource: 'DELIVERY', id: delivery.id, from: delivery.status, to: due.status };
    },
  },
  release: {
    causeId: (_view, job) => `delivery:${job.subject}`,
    run: (uow, { subject }) => {
      const attempt = uow.get('outbox', subject);
      const delivery = attempt && uow.get('deliveries', attempt.messageId);
      if (!attempt || !delivery) return null;
      release(uow, attempt);
      return { at: uow.now, kind: 'RELEASE', resource: 'DELIVERY', id: delivery.id, from: delivery.status, to: 'DUE' };
    },
  },
  expire: {
    causeId: (_view, job) => `expiry:${job.subject}`,
    run: (uow, { subject }) => expireDeposit(uow, { operationId: subject }),
  },
};

/** Runs a due job at its due world time. Returns null if it had no effect. Reports and deletes a failing job, so that others continue. */
export function runJob(world: World, job: JobRecord, onInternalError: (error: unknown, what: string) => void): Fired | null {
  const atMs = world.isPinned ? world.nowMs() : Date.parse(job.dueAt);
  const verb = jobVerbs[job.verb];
  try {
    return world.write(
      world.read((view) => verb.causeId(view, job)),
      (uow) => {
        uow.delete('jobs', job.id);
        return verb.run(uow, job);
      },
      atMs,
    ).value;
  } catch (error) {
    onInternalError(error, `job ${job.id} of world ${world.identity.name}`);
    world.write('internal-error', (uow) => uow.delete('jobs', job.id), atMs);
    return null;
  }
}
