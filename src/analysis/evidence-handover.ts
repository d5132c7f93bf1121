import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { maxNotProvenExamples } from '../contract/control/analysis/report.js';
import type { ReportedReconciliation } from '../contract/control/analysis/reconcile.js';
import { timestampOf } from '../domain/context.js';
import { current } from '../domain/machine.js';
import { finalOperationStatuses } from '../domain/operations/operation.js';
import type { OpenRequest } from '../exchange/exchange.js';
import type { Observer } from '../exchange/observer.js';
import type { StoredEvidence } from '../world/stored-evidence.js';
import type { World } from '../world/world.js';
import type { Reconciliations } from './answer/reconcile/reconciliations.js';
import type { Coverage } from './project/coverage/coverage.js';
import type { StoredCoverage } from './project/coverage/world-coverage.js';
import { evidenceReader } from './views/evidence.js';
import type { Findings } from './project/findings/findings.js';
import { mostSevere, summed, type StoredFindings } from './project/findings/finding-store.js';
import { restoredUnproven, storedUnproven, type StoredUnproven } from './project/findings/unproven.js';
import type { EvidenceOf } from './project/findings/present.js';
import type { IntegrationFacts, StoredIntegration } from './project/integration.js';
import type { CallRecord } from './views/record.js';
import type { StoredMarkers, TestMarkers } from './project/test-markers.js';

/** Maximum size of the stored evidence of a world as base64, in characters. */
export const maxStoredEvidence = 128 * 1024;

/** Maximum number of unproven operations of each kind that are stored with their ids; further ones are counted. */
const maxUnproven = 500;

const deflate = promisify(deflateRaw);

/** The evidence of a world as it is stored for the next node. */
interface HandoverEvidence {
  readonly version: 3;
  /** Real time since which the evidence is complete; null if it is complete since the creation of the world. */
  readonly wholeSince: string | null;
  readonly markers: StoredMarkers;
  readonly findings: StoredFindings;
  /** The requests that findings name, by their reference. */
  readonly requests: readonly (readonly [ref: string, request: ReturnType<EvidenceOf>])[];
  readonly coverage: StoredCoverage;
  readonly integration: StoredIntegration;
  readonly reconciliation: ReportedReconciliation | null;
  readonly unproven: StoredUnproven;
}

/** True for an operation whose money can still return to its account. */
const isOpen = ({ state }: World, operationId: string) => {
  const operation = state.operations.get(operationId);
  return operation !== undefined && !finalOperationStatuses.has(current(operation.states).status);
};

/** The steps that make the evidence smaller, one after the other until it fits. */
const reductions: readonly ((evidence: HandoverEvidence, world: World) => HandoverEvidence)[] = [
  (evidence) => evidence,
  (evidence) => ({
    ...evidence,
    requests: evidence.requests.map(([ref, each]) => [ref, { ...each, request: each.request && { ...each.request, body: null } }]),
  }),
  (evidence) => ({ ...evidence, requests: [] }),
  (evidence, world) => ({
    ...evidence,
    findings: summed(evidence.findings, (id) => isOpen(world, id)),
    integration: { ...evidence.integration, known: [] },
    unproven: storedUnproven(world, restoredUnproven(evidence.unproven), maxNotProvenExamples),
  }),
  (evidence) => ({ ...evidence, findings: mostSevere(evidence.findings, 100) }),
  (evidence) => ({ ...evidence, findings: mostSevere(evidence.findings, 0), reconciliation: null }),
];

/** The parts of the analysis whose data is stored. */
export interface EvidenceHandoverHost {
  readonly findings: Findings;
  readonly coverage: Coverage;
  readonly integration: IntegrationFacts;
  readonly reconciliations: Reconciliations;
  readonly testMarkers: TestMarkers;
  readonly record: CallRecord;
  /** Returns real time, in milliseconds since 1970. */
  realNow(): number;
}

/**
 * The evidence about the client of each world, for nodes that share worlds: it is stored with the world and restored by the next node.
 * Findings that a later request can disprove are left out, because the next node cannot connect that request with them.
 */
export class EvidenceHandover implements Observer {
  readonly #host: EvidenceHandoverHost;
  readonly #wholeSince = new WeakMap<World, string | null>();
  readonly #changed = new Set<World>();

  constructor(host: EvidenceHandoverHost) {
    this.#host = host;
  }

  /** Returns the real time since which the evidence of a world is complete; null if it is complete since the creation of the world. */
  wholeSince(world: World): string | null {
    return this.#wholeSince.get(world) ?? null;
  }

  responded(world: World | null, { kind, method }: OpenRequest): void {
    if (world && !world.isGone && (kind === 'REQUEST' || method !== 'GET')) this.#changed.add(world);
  }

  attempt(world: World): void {
    if (!world.isGone) this.#changed.add(world);
  }

  replaced(world: World): void {
    this.#changed.add(world);
  }

  deleted(world: World): void {
    this.#changed.delete(world);
  }

  left(world: World): void {
    this.#changed.delete(world);
  }

  /** Restores the evidence that the previous node of the world stored. */
  taken(world: World, stored: StoredEvidence | null): void {
    const evidence = stored && unpacked(stored.text);
    const isWhole = evidence !== null && stored!.isWhole;
    this.#wholeSince.set(world, isWhole ? evidence.wholeSince : timestampOf(this.#host.realNow()));
    if (!evidence) return;
    const { findings, coverage, integration, reconciliations, testMarkers, record } = this.#host;
    testMarkers.restore(world, evidence.markers);
    findings.restore(world, evidence.findings);
    coverage.restore(world, evidence.coverage);
    integration.restore(world, evidence.integration);
    findings.restoreUnproven(world, evidence.unproven);
    if (evidence.reconciliation) reconciliations.restore(world, evidence.reconciliation);
    record.inherited.set(world, new Map(evidence.requests));
  }

  /** Returns the worlds whose evidence has changed since the last call. */
  changed(): World[] {
    this.#host.record.flush();
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  /** Makes {@link changed} return worlds again, because their evidence could not be stored. */
  retry(worlds: readonly World[]): void {
    for (const world of worlds) if (!world.isGone) this.#changed.add(world);
  }

  /** Returns the evidence of a world as text of at most {@link maxStoredEvidence} characters. */
  async stored(world: World): Promise<string> {
    const evidence = this.#evidenceOf(world);
    let reduced = evidence;
    for (const reduce of reductions) {
      reduced = reduce(reduced, world);
      const isWhole = reduced.findings.found.length === evidence.findings.found.length;
      const wholeSince = isWhole ? evidence.wholeSince : timestampOf(this.#host.realNow());
      const text = (await deflate(JSON.stringify({ ...reduced, wholeSince }))).toString('base64');
      if (text.length <= maxStoredEvidence) return text;
    }
    throw new Error(`The evidence of world ${world.identity.name} is larger than ${maxStoredEvidence} characters.`);
  }

  #evidenceOf(world: World): HandoverEvidence {
    const { findings, coverage, integration, reconciliations, testMarkers, record } = this.#host;
    const storedFindings = findings.runnerOf(world).book.stored();
    const requestOf = evidenceReader(record, world);
    const refs = new Set(
      storedFindings.found.flatMap(([, { detections }]) => detections.flatMap(({ evidence }) => evidence.map(({ ref }) => ref))),
    );
    return {
      version: 3,
      wholeSince: this.wholeSince(world),
      markers: testMarkers.stored(world),
      findings: storedFindings,
      requests: Array.from(refs, (ref) => [ref, requestOf(ref)]),
      coverage: coverage.of(world).stored(),
      integration: integration.stored(world),
      reconciliation: reconciliations.lastOf(world),
      unproven: storedUnproven(world, findings.unproven(world), maxUnproven),
    };
  }
}

/** Returns stored evidence; null if it has another version or is damaged. */
function unpacked(text: string): HandoverEvidence | null {
  try {
    const evidence = JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString()) as HandoverEvidence;
    return evidence.version === 3 ? evidence : null;
  } catch {
    return null;
  }
}
