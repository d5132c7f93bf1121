import { describe, expect, it } from 'vitest';
import { messagesToEvict, isAbout, nextResponse, type InboxMessageRecord } from './inbox.js';

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
  it.each([
    [{ messages: 0, characters: 0 }, []],
    [{ messages: 2, characters: -5 }, [1, 2]],
    [{ messages: -5, characters: 1 }, [1]],
    [{ messages: 1, characters: 101 }, [1, 2]],
  ])('evicts the oldest messages to remove an excess of %j', (excess, expected) => {
    const kept = [1, 2, 3, 4].map((seq) => message(seq, 'x'.repeat(100)));
    expect([...messagesToEvict(kept, excess)].map((each) => each.seq)).toEqual(expected);
  });

  it('evicts unsigned messages first, and of these those of the fullest inbox', () => {
    const of = (inbox: string, seq: number, signatureValid: boolean) => ({ ...message(seq, 'x'), inbox, signatureValid });
    const kept = [of('a', 1, true), of('b', 2, false), of('c', 3, false), of('c', 4, false), of('a', 5, true)];
    const evicted = (messages: number) => Array.from(messagesToEvict(kept, { messages, characters: 0 }), ({ seq }) => seq);
    expect(evicted(1)).toEqual([3]);
    expect(evicted(4)).toEqual([3, 2, 4, 1]);
  });

  it('uses each planned response the given number of times', () => {
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
  ])('matches %s against event type %s and resource %s: %s', (body, eventType, resourceId, expected) => {
    expect(isAbout(message(1, body), eventType, resourceId)).toBe(expected);
  });
});
