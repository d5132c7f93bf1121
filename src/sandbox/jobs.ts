import { takeStep } from '../services/kinds.js';
import { enterDelivery } from '../domain/webhooks/delivery.js';
import type { ScenarioCatalogue } from '../scenario/catalogue.js';
import { enqueueAttempt, release } from '../engine/outbox.js';
import { nextStep } from '../engine/plans.js';
import type { JobRecord } from '../world/state.js';
import type { Fired } from '../world/ticker.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { World } from '../world/world.js';

/** What jobs need besides their world. */
export interface JobHost {
  readonly scenarios: ScenarioCatalogue;
  readonly onFault: (error: unknown, what: string) => void;
}

interface JobVerb {
  causeId(uow: UnitOfWork, job: JobRecord): string;
  run(uow: UnitOfWork, scenarios: ScenarioCatalogue, job: JobRecord): Fired | null;
}

/** What the verbs that jobs name do. */
const jobVerbs: Readonly<Record<JobRecord['verb'], JobVerb>> = {
  step: {
    causeId: (uow, job) => nextStep(uow, job.subject)?.causeId ?? 'none',
    run: (uow, scenarios, job) => takeStep(uow, scenarios, job.subject),
  },
  retry: {
    causeId: (_uow, job) => `delivery:${job.subject}`,
    run: (uow, _scenarios, { subject }) => {
      const delivery = uow.get('deliveries', subject);
      if (delivery?.status !== 'WAITING') return null;
      const due = enterDelivery(uow, delivery, 'DUE');
      uow.put('deliveries', due);
      enqueueAttempt(uow, due, 'RETRY');
      return { at: uow.now, kind: 'RETRY', resource: 'DELIVERY', id: delivery.id, from: delivery.status, to: due.status };
    },
  },
  release: {
    causeId: (_uow, job) => `delivery:${job.subject}`,
    run: (uow, _scenarios, { subject }) => {
      const attempt = uow.get('outbox', subject);
      const delivery = attempt && uow.get('deliveries', attempt.messageId);
      if (!attempt || !delivery) return null;
      release(uow, attempt);
      return { at: uow.now, kind: 'RELEASE', resource: 'DELIVERY', id: delivery.id, from: delivery.status, to: 'DUE' };
    },
  },
};

/** Runs a due job at its due time; null when there was nothing left to do. One that fails is dropped and reported, so that it does not stop the world. */
export function runJob(world: World, job: JobRecord, { scenarios, onFault }: JobHost): Fired | null {
  const atMs = world.isPinned ? world.nowMs() : Date.parse(job.dueAt);
  const verb = jobVerbs[job.verb];
  try {
    return world.write(
      world.read((uow) => verb.causeId(uow, job)),
      (uow) => {
        uow.delete('jobs', job.id);
        return verb.run(uow, scenarios, job);
      },
      atMs,
    ).value;
  } catch (error) {
    onFault(error, `job ${job.id} of world ${world.identity.name}`);
    world.write('fault', (uow) => uow.delete('jobs', job.id), atMs);
    return null;
  }
}
