import { expect, test } from 'vitest';
import { bareWorld } from '../testing/storage.js';
import { forget } from './retention.js';
import { applyChanges, type Tables } from './state.js';
import { UnitOfWork } from './unit-of-work.js';

test.each(['executionLogs', 'idempotency'] as const)('%s never outgrow their limit; the oldest go first', (table) => {
  const state = bareWorld('w');
  for (let seq = 1; seq <= 12; seq += 1) {
    const uow = new UnitOfWork(state, 0, 'test');
    uow.put(table, { id: `r${seq}`, subscriptionId: 's', createdAt: '2026-11-21T12:00:00.000Z', seq } as unknown as Tables[typeof table]);
    forget(uow, { executionLogs: 5, idempotency: 5 });
    applyChanges(state, uow.changes());
  }
  expect([...state[table].keys()]).toEqual(['r8', 'r9', 'r10', 'r11', 'r12']);
});
