import { maxReportedDifferences, type Reconciliation, type ReportedReconciliation } from '../../../contract/control/analysis/reconcile.js';
import { runInSlices } from '../../../world/turns.js';
import type { World } from '../../../world/world.js';
import type { Findings } from '../../project/findings/findings.js';
import type { CallRecord } from '../../record.js';
import type { TestMarkers } from '../../test-markers.js';
import { reconcile } from './reconcile.js';
import type { Records } from './records.js';

/** The parts of the analysis that reconciliations read. */
export interface ReconciliationsHost {
  readonly record: CallRecord;
  readonly findings: Findings;
  readonly testMarkers: TestMarkers;
}

/** Compares the records of clients with their worlds, and stores the last result of each world. */
export class Reconciliations {
  readonly #host: ReconciliationsHost;
  readonly #last = new WeakMap<World, ReportedReconciliation>();

  constructor(host: ReconciliationsHost) {
    this.#host = host;
  }

  /** Compares records with a world, in time slices, so that requests do not wait for the comparison. */
  async run(world: World, records: Records): Promise<Reconciliation> {
    const { record, findings, testMarkers } = this.#host;
    const generation = testMarkers.generationOf(world);
    const result = await runInSlices(reconcile({ world, generation, record, findings: findings.runnerOf(world).book }, records));
    this.#last.set(world, reported(world, result));
    return result;
  }

  /** Restores the last reconciliation of a world that another node had. */
  restore(world: World, last: ReportedReconciliation): void {
    this.#last.set(world, last);
  }

  /** Returns a summary of the last reconciliation of a world; null without one. */
  lastOf(world: World): ReportedReconciliation | null {
    return this.#last.get(world) ?? null;
  }
}

function reported(world: World, result: Reconciliation): ReportedReconciliation {
  const { verdict, asOf, matched, evicted, differences, omitted, pending, unexplained } = result;
  return {
    world: world.identity.name,
    verdict,
    asOf,
    matched,
    evicted,
    differences: differences.slice(0, maxReportedDifferences),
    count: differences.length + omitted,
    pending: pending.length,
    unexplained,
  };
}
