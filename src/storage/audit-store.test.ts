import { expect, it } from 'vitest';
import type { AuditEntry } from '../contract/control/audit.js';
import { auditEntry } from '../testing/audit-entry.js';
import { MemoryAudit } from './audit-store.js';

const at = '2026-11-21T12:00:00.000Z';
const entries = (count: number, credential: string, caller: AuditEntry['caller']) =>
  Array.from({ length: count }, () => auditEntry(credential, at, caller));

it('rejected callers do not displace the entries of operators from the audit log in memory, nor the reverse', async () => {
  const audit = new MemoryAudit();
  const countOf = async (caller: AuditEntry['caller']) => (await audit.list({ caller }, 20_000)).length;
  await audit.add(entries(3000, 'ops', 'OPERATOR'));
  for (let count = 0; count < 30; count += 1) await audit.add(entries(400, `u${count}`, 'UNKNOWN'));
  expect((await audit.list({}, 20_000)).length).toBeLessThanOrEqual(11_000);
  await audit.prune();
  const all = await audit.list({}, 20_000);
  expect(all.map(({ number }) => number)).toEqual(all.map(({ number }) => number).toSorted((a, b) => b - a));
  expect(all[0]!.entry.credential).toBe('u29');
  expect([await countOf('OPERATOR'), await countOf('UNKNOWN')]).toEqual([3000, 7000]);
  await audit.add(entries(4000, 'ops', 'OPERATOR'));
  expect([await countOf('OPERATOR'), await countOf('UNKNOWN')]).toEqual([5000, 5000]);
});

it('one kind of caller may fill the audit log in memory, and loses its oldest entries first', async () => {
  const audit = new MemoryAudit();
  await audit.add(entries(12_000, 'alone', 'OPERATOR'));
  const all = await audit.list({}, 20_000);
  expect([all.length, all[0]!.number, all.at(-1)!.number]).toEqual([10_000, 12_000, 2001]);
});
