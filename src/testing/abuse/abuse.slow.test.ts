import { expect, it } from 'vitest';
import { inLength } from '../long-run.js';
import { abuse, fullExtent, maxMib, maxUnexplainedMib } from './abuse.js';

const short = {
  generated: 150,
  endlessMib: 4,
  bursts: { documents: 30, reports: 25, worlds: 30 },
  idleMs: 300,
  yamlMs: 120,
  stalledMs: 300,
  stoppedPosts: 100,
  heavyEvents: 1,
  manyWorlds: { worlds: 30, subscriptions: 5, requests: 20 },
  growing: { characterBytes: 20_000, explorations: 5, inboxMessages: 100, heldCalls: 40 },
  retries: 0,
};
const extent = inLength(short, fullExtent);

it(
  'hostile requests do not stop the sandbox, affect another world or get responses outside the contract',
  { timeout: inLength(400_000, 1_200_000) },
  async () => {
    const { sent, idleMs, longest, peakMib, memory, faults, failures, isOtherSame, code } = await abuse(extent);
    console.log(`longest wait ${longest.ms} ms next to ${idleMs} when idle (${longest.name}), ${peakMib} MiB at most`);
    expect(sent).toBeGreaterThan(600);
    expect([...faults]).toEqual([]);
    expect({ failures, isOtherSame, code }).toEqual({ failures: 0, isOtherSame: true, code: 0 });
    expect(peakMib ?? 0).toBeLessThan(maxMib);
    expect(memory.endMib).toBeLessThan(memory.emptyMib + memory.keptMib + maxUnexplainedMib);
  },
);
