import { hash } from 'node:crypto';
import type { Dimension } from '../../../contract/control/analysis/coverage.js';
import type { Profile, Proof, Requirement } from '../../../contract/control/analysis/profile.js';
import type { Report, ReportedFinding, RequirementResult } from '../../../contract/control/analysis/report.js';
import type { RuleId } from '../../../contract/control/analysis/rule-ids.js';
import type { ReportedReconciliation } from '../../../contract/control/analysis/reconcile.js';
import type { ErrorCode } from '../../../contract/shared/error-codes.js';
import type { WorldEvidence } from './evidence.js';
import { isDoublePayment } from '../../project/findings/finding-store.js';
import { rulesOfFault } from '../../project/coverage/fault-tests.js';
import { coverageView, stateOf, type CoverageScope } from '../../project/coverage/present.js';
import { reproductionOf } from '../../project/coverage/reproductions.js';

/** The rule that a client broke if a response has an error code, by this code. */
const misuses: Partial<Record<ErrorCode, RuleId>> = { IDEMPOTENCY_CONFLICT: 'idempotency.key-reused' };

/** A requirement that a coverage item proves. */
export type CoverageRequirement = Exclude<Requirement, { readonly proves: unknown }>;

/** Returns the coverage item that proves a requirement. */
export function requiredItem(requirement: CoverageRequirement): [dimension: Exclude<Dimension, 'rules'>, id: string] {
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
  fallbackOutcomes:
    'Read operations until they are COMPLETED or FAILED, or let webhooks be sent again: reject those with a wrong signature, and set allowRetry in the subscription.',
  webhookOutcomes: 'Subscribe your endpoint, and accept the webhooks OPERATION_COMPLETED and OPERATION_FAILED.',
  lifetimes: 'Restart your client, so that it requests a new access token, and let it learn how its operations ended.',
  recoveredLosses:
    'Run your client in a world with the scenario certification and the seed random. Retry lost responses with the same idempotency key.',
  refusedSignatures:
    'Run your client in a world with the scenario certification and the seed random. Respond to webhooks with a wrong signature with 401.',
};

/** The fault that the client handled each time a fact was proved, for facts about a single fault. */
const faultOf: Partial<Record<Proof, keyof typeof rulesOfFault>> = { refusedSignatures: 'badSignature' };

/** True if a finding shows that the client mishandled a fault. */
const shows = ({ rule }: ReportedFinding, fault: keyof typeof rulesOfFault): boolean => rulesOfFault[fault].some((each) => each === rule);

/** Decides which requirements are excused, because the profile accepts the findings about them. */
class Excuses {
  readonly #profile: Profile;
  readonly #findings: readonly ReportedFinding[];

  /** @param findings as the profile evaluates them */
  constructor(profile: Profile, findings: readonly ReportedFinding[]) {
    this.#profile = profile;
    this.#findings = findings;
  }

  /** Returns the reason for which a fault need not be handled; undefined if it must be. */
  forFault({ handles }: Extract<Requirement, { readonly handles: unknown }>): string | undefined {
    const isAbout = (each: ReportedFinding) =>
      'operation' in handles ? each.operationId === handles.operation : each.eventType === handles.event;
    return this.#reason((each) => isAbout(each) && shows(each, handles.challenge));
  }

  /** Returns the reason for which a fact need not be shown; undefined if it must be. */
  forFact(fact: Proof): string | undefined {
    const fault = faultOf[fact];
    return fault && this.#reason((each) => shows(each, fault));
  }

  /** Returns the reason of the profile if it accepts all findings that match, and there is one. No reason excuses a double payment. */
  #reason(matches: (finding: ReportedFinding) => boolean): string | undefined {
    const found = this.#findings.filter(matches);
    if (found.length === 0 || found.some(({ state, rule }) => state !== 'ACCEPTED' || isDoublePayment(rule))) return undefined;
    const accepted = this.#profile.findings?.accept?.find(({ rule }) => rule === found[0]!.rule);
    return accepted && `${accepted.rule} is accepted until ${accepted.until}: ${accepted.reason}`;
  }
}

function proven(
  { id, title, notApplicable, proves }: Extract<Requirement, { readonly proves: unknown }>,
  scope: CoverageScope,
  excuses: Excuses,
): RequirementResult {
  const { fact, atLeast } = proves;
  const count = scope.proven?.[fact] ?? 0;
  const shown = { id, title, count, firstAt: null, test: null };
  if (notApplicable !== undefined) return { ...shown, result: 'NOT_APPLICABLE', what: notApplicable };
  const what = `${fact}: ${count} shown, ${atLeast} required.`;
  if (count >= atLeast) return { ...shown, result: 'PASSED', what };
  const excuse = excuses.forFact(fact);
  if (excuse !== undefined) return { ...shown, result: 'NOT_APPLICABLE', what: excuse };
  return { ...shown, result: 'NOT_COVERED', what, how: ways[fact] };
}

function judged(requirement: Requirement, scope: CoverageScope, excuses: Excuses): RequirementResult {
  if ('proves' in requirement) return proven(requirement, scope, excuses);
  const { id, title, notApplicable } = requirement;
  const [dimension, cell] = requiredItem(requirement);
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
  const excuse = 'handles' in requirement ? excuses.forFault(requirement) : undefined;
  if (excuse !== undefined) return { ...shown, result: 'NOT_APPLICABLE', what: excuse };
  const [kind, from, to] = cell.split('.');
  const item = dimension === 'transitions' ? `${kind}.${from}.${to}` : cell;
  const { how } = reproductionOf(dimension, item);
  return { ...shown, result: state === 'FAILED' ? 'FAILED' : 'NOT_COVERED', what, how, item };
}

/**
 * Evaluates the requirements of a profile against coverage.
 * @param findings as the profile evaluates them; a requirement whose findings it accepts does not apply
 */
export function judgeProfile(
  profile: Profile,
  scope: CoverageScope,
  findings: readonly ReportedFinding[],
): Omit<NonNullable<Report['profile']>, 'reconciled'> {
  const { minimum } = profile;
  const excuses = new Excuses(profile, findings);
  return {
    profile: profile.profile,
    summary: profile.summary,
    sha256: hash('sha256', JSON.stringify(profile)),
    requirements: profile.require.map((each) => judged(each, scope, excuses)),
    minimum: minimum ? { ...minimum, covered: coverageView(scope, minimum.tier, true).percent } : null,
  };
}

/** Maximum number of worlds without the required verdict that a report names. */
const maxOthers = 20;

/** Describes why a reconciliation does not prove that all records of a client agree with a world; null if it proves that. */
export function missingProof(reconciliation: ReportedReconciliation | null): string | null {
  if (reconciliation === null) return 'has no reconciliation';
  const { verdict, worst, complete, outdated } = reconciliation;
  if (outdated) return 'has created operations since its last reconciliation';
  if (worst !== 'AGREED')
    return worst === verdict ? `is ${worst}` : `was ${worst} before it was ${verdict}, without a payment between them`;
  return complete ? null : 'has a reconciliation without "complete", so rows may be missing';
}

/** Evaluates the last reconciliations of worlds; null if the profile requires none. */
export function judgeReconciled(
  { reconciled: required }: Profile,
  worlds: readonly Pick<WorldEvidence, 'world' | 'reconciliation'>[],
): NonNullable<Report['profile']>['reconciled'] {
  if (required === undefined) return null;
  const concerned = worlds.filter(({ world, reconciliation }) => reconciliation !== null || world.writes > 0);
  const others = concerned.flatMap(({ world, reconciliation }) => {
    const what = missingProof(reconciliation);
    return what === null ? [] : [{ world: world.name, verdict: reconciliation?.worst ?? null, what }];
  });
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
