import type { Finding } from '../contract/control/analysis/findings.js';
import type { Profile } from '../contract/control/analysis/profile.js';
import { readProfiles } from '../fixtures/profiles.js';
import type { Observer } from '../exchange/observer.js';
import type { World } from '../world/world.js';
import { Coverage } from './project/coverage/coverage.js';
import { Explorations } from './project/explorations.js';
import { Findings } from './project/findings/findings.js';
import { OpenWorlds } from './open-worlds.js';
import { TestMarkers } from './project/test-markers.js';
import { CallRecord } from './views/record.js';
import { EventDispatcher } from '../exchange/event-dispatcher.js';
import { IntegrationFacts } from './project/integration.js';
import { Reconciliations } from './answer/reconcile/reconciliations.js';
import { Reports } from './answer/report/reports.js';
import { EvidenceHandover } from './evidence-handover.js';
import { Stream } from './views/stream.js';
import { Timeline } from './views/timeline.js';

/** The settings and callbacks that the analysis needs. */
export interface AnalysisHost {
  /** Maximum size of the recorded requests, in bytes; 0 turns recording off. */
  readonly recordBytes: number;
  /** Maximum size of the recorded requests of one world, in bytes. Default: 10 MiB. */
  readonly worldRecordBytes?: number;
  /** Secrets that must not be recorded, in addition to the secrets of clients. */
  readonly secrets: readonly string[];
  /** True if the clients of one world must not see the other worlds. Default: false. */
  readonly isApart?: boolean;
  /** Called once for each finding. */
  onFound(world: World, finding: Finding): void;
  /** Called when later requests disproved a finding. Default: nothing. */
  onRetracted?(world: World, finding: Finding): void;
  /** Version of this program. */
  readonly version: string;
  /** The newest version of the API. */
  readonly contract: string;
  /** Directory of the built-in certification profiles. */
  readonly profilesDirectory: string;
  /** Returns real time, in milliseconds since 1970. */
  realNow(): number;
  /** Observers that see each request immediately, not in batches. Default: none. */
  readonly live?: readonly Observer[] | undefined;
  /** Returns further observers, which are notified after those of the analysis. Default: none. */
  readonly observers?: (record: CallRecord) => readonly Observer[];
  /** Called when an observer throws. */
  onInternalError(error: unknown, what: string): void;
}

/** The analysis of clients: recorded requests, findings, coverage and reports. */
export interface Analysis {
  readonly testMarkers: TestMarkers;
  readonly record: CallRecord;
  readonly findings: Findings;
  readonly coverage: Coverage;
  readonly explorations: Explorations;
  readonly reports: Reports;
  /** Facts about the integration of each client, for reports. */
  readonly integration: IntegrationFacts;
  readonly reconciliations: Reconciliations;
  readonly timeline: Timeline;
  /** The evidence about clients that is stored with their worlds, if several nodes share the worlds. */
  readonly evidence: EvidenceHandover;
  /** Sends new timeline items to readers. */
  readonly stream: Stream;
  /** Returns the built-in certification profiles by name; they are read at first use. */
  readonly profiles: () => ReadonlyMap<string, Profile>;
  /** Receives the requests, attempts and changes of all worlds. */
  readonly dispatcher: EventDispatcher;
}

/** Creates the analysis of a sandbox. */
export function createAnalysis(host: AnalysisHost): Analysis {
  const openWorlds = new OpenWorlds();
  const testMarkers = new TestMarkers();
  const flush = () => dispatcher.catchUp();
  const coverage = new Coverage(flush);
  const findings = new Findings({
    worlds: () => openWorlds.byName.values(),
    test: (world) => testMarkers.testOf(world),
    redacted: (world, text, limit) => record.redactorOf(world).text(text, limit),
    secretsIn: (text) => record.secretsIn(text),
    faultsOf: (world) => coverage.resilienceOf(world),
    onFound: (world, found) => {
      timeline.found(world, found);
      host.onFound(world, found);
    },
    onRetracted: (world, found) => {
      timeline.retracted(world, found);
      host.onRetracted?.(world, found);
    },
    isNegative: (world, test) => testMarkers.isNegative(world, test),
    flush,
  });
  const record = new CallRecord({
    testMarkers,
    maxBytes: host.recordBytes,
    worldBytes: host.worldRecordBytes,
    secrets: host.secrets,
    isApart: host.isApart,
    realNow: () => host.realNow(),
    findingsOf: (world, id) => findings.of(world, id),
    onMark: (world, mark, order) => timeline.marked(world, mark, order),
    flush,
  });
  const stream = new Stream();
  const timeline = new Timeline({ record, testMarkers, stream, realNow: () => host.realNow() });
  const { version, contract } = host;
  const explorations = new Explorations();
  const integration = new IntegrationFacts();
  const reconciliations = new Reconciliations({ record, findings, testMarkers });
  const evidence = new EvidenceHandover({
    findings,
    coverage,
    integration,
    reconciliations,
    testMarkers,
    record,
    realNow: () => host.realNow(),
  });
  const reports = new Reports({
    wholeSince: (world) => evidence.wholeSince(world),
    integration,
    findings,
    coverage,
    explorations,
    record,
    reconciliationOf: (world) => reconciliations.lastOf(world),
    version,
    contract,
    worlds: () => openWorlds.byName,
    realNow: () => host.realNow(),
  });
  // If recording is off, reports, `verify` and the log still read the empty recording of a world, which must end with the world.
  const ends: Observer = {
    opened: (world) => record.opened(world),
    deleted: (world) => record.deleted(world),
    left: (world) => record.left(world),
  };
  // The order matters: `reports` stores the results of a deleted world before `record` deletes its requests.
  const observers: Observer[] = [
    openWorlds,
    testMarkers,
    findings,
    coverage,
    reports,
    { deleted: (world) => explorations.deleted(world) },
    integration,
    reconciliations,
    timeline,
    record.isOn ? record : ends,
    ...(host.isApart ? [evidence] : []),
    ...(host.observers?.(record) ?? []),
  ];
  const dispatcher = new EventDispatcher(observers, host.live ?? [], (error, what) => host.onInternalError(error, what));
  let profiles: ReadonlyMap<string, Profile> | undefined;
  return {
    testMarkers,
    record,
    findings,
    coverage,
    evidence,
    explorations,
    integration,
    reports,
    reconciliations,
    timeline,
    stream,
    profiles: () => (profiles ??= readProfiles(host.profilesDirectory)),
    dispatcher,
  };
}
