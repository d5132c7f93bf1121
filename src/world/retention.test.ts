import { expect, test } from 'vitest';
import { bareWorld } from '../testing/storage.js';
import { defaultRetention, prune, idempotencyMs } from './retention.js';
import { applyChanges, type State } from './state.js';
import type { Tables } from './tables.js';
import { noServices } from '../testing/services.js';
import { UnitOfWork } from './unit-of-work.js';

/** Runs `put` and prunes, in one commit. */
function commit(state: State, atMs: number, put: (uow: UnitOfWork) => void, kept = defaultRetention): void {
  const uow = new UnitOfWork(state, atMs, 'test', noServices);
  put(uow);
  prune(uow, kept, atMs);
  applyChanges(state, uow.changes());
}

const key = (id: string, createdAt: string) => ({ id, createdAt }) as Tables['idempotency'];

const createdAt = '2026-11-21T12:00:00.000Z';

const logOf = (messageId: string, seq: number) =>
  ({ id: `l${seq}`, subscriptionId: 's', messageId, createdAt, seq }) as Tables['executionLogs'];

const deliveryOf = (id: string, seq: number, status: string, attempts: number) =>
  ({ id, subscriptionId: 's', resourceId: 'r', createdAt, seq, status, attempts }) as Tables['deliveries'];

test('idempotency records are deleted at the end of their lifetime, not earlier', () => {
  const state = bareWorld('w');
  const at = (ms: number) => new Date(ms).toISOString();
  for (let ms = 0; ms < 6; ms += 1) commit(state, ms, (uow) => uow.put('idempotency', key(`k${ms}`, at(ms))));
  commit(state, idempotencyMs - 1, (uow) => uow.put('idempotency', key('day', at(idempotencyMs - 1))));
  expect(state.idempotency.size).toBe(7);
  for (const [step, left] of [4, 2, 0, 0].entries()) {
    const atMs = idempotencyMs + 3 + step;
    commit(state, atMs, (uow) => uow.put('idempotency', key(`n${step}`, at(atMs))));
    expect([...state.idempotency.keys()].filter((id) => id.startsWith('k'))).toHaveLength(left);
  }
});

test('idempotency records stay within their limit; the oldest are deleted first', () => {
  const state = bareWorld('w');
  for (let seq = 1; seq <= 12; seq += 1)
    commit(state, seq, (uow) => uow.put('idempotency', key(`k${seq}`, uow.now)), { ...defaultRetention, idempotencyKeys: 5 });
  expect([...state.idempotency.keys()]).toEqual(['k8', 'k9', 'k10', 'k11', 'k12']);
});

test('a completed delivery is deleted with its last execution log, when the limit of logs is reached', () => {
  const state = bareWorld('w');
  const statuses = ['SUCCESS', 'FAILED', 'WAITING', 'FAILED'];
  for (const [seq, status] of statuses.entries()) state.deliveries.set(`m${seq}`, deliveryOf(`m${seq}`, seq, status, 2));
  state.outbox.set('pending', { id: 'pending', subscriptionId: 's', messageId: 'm1', kind: 'RESEND', order: 1 });
  const deliveries: string[] = [];
  for (const seq of statuses.keys()) {
    for (const attempt of [1, 2]) {
      const log = logOf(`m${seq}`, seq * 1_000_000 + attempt);
      commit(state, 0, (uow) => uow.put('executionLogs', log), { ...defaultRetention, executionLogs: 1 });
      deliveries.push([...state.deliveries.keys()].join(''));
    }
  }
  expect([...state.executionLogs.keys()]).toEqual(['l3000002']);
  // The first delivery is deleted with its second log. The others have a pending attempt, a planned retry or a log.
  expect(deliveries).toEqual(['m0m1m2m3', 'm0m1m2m3', ...Array.from({ length: 6 }, () => 'm1m2m3')]);
});

const quote = (id: string, expiresAt: string, consumedAt: string | null = null) =>
  ({ id, seq: 1, createdAt, expiresAt, consumedAt }) as Tables['quotes'];

test('unused quotes are deleted a day after they expired, used ones never', () => {
  const state = bareWorld('w');
  const at = (ms: number) => new Date(ms).toISOString();
  for (let ms = 0; ms < 5; ms += 1) {
    commit(state, ms, (uow) => uow.put('quotes', quote(`unused${ms}`, at(ms))));
    commit(state, ms, (uow) => uow.put('quotes', quote(`used${ms}`, at(ms), at(ms))));
  }
  const left = () => [...state.quotes.keys()].filter((id) => id.startsWith('unused'));
  commit(state, idempotencyMs + 1, (uow) => uow.put('settings', { id: 'settings' }));
  commit(state, idempotencyMs + 1, (uow) => uow.put('quotes', quote('next', at(2 * idempotencyMs))));
  expect(left()).toEqual(['unused1', 'unused2', 'unused3', 'unused4']);
  for (const expected of [['unused3', 'unused4'], [], []]) {
    commit(state, idempotencyMs + 9, (uow) => uow.put('quotes', quote('next', at(2 * idempotencyMs))));
    expect(left()).toEqual(expected);
  }
  expect([...state.quotes.keys()]).toEqual(['used0', 'used1', 'used2', 'used3', 'used4', 'next']);
});
