import { current } from '../../../domain/machine.js';
import { minorUnits } from '../../../domain/money.js';
import type { ExpectedFinding, Finding } from '../../../contract/control/analysis/findings.js';
import type { OperationId } from '../../../contract/public/routes.js';
import type { EventType } from '../../../contract/shared/event-types.js';
import type { World } from '../../../world/world.js';
import { moneyView, sumOf, type Moved } from './moved.js';
import type { Evidence } from './rule.js';
import { fingerprintOf, type Expectation, type FindingStore, type WorldFinding } from './finding-store.js';

/**
 * Returns the amounts that an operation moved, from the ledger: debits of the customer's accounts, or credits if there are none. Before the
 * operation settles, this is the amount that it will move; a failed operation moves none.
 */
export function moneyOf(world: World, operationId: string): Moved[] {
  const operation = world.state.operations.get(operationId);
  const status = operation && current(operation.states).status;
  if (operation && status !== 'COMPLETED') {
    const { asset, value } = operation.sourceAmount;
    return status === 'FAILED' ? [] : [{ asset, minor: minorUnits(value) }];
  }
  const postings = world.read((view) => [...view.find('ledgerEntries', 'operation', `${operationId} `)].flatMap((entry) => entry.postings));
  const own = postings.filter(({ account }) => account.startsWith('customer:'));
  const left = own.filter(({ amount }) => amount.startsWith('-'));
  const moved = left.length > 0 ? left : own;
  return sumOf(moved.map(({ asset, amount }) => ({ asset, minor: minorUnits(amount.replace('-', '')) })));
}

/** Returns the time and the request of a piece of evidence by its `ref`; null for both if the request is not recorded. */
export type EvidenceOf = (ref: string) => Pick<Finding['evidence'][number], 'at' | 'realAt' | 'request'>;

const notRead: EvidenceOf = () => ({ at: null, request: null });

/** Returns evidence without the pieces that several detections have in common. */
function distinct(all: readonly Evidence[]): Evidence[] {
  const seen = new Set<string>();
  return all.filter(({ ref, what }) => {
    const key = `${ref} ${what}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/**
 * Returns a finding as the control API shows it.
 * @param moved the amounts that moved
 * @param evidenceOf reads the requests of the evidence. Default: no requests
 */
export function findingView(found: WorldFinding, moved: readonly Moved[], evidenceOf: EvidenceOf = notRead): Finding {
  const { id, rule, advice, confidence, severity, generation, count, test, operationId, eventType, detections, isExpected } = found;
  const money = moneyView(moved);
  return {
    id,
    rule: rule.id,
    severity,
    confidence,
    title: rule.title,
    advice,
    operationId: operationId as OperationId | null,
    eventType: eventType as EventType | null,
    generation,
    test,
    count,
    firstAt: detections[0]?.at ?? '',
    lastAt: detections.at(-1)?.at ?? '',
    evidence: distinct(detections.flatMap(({ evidence }) => evidence)).map((each) => ({ ...each, ...evidenceOf(each.ref) })),
    ...(money.length === 0 ? {} : { money }),
    ...(confidence === 'LIKELY' && rule.alternativeExplanation !== undefined
      ? { alternativeExplanation: rule.alternativeExplanation }
      : {}),
    fingerprint: fingerprintOf(found),
    state: isExpected ? 'EXPECTED' : 'NEW',
    negative: found.isNegative,
  };
}

/** Returns the findings of a store as the control API shows them. */
export function findingViews(store: FindingStore, found: readonly WorldFinding[], evidenceOf: EvidenceOf): Finding[] {
  const money = store.money();
  return found.map((each) => findingView(each, money.get(each) ?? [], evidenceOf));
}

export function expectedView({ rule, count, matched, test, generation }: Expectation): ExpectedFinding {
  return { rule, count, matched, test, generation };
}

/** Returns the log line of a finding. */
export function foundLine(
  world: string,
  { id, rule, confidence, severity, title, test, evidence }: Finding,
): [facts: object, message: string] {
  const facts = {
    world,
    kind: 'FINDING',
    status: `${confidence} ${severity}`,
    ms: null,
    id,
    cause: evidence.at(-1)?.ref ?? null,
    rule,
    test,
  };
  return [facts, `${title}. See GET /_sandbox/findings for details.`];
}

/** Returns the log line of a finding that later requests disproved. */
export function retractedLine(world: string, { id, rule, test }: Finding): [facts: object, message: string] {
  const facts = { world, kind: 'FINDING', status: 'WITHDRAWN', ms: null, id, cause: null, rule, test };
  return [facts, `Finding ${id} (${rule}) was dropped, because later requests disprove it.`];
}
