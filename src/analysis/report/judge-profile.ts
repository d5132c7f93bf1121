import { hash } from 'node:crypto';
import type { Dimension } from '../../contract/control/analysis/coverage.js';
import type { Profile, Proof, Requirement } from '../../contract/control/analysis/profile.js';
import type { Report, ReportedFinding, RequirementResult } from '../../contract/control/analysis/report.js';
import type { RuleId } from '../../contract/control/analysis/rule-ids.js';
import type { ErrorCode } from '../../contract/shared/error-codes.js';
import type { WorldEvidence } from './evidence.js';
import { coverageView, stateOf, type CoverageScope } from '../coverage/present.js';
import { reproductionOf } from '../coverage/reproductions.js';

/** The rule that a client breaks when it gets an error code, by code. */
const misuses: Partial<Record<ErrorCode, RuleId>> = { IDEMPOTENCY_CONFLICT: 'idempotency.key-reused' };

/** A requirement that a coverage item proves. */
export type CoverageRequirement = Exclude<Requirement, { readonly proves: unknown }>;

/** Returns the coverage item that proves a requirement. */
export function cellOf(requirement: CoverageRequirement): [dimension: Exclude<Dimension, 'rules'>, id: string] {
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
  COVERED: 'Shown to the client.',
  PENDING: "The situation occurred, and the client's reaction is not clear yet.",
  PASSED: 'The client handled the situation each time.',
  FAILED: 'The client did not handle the situation.',
} as const;

/** Instructions to prove each fact about a client. */
const ways: Readonly<Record<Proof, string>> = {
  readOutcomes: 'Read operations until they are COMPLETED or FAILED: GET /api/operations/{operationId}.',
  webhookOutcomes: 'Subscribe your endpoint, and accept the webhooks OPERATION_COMPLETED and OPERATION_FAILED.',
  lifetimes: 'Restart your client, so that it requests a new access token, and let it learn how its operations ended.',
  recoveredLosses:
    'Run your client in a world with the scenario certification and the seed random. Retry lost responses with the same idempotency key.',
  refusedSignatures:
    'Run your client in a world with the scenario certification and the seed random. Respond to webhooks with a wrong signature with 401.',
};

function proven(
  { id, title, notApplicable, proves }: Extract<Requirement, { readonly proves: unknown }>,
  scope: CoverageScope,
): RequirementResult {
  const { fact, atLeast } = proves;
  const count = scope.proven?.[fact] ?? 0;
  const shown = { id, title, count, firstAt: null, test: null };
  if (notApplicable !== undefined) return { ...shown, result: 'NOT_APPLICABLE', what: notApplicable };
  const what = `${fact}: ${count} shown, ${atLeast} required.`;
  return count >= atLeast ? { ...shown, result: 'PASSED', what } : { ...shown, result: 'NOT_COVERED', what, how: ways[fact] };
}

function judged(requirement: Requirement, scope: CoverageScope): RequirementResult {
  if ('proves' in requirement) return proven(requirement, scope);
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
export function judgeProfile(profile: Profile, scope: CoverageScope): Omit<NonNullable<Report['profile']>, 'reconciled'> {
  const { minimum } = profile;
  return {
    profile: profile.profile,
    summary: profile.summary,
    sha256: hash('sha256', JSON.stringify(profile)),
    requirements: profile.require.map((each) => judged(each, scope)),
    minimum: minimum ? { ...minimum, covered: coverageView(scope, minimum.tier, true).percent } : null,
  };
}

/** Maximum number of worlds without the required verdict that a report names. */
const maxOthers = 20;

/** Evaluates the last reconciliations of worlds; null if the profile requires none. */
export function judgeReconciled(
  { reconciled: required }: Profile,
  worlds: readonly Pick<WorldEvidence, 'world' | 'reconciliation'>[],
): NonNullable<Report['profile']>['reconciled'] {
  if (required === undefined) return null;
  const concerned = worlds.filter(({ world, reconciliation }) => reconciliation !== null || world.writes > 0);
  const others = concerned
    .map(({ world, reconciliation }) => ({ world: world.name, verdict: reconciliation?.verdict ?? null }))
    .filter(({ verdict }) => verdict !== required);
  const isDifferent = others.some(({ verdict }) => verdict === 'DIFFERENT');
  const result = isDifferent ? 'FAILED' : others.length > 0 || concerned.length === 0 ? 'NOT_COVERED' : 'PASSED';
  return { required, result, others: others.slice(0, maxOthers) };
}

/**
 * Returns findings with the states that a profile gives them: ACCEPTED if it accepts their rule, EXPECTED if a requirement causes them.
 * @param nowMs real time in milliseconds; a profile can accept a rule until a given day
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
