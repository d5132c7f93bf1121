import type { Finding } from '../contract/control/mirror/findings.js';
import type { Profile } from '../contract/control/mirror/profile.js';
import { readProfiles } from '../fixtures/profiles.js';
import type { Observer } from '../world/observer.js';
import type { World } from '../world/world.js';
import { Coverage } from './coverage/coverage.js';
import { Findings } from './findings/findings.js';
import { Marks } from './marks.js';
import { CallRecord } from './record/record.js';
import { RecordQueue } from './queue.js';
import { Reports } from './report/reports.js';
import { Stream } from './stream/stream.js';
import { Timeline } from './timeline/timeline.js';

/** What the mirror needs of the sandbox around it. */
export interface MirrorHost {
  /** The worlds that there are, by name. */
  worlds(): ReadonlyMap<string, World>;
  /** How much the record may take, in bytes; 0 when nothing is to be recorded. */
  readonly recordBytes: number;
  /** How much of it that of one world may take; the usual unless told otherwise. */
  readonly worldRecordBytes?: number;
  /** What must not be recorded besides the secrets of clients. */
  readonly secrets: readonly string[];
  /** Whether nobody who looks at one world may learn of another; not unless told otherwise. */
  readonly isApart?: boolean;
  /** Told once of each finding. */
  onFound(world: World, finding: Finding): void;
  /** Of this program. */
  readonly version: string;
  /** The newest version of the API. */
  readonly contract: string;
  /** Where the certification profiles are that are shipped. */
  readonly profilesDirectory: string;
  /** Real time, in milliseconds since 1970. */
  realNow(): number;
  /** Further observers of finished requests and events, after those of the mirror. Default: none. */
  readonly observers?: readonly Observer[];
  /** Called when an observer throws. */
  onFault(error: unknown, what: string): void;
}

/** What clients did, what of that they should not, what they have met, and what comes of all. */
export interface Mirror {
  readonly marks: Marks;
  readonly record: CallRecord;
  readonly findings: Findings;
  readonly coverage: Coverage;
  readonly reports: Reports;
  /** What happened in each world, in order. */
  readonly timeline: Timeline;
  /** The items of timelines, for those who read along. */
  readonly stream: Stream;
  /** The certification profiles that are shipped, by name; read when they are first asked for. */
  readonly profiles: () => ReadonlyMap<string, Profile>;
  /** Takes in all that happens. */
  readonly queue: RecordQueue;
}

/** Makes the mirror of a sandbox. */
export function createMirror(host: MirrorHost): Mirror {
  const marks = new Marks();
  const flush = () => queue.flush();
  const coverage = new Coverage(flush);
  const findings = new Findings({
    worlds: () => host.worlds().values(),
    test: (world) => marks.testOf(world),
    redacted: (world, text, limit) => record.redactorOf(world).text(text, limit),
    onFound: (world, found) => {
      timeline.found(world, found);
      host.onFound(world, found);
    },
    flush,
  });
  const record = new CallRecord({
    marks,
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
  const timeline = new Timeline({ record, marks, stream, realNow: () => host.realNow() });
  const { version, contract } = host;
  const reports = new Reports({
    findings,
    coverage,
    evicted: (world) => record.of(world).dropped,
    version,
    contract,
    worlds: () => host.worlds(),
    realNow: () => host.realNow(),
  });
  // If recording is off, reports, waits and the log still ask for the recording of a world, which ends with the world.
  const ends: Observer = {
    opened: (world) => record.opened(world),
    deleted: (world) => record.deleted(world),
    left: (world) => record.left(world),
  };
  // Reports take from the others what is left of a deleted world, before the record forgets it.
  const observers: Observer[] = [marks, findings, coverage, reports, timeline, record.isOn ? record : ends, ...(host.observers ?? [])];
  const queue = new RecordQueue(observers, (error, what) => host.onFault(error, what));
  let profiles: ReadonlyMap<string, Profile> | undefined;
  return {
    marks,
    record,
    findings,
    coverage,
    reports,
    timeline,
    stream,
    profiles: () => (profiles ??= readProfiles(host.profilesDirectory)),
    queue,
  };
}
