import { expect, it } from 'vitest';
import { inLength } from '../long-run.js';
import { abuse, fullExtent, maxMib, maxUnexplainedMib } from './abuse.js';

const short = {
  generated: 60,
  endlessMib: 4,
  bursts: { documents: 10, reports: 8, worlds: 10 },
  idleMs: 200,
  yamlMs: 120,
  stalledMs: 100,
  stalledShare: 0.2,
  stoppedPosts: 40,
  heavy: { rounds: 1, subscriptions: 25, snapshots: 4 },
  manyWorlds: { worlds: 12, subscriptions: 3, requests: 10 },
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
