import { expect, it } from 'vitest';
import { auditEntry } from '../testing/audit-entry.js';
import { MemoryAudit } from './audit-store.js';

const at = '2026-11-21T12:00:00.000Z';
const entries = (count: number, credential: string, caller: 'PARTNER' | 'OPERATOR' | 'UNKNOWN' = 'PARTNER') =>
  Array.from({ length: count }, () => auditEntry(credential, at, caller));

it('no partner and no unknown caller displaces the entries of others from the audit log in memory', async () => {
  const audit = new MemoryAudit();
  const countOf = async (credential: string) => (await audit.list({ credential }, 20_000)).length;
  await audit.add([...entries(2000, 'small'), ...entries(3000, 'ops', 'OPERATOR')]);
  for (let count = 0; count < 30; count += 1) await audit.add([...entries(600, 'greedy'), ...entries(100, `u${count}`, 'UNKNOWN')]);
  expect((await audit.list({}, 20_000)).length).toBeLessThanOrEqual(11_000);
  await audit.prune();
  const all = await audit.list({}, 20_000);
  expect(all).toHaveLength(10_000);
  expect(all.map(({ number }) => number)).toEqual(all.map(({ number }) => number).toSorted((a, b) => b - a));
  expect(all[0]!.entry.credential).toBe('u29');
  expect([await countOf('small'), await countOf('ops'), await countOf('greedy')]).toEqual([2000, 2666, 2667]);
});

it('one caller may fill the audit log in memory, and loses its oldest entries first', async () => {
  const audit = new MemoryAudit();
  await audit.add(entries(12_000, 'alone'));
  const all = await audit.list({}, 20_000);
  expect([all.length, all[0]!.number, all.at(-1)!.number]).toEqual([10_000, 12_000, 2001]);
});
