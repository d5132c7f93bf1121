import type { Finding } from '../contract/control/findings.js';
import type { Profile } from '../contract/control/profile.js';
import { readProfiles } from '../fixtures/profiles.js';
import type { SeenAttempt, Witness } from '../world/witness.js';
import type { World } from '../world/world.js';
import { Coverage } from './coverage/coverage.js';
import { Findings } from './findings/findings.js';
import { Reports } from './report/reports.js';

/** What the mirror needs of the sandbox around it. */
export interface MirrorHost {
  /** The worlds that there are, by name. */
  worlds(): ReadonlyMap<string, World>;
  /** The test that is marked in a world now; null when none is. */
  test(world: World): string | null;
  /** The test of the call that an event follows from. */
  testOfEvent(world: World, seen: SeenAttempt): string | null;
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

/** What clients do that they should not, what they have met, and what comes of both. */
export interface Mirror {
  readonly findings: Findings;
  readonly coverage: Coverage;
  readonly reports: Reports;
  /** The certification profiles that are shipped, by name; read when they are first asked for. */
  profiles(): ReadonlyMap<string, Profile>;
  /** What has to be told what happens, in this order. */
  readonly witnesses: readonly Witness[];
}

/** Makes the mirror of a sandbox. */
export function createMirror(host: MirrorHost): Mirror {
  const coverage = new Coverage();
  const findings = new Findings({
    worlds: () => host.worlds().values(),
    test: (world) => host.test(world),
    testOfEvent: (world, seen) => host.testOfEvent(world, seen),
    alsoTold: (world) => coverage.observerOf(world),
    onFound: (world, found) => host.onFound(world, found),
  });
  const { version, contract } = host;
  const reports = new Reports({ findings, coverage, version, contract, worlds: () => host.worlds(), realNow: () => host.realNow() });
  let profiles: ReadonlyMap<string, Profile> | undefined;
  return {
    findings,
    coverage,
    reports,
    profiles: () => (profiles ??= readProfiles(host.profilesDirectory)),
    witnesses: [findings, coverage, reports],
  };
}
