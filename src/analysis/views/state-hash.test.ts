import { expect, it } from 'vitest';
import { runSync } from '../../domain/interruptible.js';
import type { StateCapture } from '../../world/document/capture.js';
import { FewSecrets } from '../../exchange/known-secrets.js';
import { Redactor } from '../../exchange/redact.js';
import { stateHash } from './state-hash.js';

const redactor = new Redactor(new FewSecrets([], []));
const rows = Array.from({ length: 300 }, (_each, index) => ({ id: `counter ${index}`, value: index }));
const captureOf = (counters: readonly object[], logs: readonly object[] = []) =>
  ({
    customerId: 'customer',
    companyId: 'company',
    clock: { mode: 'FROZEN', now: '2026-11-21T12:00:00.000Z' },
    tables: [
      ['counters', counters],
      ['executionLogs', logs],
    ],
  }) as unknown as StateCapture;
const hashOf = (capture: StateCapture) => runSync(stateHash(capture, redactor, 'incarnation'));

it('can pause after each row', () => {
  expect([...stateHash(captureOf(rows), redactor, 'incarnation')].length).toBeGreaterThanOrEqual(rows.length);
});

it('is the same for another order of the rows, other request ids, and another time of an attempt', () => {
  const log = (request: string, at: string) => ({ id: 'log', causeId: `req_${request.repeat(21)}`, createdAt: at });
  const hash = hashOf(captureOf(rows, [log('a', '2026-11-21T12:00:01.000Z')]));
  expect(hashOf(captureOf(rows.toReversed(), [log('b', '2026-11-21T12:00:02.000Z')]))).toBe(hash);
  expect(hashOf(captureOf(rows.slice(1), [log('a', '2026-11-21T12:00:01.000Z')]))).not.toBe(hash);
});
