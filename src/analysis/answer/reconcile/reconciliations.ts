import {
  maxReportedDifferences,
  type Reconciliation,
  type ReconciliationVerdict,
  type ReportedReconciliation,
} from '../../../contract/control/analysis/reconcile.js';
import { nextOrder, type EventTime, type RequestRecord } from '../../../exchange/exchange.js';
import type { Observer } from '../../../exchange/observer.js';
import { runInSlices } from '../../../world/turns.js';
import type { World } from '../../../world/world.js';
import { movingOperations } from '../../project/findings/call.js';
import type { Findings } from '../../project/findings/findings.js';
import type { CallRecord } from '../../views/record.js';
import type { TestMarkers } from '../../project/test-markers.js';
import { reconcile } from './reconcile.js';
import type { Records } from './records.js';

/** The parts of the analysis that reconciliations read. */
export interface ReconciliationsHost {
  readonly record: CallRecord;
  readonly findings: Findings;
  readonly testMarkers: TestMarkers;
}

/** The last reconciliation of a world. */
interface Last {
  readonly result: Omit<ReportedReconciliation, 'outdated'>;
  /** Order of its begin. */
  readonly order: number;
  /** True if the reconciliation ran on the previous node of the world, and an operation was created there later. */
  readonly wasOutdated?: boolean;
}

/** The verdicts, the best first. */
const ranks: readonly ReconciliationVerdict[] = ['AGREED', 'PENDING', 'INCONCLUSIVE', 'DIFFERENT'];

/** Compares the records of clients with their worlds, and stores the last result of each world. */
export class Reconciliations implements Observer {
  readonly #host: ReconciliationsHost;
  readonly #last = new WeakMap<World, Last>();
  /** The time at which the newest operation of each world was created. */
  readonly #created = new WeakMap<World, EventTime>();

  constructor(host: ReconciliationsHost) {
    this.#host = host;
  }

  responded(world: World | null, { kind, operationId, stored, ended }: RequestRecord): void {
    if (world && kind === 'REQUEST' && stored?.madeId && movingOperations.has(operationId ?? '')) this.#created.set(world, ended);
  }

  replaced(world: World): void {
    this.#last.delete(world);
    this.#created.delete(world);
  }

  /** Compares records with a world, in time slices, so that requests do not wait for the comparison. */
  async run(world: World, records: Records): Promise<Reconciliation> {
    const { record, findings, testMarkers } = this.#host;
    const generation = testMarkers.generationOf(world);
    const { book } = findings.runnerOf(world);
    const order = nextOrder();
    const result = await runInSlices(reconcile({ world, generation, record, findings: book }, records));
    const before = this.#last.get(world);
    const since = before && !this.#isOutdated(world, before) ? before.result : null;
    this.#last.set(world, { order, result: reported(world, result, records, since) });
    return result;
  }

  /** Restores the last reconciliation that the previous node of a world stored. */
  restore(world: World, { outdated, ...result }: ReportedReconciliation): void {
    this.#last.set(world, { result, order: nextOrder(), wasOutdated: outdated });
  }

  /** Returns a summary of the last reconciliation of a world; null without one. */
  lastOf(world: World): ReportedReconciliation | null {
    const last = this.#last.get(world);
    return last ? { ...last.result, outdated: this.#isOutdated(world, last) } : null;
  }

  /** True if an operation was created after a reconciliation, or after the time that it compared with. */
  #isOutdated(world: World, { order, wasOutdated, result: { asOf } }: Last): boolean {
    if (wasOutdated) return true;
    const created = this.#created.get(world);
    return created !== undefined && (created.order > order || (created.worldMs ?? 0) > Date.parse(asOf));
  }
}

/** @param since the summary of the earlier reconciliations since the last created operation; null without one */
function reported(
  world: World,
  result: Reconciliation,
  records: Records,
  since: Omit<ReportedReconciliation, 'outdated'> | null,
): Omit<ReportedReconciliation, 'outdated'> {
  const { verdict, asOf, matched, evicted, differences, omitted, pending, unexplained } = result;
  // PENDING asks the client to wait, so the next verdict replaces it.
  const earlier = since === null || since.worst === 'PENDING' ? 'AGREED' : since.worst;
  return {
    world: world.identity.name,
    verdict,
    worst: ranks.indexOf(earlier) > ranks.indexOf(verdict) ? earlier : verdict,
    complete: (records.complete ?? []).length > 0 || since?.complete === true,
    asOf,
    matched,
    evicted,
    differences: differences.slice(0, maxReportedDifferences),
    count: differences.length + omitted,
    pending: pending.length,
    unexplained,
  };
}
