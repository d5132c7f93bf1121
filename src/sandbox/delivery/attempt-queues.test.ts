import { describe, expect, it } from 'vitest';
import type { OutboxRecord } from '../../world/rows.js';
import { AttemptQueues } from './attempt-queues.js';

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
    const queues = new AttemptQueues();
    queues.reserve(attempt(1));
    queues.add(attempt(2));
    expect(queues.take('subscription')).toBeUndefined();
    const stored = attempt(1, { effect: { duplicate: 1 } });
    queues.add(stored);
    expect(queues.take('subscription')).toBe(stored);
    queues.end(stored);
    expect(queues.take('subscription')).toMatchObject({ order: 2 });
  });

  it('does not hold later attempts after it was deleted', () => {
    const queues = new AttemptQueues();
    queues.reserve(attempt(1));
    queues.add(attempt(2));
    queues.forget('attempt-1');
    expect(queues.size).toBe(1);
    expect(queues.take('subscription')).toMatchObject({ order: 2 });
  });
});
