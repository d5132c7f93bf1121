import { expect, it } from 'vitest';
import { inLength } from '../long-run.js';
import { describeWithPostgres } from '../postgres.js';
import { hostedAbuse } from './hosted.js';

const short = { characterBytes: 20_000, explorations: 0, inboxMessages: 0, heldCalls: 0, messages: 150, connections: 10 };
const extent = inLength(short, { ...short, characterBytes: 1_000_000, messages: 3000, connections: 50 });

describeWithPostgres('a node with two partners', () => {
  it('loses no call, message or lease of one while the other attacks', { timeout: inLength(120_000, 900_000) }, async () => {
    const { calls, refused, foreignMessages, lostMessages, lostLeases } = await hostedAbuse(extent);
    expect(calls).toBeGreaterThan(60);
    expect({ refused, foreignMessages, lostMessages, lostLeases }).toEqual({
      refused: 0,
      foreignMessages: 0,
      lostMessages: 0,
      lostLeases: 0,
    });
  });
});
