import { amountOfMinor, minorUnits } from '../../domain/money.js';
import type { AssetCode } from '../../contract/shared/common.js';
import type { ExpectedFinding, Finding } from '../../contract/control/analysis/findings.js';
import type { OperationId } from '../../contract/public/routes.js';
import type { EventType } from '../../contract/public/webhooks.js';
import type { World } from '../../world/world.js';
import { fingerprintOf, type Expectation, type StoredFinding } from './finding-store.js';

/** Returns the money that operations moved by the ledger: debits of the customer's accounts, or credits if there are none. */
function moneyOf(world: World, operationIds: readonly string[]): { asset: AssetCode; value: string }[] {
  const sums = new Map<AssetCode, bigint>();
  for (const id of operationIds) {
    const postings = world.read((view) => [...view.find('ledgerEntries', 'operation', `${id} `)].flatMap((entry) => entry.postings));
    const own = postings.filter(({ account }) => account.startsWith('customer:'));
    const left = own.filter(({ amount }) => amount.startsWith('-'));
    for (const { asset, amount } of left.length > 0 ? left : own) {
      const minor = minorUnits(amount);
      sums.set(asset, (sums.get(asset) ?? 0n) + (minor < 0n ? -minor : minor));
    }
  }
  return [...sums].map(([asset, minor]) => ({ asset, value: amountOfMinor(minor, asset).value }));
}

export function findingView(world: World, found: StoredFinding): Finding {
  const { id, rule, confidence, severity, generation, count, test, operationId, eventType, detections, isExpected } = found;
  const money = moneyOf(world, found.moved);
  return {
    id,
    rule: rule.id,
    severity,
    confidence,
    title: rule.title,
    advice: rule.advice,
    operationId: operationId as OperationId | null,
    eventType: eventType as EventType | null,
    generation,
    test,
    count,
    firstAt: detections[0]?.at ?? '',
    lastAt: detections.at(-1)?.at ?? '',
    evidence: detections.flatMap(({ evidence }) => evidence),
    ...(money.length === 0 ? {} : { money }),
    ...(confidence === 'LIKELY' && rule.alternativeExplanation !== undefined
      ? { alternativeExplanation: rule.alternativeExplanation }
      : {}),
    fingerprint: fingerprintOf(found),
    state: isExpected ? 'EXPECTED' : 'NEW',
  };
}

export function expectedView({ rule, count, matched, test, generation }: Expectation): ExpectedFinding {
  return { rule: rule.id, count, matched, test, generation };
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
