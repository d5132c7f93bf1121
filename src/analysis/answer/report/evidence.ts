import type { ExpectedFinding } from '../../../contract/control/analysis/findings.js';
import type { Report, ReportedFinding } from '../../../contract/control/analysis/report.js';
import type { IntegrationCounts } from '../../project/integration.js';
import type { ReportedReconciliation } from '../../../contract/control/analysis/reconcile.js';
import type { StoredMoney } from '../../project/findings/moved.js';
import type { StoredTally } from '../../project/coverage/tally.js';

/** Payments or outcomes of one world about which nothing is proven. */
export interface Unproven {
  readonly count: number;
  readonly money: StoredMoney;
  /** Ids of operations or of rejected requests. */
  readonly examples: readonly string[];
}

/** The unproven facts of one world. */
export interface WorldUnproven {
  readonly pairs: Unproven;
  readonly outcomes: Unproven;
  readonly repeats: Unproven;
  readonly whole: Unproven;
  readonly notMade: Unproven;
  /** The webhook endpoints, without their ports; true for those that received a wrong or missing signature. */
  readonly endpoints: readonly (readonly [name: string, isTested: boolean])[];
}

/** The evidence of one world for a report. */
export interface WorldEvidence {
  readonly world: Report['worlds'][number];
  /** The findings, oldest first. */
  readonly findings: readonly ReportedFinding[];
  readonly expected: readonly ExpectedFinding[];
  /** Number of detections that were not stored because of the maximum. */
  readonly omitted: number;
  readonly tally: StoredTally;
  readonly integration: IntegrationCounts;
  /** Number of announcements of findings. */
  readonly announced: number;
  /** Number of times that the findings were deleted. */
  readonly cleared: number;
  /** The last reconciliation; null without one. */
  readonly reconciliation: ReportedReconciliation | null;
  readonly unproven: WorldUnproven;
  /** Ids of the rules in the scenario of the world. */
  readonly rules: readonly string[];
}
