import { describe, expect, it } from 'vitest';
import { crowdedOut, inboxLimits, isAbout, nextResponse, type InboxMessageRecord } from './inbox.js';

const message = (seq: number, body: string): InboxMessageRecord => ({
  id: `in/${seq}`,
  seq,
  inbox: 'in',
  headers: { 'x-event-type': 'OPERATION_FAILED' },
  body,
  signatureValid: true,
  createdAt: '2026-11-21T12:00:00.000Z',
});

describe('an inbox', () => {
  it('lets the oldest message go when there are too many', () => {
    const kept = Array.from({ length: inboxLimits.messages }, (_each, index) => message(index, ''));
    expect(crowdedOut(kept.slice(1), 1)).toEqual([]);
    expect(crowdedOut(kept, 1).map((each) => each.seq)).toEqual([0]);
  });

  it('lets as many of the oldest go as a long message needs', () => {
    const quarter = 'x'.repeat(inboxLimits.characters / 4);
    const kept = [1, 2, 3, 4].map((seq) => message(seq, quarter));
    expect(crowdedOut(kept, 0)).toEqual([]);
    expect(crowdedOut(kept, 1).map((each) => each.seq)).toEqual([1]);
    expect(crowdedOut(kept, quarter.length + 1).map((each) => each.seq)).toEqual([1, 2]);
  });

  it('uses each planned response as often as it says', () => {
    const planned = { id: 'in', responses: [{ status: 500, delayMs: 0, times: 2 }] };
    const first = nextResponse(planned);
    const second = nextResponse(first.inbox);
    expect([first, second, nextResponse(second.inbox)].map((each) => each.response.status)).toEqual([500, 500, 200]);
  });

  it.each([
    ['{"id":"a"}', undefined, 'a', true],
    ['{"id":"b","instruction":{"id":"a"}}', undefined, 'a', true],
    ['{"accountId":"a"}', undefined, 'a', true],
    ['{"account":{"id":"a"}}', 'OPERATION_FAILED', 'a', true],
    ['{"id":"b"}', undefined, 'a', false],
    ['null', undefined, 'a', false],
    ['not json', undefined, 'a', false],
    ['not json', 'OPERATION_FAILED', undefined, true],
    ['{"id":"a"}', 'ASSET_ACTIVATED', 'a', false],
  ])('finds %s for %s and %s: %s', (body, eventType, resourceId, expected) => {
    expect(isAbout(message(1, body), eventType, resourceId)).toBe(expected);
  });
});
