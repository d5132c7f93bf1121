import { hash } from 'node:crypto';
import type { Dimension } from '../../contract/control/analysis/coverage.js';
import type { Profile, Requirement } from '../../contract/control/analysis/profile.js';
import type { Report, ReportedFinding, RequirementResult } from '../../contract/control/analysis/report.js';
import type { RuleId } from '../../contract/control/analysis/rule-ids.js';
import type { ErrorCode } from '../../contract/shared/error-codes.js';
import { coverageView, stateOf, type CoverageScope } from '../coverage/present.js';
import { reproductionOf } from '../coverage/reproductions.js';

/** The rules that a client breaks if it gets an error code. */
const misuses: Partial<Record<ErrorCode, RuleId>> = { IDEMPOTENCY_CONFLICT: 'idempotency.key-reused' };

/** Returns the coverage item that proves a requirement. */
export function cellOf(requirement: Requirement): [dimension: Exclude<Dimension, 'rules'>, id: string] {
  if ('observed' in requirement) {
    const { transition, intent } = requirement.observed;
    return ['transitions', intent === undefined ? transition : `${transition}.${intent}`];
  }
  if ('handles' in requirement) {
    const { handles } = requirement;
    return ['resilience', `${'operation' in handles ? handles.operation : handles.event}.${handles.challenge}`];
  }
  const { covered } = requirement;
  return 'event' in covered ? ['events', covered.event] : ['outcomes', `${covered.operation}.${covered.code}`];
}

const words = {
  NOT_COVERED: 'The situation did not occur.',
  COVERED: 'The client was shown it.',
  PENDING: "The situation occurred, and the client's reaction is not clear yet.",
  PASSED: 'The client handled it each time.',
  FAILED: 'The client did not handle it.',
} as const;

function judged(requirement: Requirement, scope: CoverageScope): RequirementResult {
  const { id, title, notApplicable } = requirement;
  const [dimension, cell] = cellOf(requirement);
  const count = scope.tally.get(dimension, cell);
  const state = stateOf(dimension, count, scope.isFinal);
  const shown = {
    id,
    title,
    count: count?.count ?? 0,
    firstAt: count ? new Date(count.firstMs).toISOString() : null,
    test: count?.test ?? null,
  };
  if (notApplicable !== undefined) return { ...shown, result: 'NOT_APPLICABLE', what: notApplicable };
  const what = `${cell}: ${words[state]}`;
  if (state === 'COVERED' || state === 'PASSED') return { ...shown, result: 'PASSED', what };
  const [kind, from, to] = cell.split('.');
  const { how } = reproductionOf(dimension, dimension === 'transitions' ? `${kind}.${from}.${to}` : cell);
  return { ...shown, result: state === 'FAILED' ? 'FAILED' : 'NOT_COVERED', what, how };
}

/** Evaluates the requirements of a profile against coverage. */
export function judgeProfile(profile: Profile, scope: CoverageScope): NonNullable<Report['profile']> {
  const { minimum } = profile;
  return {
    profile: profile.profile,
    summary: profile.summary,
    sha256: hash('sha256', JSON.stringify(profile)),
    requirements: profile.require.map((each) => judged(each, scope)),
    minimum: minimum ? { ...minimum, covered: coverageView(scope, minimum.tier, true).percent } : null,
  };
}

/**
 * Returns findings as a profile evaluates them: it accepts some rules, and its requirements cause others.
 * @param nowMs real time in milliseconds; accepted findings can have a last day
 */
export function findingsBy(profile: Profile, findings: readonly ReportedFinding[], nowMs: number): ReportedFinding[] {
  const accepted = new Set(
    (profile.findings?.accept ?? []).flatMap(({ rule, until }) => (Date.parse(`${until}T23:59:59.999Z`) >= nowMs ? [rule] : [])),
  );
  const asked = new Set(
    profile.require.flatMap((each) => {
      if (!('covered' in each) || !('operation' in each.covered) || each.covered.code === 'ok') return [];
      const rule = misuses[each.covered.code];
      return rule === undefined ? [] : [`${rule} ${each.covered.operation}`];
    }),
  );
  return findings.map((each) => {
    if (each.state !== 'NEW') return each;
    if (accepted.has(each.rule)) return { ...each, state: 'ACCEPTED' };
    return asked.has(`${each.rule} ${each.operationId}`) ? { ...each, state: 'EXPECTED' } : each;
  });
}
