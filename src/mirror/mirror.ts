import type { Finding } from '../contract/control/mirror/findings.js';
import type { Profile } from '../contract/control/mirror/profile.js';
import { readProfiles } from '../fixtures/profiles.js';
import type { Witness } from '../world/witness.js';
import type { World } from '../world/world.js';
import { Coverage } from './coverage/coverage.js';
import { Findings } from './findings/findings.js';
import { Marks } from './marks.js';
import { CallRecord } from './record/record.js';
import { Reports } from './report/reports.js';

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
}

/** What clients did, what of that they should not, what they have met, and what comes of all. */
export interface Mirror {
  readonly marks: Marks;
  readonly record: CallRecord;
  readonly findings: Findings;
  readonly coverage: Coverage;
  readonly reports: Reports;
  /** The certification profiles that are shipped, by name; read when they are first asked for. */
  readonly profiles: () => ReadonlyMap<string, Profile>;
  /** What has to be told what happens, in this order. */
  readonly witnesses: readonly Witness[];
}

/** Makes the mirror of a sandbox. */
export function createMirror(host: MirrorHost): Mirror {
  const marks = new Marks();
  const coverage = new Coverage();
  const findings = new Findings({
    worlds: () => host.worlds().values(),
    test: (world) => marks.testOf(world),
    testOfEvent: (world, seen) => marks.testOfEvent(world, seen),
    alsoTold: (world) => coverage.observerOf(world),
    redacted: (world, text, limit) => record.redactorOf(world).text(text, limit),
    onFound: (world, found) => host.onFound(world, found),
  });
  const record = new CallRecord({
    marks,
    maxBytes: host.recordBytes,
    worldBytes: host.worldRecordBytes,
    secrets: host.secrets,
    isApart: host.isApart,
    realNow: () => host.realNow(),
    findingsOf: (world, id) => findings.of(world, id),
  });
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
  const ends = {
    opened: (world: World) => record.opened(world),
    deleted: (world: World) => record.deleted(world),
    left: (world: World) => record.left(world),
  };
  let profiles: ReadonlyMap<string, Profile> | undefined;
  return {
    marks,
    record,
    findings,
    coverage,
    reports,
    profiles: () => (profiles ??= readProfiles(host.profilesDirectory)),
    // Reports take from the others what is left of a world that is deleted, before the record forgets it.
    witnesses: [marks, findings, coverage, reports, record.isOn ? record : ends],
  };
}
