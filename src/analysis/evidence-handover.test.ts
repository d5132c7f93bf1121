import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { minorUnits } from '../domain/money.js';
import { hostOf } from '../testing/finding-store-host.js';
import type { World } from '../world/world.js';
import { EvidenceHandover, maxStoredEvidence, type EvidenceHandoverHost } from './evidence-handover.js';
import { FindingStore, type StoredFindings } from './project/findings/finding-store.js';
import { keyReused } from './project/findings/rules/idempotency/key-reused.js';
import { nothingUnproven } from './project/findings/unproven.js';

const detection = { about: { operationId: 'createTransfer' }, test: null, at: '2026-11-21T12:00:00.000Z', evidence: [] };

/** Returns the handover of a world whose findings are in a store, and the findings that it restores. */
function handoverOf(book: FindingStore) {
  const restored: StoredFindings[] = [];
  const host = {
    findings: {
      runnerOf: () => ({ book }),
      unproven: () => ({ pairs: nothingUnproven, outcomes: nothingUnproven, repeats: nothingUnproven, whole: nothingUnproven }),
      restore: (_world: World, stored: StoredFindings) => restored.push(stored),
      restoreUnproven: () => undefined,
    },
    coverage: { of: () => ({ stored: () => null }), restore: () => undefined },
    integration: { stored: () => ({ known: [] }), restore: () => undefined },
    reconciliations: { lastOf: () => null },
    testMarkers: { stored: () => null, restore: () => undefined },
    record: { inherited: new Map() },
    realNow: () => 0,
  };
  return { handover: new EvidenceHandover(host as unknown as EvidenceHandoverHost), restored };
}

it('the evidence of a client with thousands of payments fits, with all findings and the sum of their money', async () => {
  const minor = minorUnits('2.00');
  const store = () => new FindingStore(hostOf(() => null, { moneyOf: () => [{ asset: 'BRL', minor }] }));
  const book = store();
  for (let count = 0; count < 50; count += 1)
    book.report(keyReused, { ...detection, test: `test ${count}`, moved: Array.from({ length: 200 }, () => randomUUID()) });
  const { handover, restored } = handoverOf(book);
  const world = { identity: { name: 'acme' }, state: { operations: new Map() } } as unknown as World;
  const text = await handover.stored(world);
  expect(text.length).toBeLessThanOrEqual(maxStoredEvidence);
  handover.taken(world, { text, isWhole: true });
  const next = store();
  next.restore(restored[0]!, () => keyReused);
  expect([next.list().length, next.omitted, handover.wholeSince(world)]).toEqual([50, 0, null]);
  const sumOf = (each: FindingStore) => [...each.money().values()].flat().reduce((sum, moved) => sum + moved.minor, 0n);
  expect(sumOf(next)).toBe(sumOf(book));
});
