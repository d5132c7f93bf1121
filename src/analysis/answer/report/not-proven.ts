import { maxNotProvenExamples, type NotProven, type NotProvenKind } from '../../../contract/control/analysis/report.js';
import type { World } from '../../../world/world.js';
import type { Findings } from '../../project/findings/findings.js';
import { moneyView, restoredMoney, storedMoney, sumOf } from '../../project/findings/moved.js';
import { unprovenMoney, type UnprovenOperations } from '../../project/findings/unproven.js';
import type { CoverageScope } from '../../project/coverage/present.js';
import type { Tally } from '../../project/coverage/tally.js';
import { coreItems } from '../../project/coverage/tiers.js';
import type { Profile } from '../../../contract/control/analysis/profile.js';
import type { Unproven, WorldEvidence, WorldUnproven } from './evidence.js';
import { requiredItem, missingProof } from './judge-profile.js';
import { countText } from './words.js';

/** Returns the unproven facts of a world. @param endpoints as in {@link WorldUnproven} */
export function unprovenOf(world: World, findings: Findings, endpoints: WorldUnproven['endpoints']): WorldUnproven {
  const { pairs, outcomes, repeats, whole, notMade } = findings.unproven(world);
  const shown = (operations: UnprovenOperations): Unproven => {
    const operationIds = operations.listed.map(([id]) => id);
    return {
      count: operations.older.count + operationIds.length,
      money: storedMoney(unprovenMoney(world, operations)),
      examples: [...new Set(operationIds)].slice(0, maxNotProvenExamples),
    };
  };
  return {
    pairs: shown(pairs),
    outcomes: shown(outcomes),
    repeats: shown(repeats),
    whole: shown(whole),
    notMade: shown(notMade),
    endpoints,
  };
}

function together(kind: NotProvenKind, all: readonly Unproven[], text: (count: number) => string): Omit<NotProven, 'fails'>[] {
  const count = all.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return [];
  const money = moneyView(sumOf(all.flatMap((each) => restoredMoney(each.money))));
  const examples = all.flatMap((each) => each.examples).slice(0, maxNotProvenExamples);
  return [{ kind, count, ...(money.length === 0 ? {} : { money }), text: text(count), examples }];
}

/** Returns the faults that no rule injected: those that the profile requires; without a profile, those of the requests and events in use. */
function faultsNotTested(tally: Tally, profile: Profile | null): string[] {
  const isUsed = (cell: string) => {
    const [subject = ''] = cell.split('.');
    return (tally.get('operations', subject)?.count ?? 0) > 0 || (tally.get('events', subject)?.count ?? 0) > 0;
  };
  const required = (profile?.require ?? []).flatMap((each) =>
    'handles' in each && each.notApplicable === undefined ? [requiredItem(each)[1]] : [],
  );
  const asked = profile ? [...new Set(required)] : [...coreItems.resilience].filter(isUsed);
  return asked.filter((cell) => (tally.get('resilience', cell)?.count ?? 0) === 0);
}

/**
 * Returns what a report does not prove about its clients. Complete and agreed reconciliations prove the payments and outcomes of their world.
 * @param isStrict true if each item fails the report, except payments that were not made
 */
export function unprovenItems(
  evidence: readonly Pick<WorldEvidence, 'unproven' | 'reconciliation'>[],
  { tally }: Pick<CoverageScope, 'tally'>,
  profile: Profile | null,
  isStrict: boolean,
): NotProven[] {
  const open = evidence.filter(({ reconciliation }) => missingProof(reconciliation) !== null);
  const tested = new Map<string, boolean>();
  for (const [name, isTested] of evidence.flatMap(({ unproven }) => unproven.endpoints))
    tested.set(name, isTested || tested.get(name) === true);
  const untested = [...tested].flatMap(([name, isTested]) => (isTested ? [] : [name]));
  const faults = faultsNotTested(tally, profile);
  const named = (names: readonly string[]): Unproven => ({ count: names.length, money: [], examples: names });
  const items = [
    ...together(
      'EQUAL_PAYMENTS',
      open.map(({ unproven }) => unproven.pairs),
      (count) =>
        `${countText(count, 'payment')} ${count === 1 ? 'equals' : 'equal'} an earlier one, without a purpose. Name the purpose of each in X-Sandbox-Purpose, or reconcile complete records.`,
    ),
    ...together(
      'OUTCOMES_NOT_READ',
      open.map(({ unproven }) => unproven.outcomes),
      (count) =>
        `${countText(count, 'outcome')} ${count === 1 ? 'was' : 'were'} never read: a 2xx to a webhook does not prove that the client stored it. Read the operations, or reconcile complete records.`,
    ),
    ...together(
      'KEYS_REPEATED',
      open.map(({ unproven }) => unproven.repeats),
      (count) =>
        `${countText(count, 'request')} repeated the key of a payment after its response was received. If another payment was meant, nothing was paid. Name the purpose of each in X-Sandbox-Purpose, or reconcile complete records.`,
    ),
    ...together(
      'WHOLE_AMOUNTS',
      open.map(({ unproven }) => unproven.whole),
      (count) =>
        `${countText(count, 'payment')} ${count === 1 ? 'has a whole amount' : 'have whole amounts'}, and no amount is like 10.50: a client that loses cents or the point would look the same. Pay amounts with cents that end with 0, or reconcile complete records.`,
    ),
    ...together(
      'PAYMENTS_NOT_MADE',
      open.map(({ unproven }) => unproven.notMade),
      (count) =>
        `${countText(count, 'payment')} failed or ${count === 1 ? 'was' : 'were'} rejected, and the client made no equal payment afterwards. If a person decides what to do, nothing is missing. Otherwise pay again with a new key, or reconcile complete records.`,
    ),
    ...together(
      'SIGNATURES_NOT_TESTED',
      [named(untested)],
      (count) =>
        `${countText(count, 'endpoint')} received no webhook with a wrong or missing signature. Run the client in the scenario challenge.`,
    ),
    ...together(
      'FAULTS_NOT_TESTED',
      [named(faults)],
      (count) => `${countText(count, 'fault')} never occurred. Run the client in the scenario challenge.`,
    ),
  ];
  // A client may leave a failed payment to a person. A profile lists each fault as a separate requirement, which is NOT_COVERED.
  const neverFails = ({ kind }: { kind: NotProvenKind }) =>
    kind === 'PAYMENTS_NOT_MADE' || (kind === 'FAULTS_NOT_TESTED' && profile !== null);
  return items.map((item) => ({ ...item, fails: isStrict && !neverFails(item) }));
}
