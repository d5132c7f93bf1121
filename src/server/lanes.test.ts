import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import type { LaneName } from '../contract/shared/route.js';
import { useHarness } from '../testing/harness.js';
import type { Lane } from '../world/turns.js';
import { Lanes } from './lanes.js';

const harness = useHarness();

it('every operation waits in the lane of its definition, and without one in the lane of its world', () => {
  const lanes = new Lanes(harness.sandbox, null, harness.routes);
  const named = new Map<LaneName | 'world', Set<Lane>>();
  for (const { path, lane } of harness.routes) {
    const url = `${path.replaceAll(/\{[^{}]+\}/g, 'some')}?limit=1`;
    const name = lane ?? (path.startsWith('/_sandbox') ? 'world' : 'open');
    named.set(name, (named.get(name) ?? new Set()).add(lanes.admit({ url, headers: {} } as IncomingMessage).lane));
  }
  const each = ['health', 'operator', 'token', 'open', 'world'] as const;
  expect(new Set(named.keys())).toEqual(new Set(each));
  expect(each.map((name) => named.get(name)!.size)).toEqual([1, 1, 1, 1, 1]);
  expect(new Set(each.flatMap((name) => [...named.get(name)!])).size).toBe(5);
  expect(named.get('world')).toEqual(new Set([harness.sandbox.worlds.get('default')!.lane]));
});
