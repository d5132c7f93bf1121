import { expect, it } from 'vitest';
import { nextDueMs } from './due-times.js';
import type { ClockRecord, JobRecord, OutboxRecord } from './rows.js';
import type { State } from './state.js';

const clock = { mode: 'RUNNING', offsetMs: 0 } as ClockRecord;
const job = { dueAt: '2026-11-21T13:00:00.000Z' } as JobRecord;
const nowMs = Date.parse('2026-11-21T12:00:00.000Z');
const stateWith = (...rows: Partial<OutboxRecord>[]) =>
  ({ outbox: new Map(rows.map((row, index) => [index, row])), jobs: { first: () => job } }) as unknown as State;

it('a pending attempt is due now, but a delayed one only with the job that releases it', () => {
  expect(nextDueMs(stateWith({ held: true }, {}), clock, nowMs)).toBe(nowMs);
  expect(nextDueMs(stateWith({ held: true }), clock, nowMs)).toBe(Date.parse(job.dueAt));
});
