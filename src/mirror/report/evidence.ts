import type { ExpectedFinding } from '../../contract/control/mirror/findings.js';
import type { Report, ReportedFinding } from '../../contract/control/mirror/report.js';
import type { KeptTally } from '../coverage/tally.js';

/** What a report says of one world, and follows from. */
export interface WorldEvidence {
  readonly world: Report['worlds'][number];
  /** Oldest first. */
  readonly findings: readonly ReportedFinding[];
  readonly expected: readonly ExpectedFinding[];
  /** How many findings there was no room for. */
  readonly omitted: number;
  readonly tally: KeptTally;
  /** The rules of its scenario, by their ids. */
  readonly rules: readonly string[];
}

const gravity = ({ severity, label }: ReportedFinding) => (severity === 'ERROR' ? 0 : 2) + (label === 'CERTAIN' ? 0 : 1);

/** Findings with the gravest first, and else as they were. */
export function byGravity(findings: readonly ReportedFinding[]): ReportedFinding[] {
  return findings.toSorted((a, b) => gravity(a) - gravity(b));
}
