import { describe, expect, it } from 'vitest';
import type { OutboxRecord } from '../../world/rows.js';
import { AttemptLanes } from './lanes.js';

const attempt = (order: number, more: Partial<OutboxRecord> = {}): OutboxRecord => ({
  id: `attempt-${order}`,
  messageId: `message-${order}`,
  subscriptionId: 'subscription',
  kind: 'FIRST',
  order,
  ...more,
});

describe('an attempt whose effect is not stored yet', () => {
  it('starts before the attempt of a later event, as soon as its effect is stored', () => {
    const lanes = new AttemptLanes();
    lanes.reserve(attempt(1));
    lanes.add(attempt(2));
    expect(lanes.take('subscription')).toBeUndefined();
    const stored = attempt(1, { effect: { duplicate: 1 } });
    lanes.add(stored);
    expect(lanes.take('subscription')).toBe(stored);
    lanes.end(stored);
    expect(lanes.take('subscription')).toMatchObject({ order: 2 });
  });

  it('does not hold later attempts after it was deleted', () => {
    const lanes = new AttemptLanes();
    lanes.reserve(attempt(1));
    lanes.add(attempt(2));
    lanes.forget('attempt-1');
    expect(lanes.size).toBe(1);
    expect(lanes.take('subscription')).toMatchObject({ order: 2 });
  });
});
