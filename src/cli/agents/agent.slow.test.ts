import { afterAll, beforeAll, expect, it } from 'vitest';
import { McpAgent } from '../../testing/mcp-agent.js';
import { Stage } from '../../testing/script-stage.js';
import type { Carelessness } from '../../testing/small-client.js';
import { runInOperation, runSuite, type SmallRun } from '../../testing/small-client-runs.js';

const stage = new Stage();
let agent: McpAgent;
beforeAll(async () => {
  await stage.open();
  agent = await McpAgent.start({ SANDBOX_URL: stage.url });
});
afterAll(async () => {
  await agent.leave();
  await stage.close();
});

/** The error of the client that each advised fix removes, as an agent would know it from the code. */
const mistakes: readonly (readonly [fix: RegExp, mistake: keyof Carelessness])[] = [
  [/\bsame (?:idempotency )?key\b|\bidempotency key\b/i, 'newKeys'],
  [/\bdecimal/i, 'floats'],
  [/\b2xx\b|\bduplicate\b|\bstored\b/i, 'duplicates'],
];

async function textOf(name: string, args: object): Promise<string> {
  const { text, isRefused } = await agent.call(name, args);
  expect(isRefused, text).toBe(false);
  return text;
}

/** Creates a world with the tools, and returns the settings for a run of the client in this world. */
async function runIn(name: string, careless: Carelessness, more: object): Promise<SmallRun> {
  const text = await textOf('world', { action: 'create', name, ...more });
  const variable = (wanted: string) => new RegExp(`^${wanted}=(.*)$`, 'm').exec(text)![1]!;
  return {
    url: variable('SANDBOX_URL'),
    credentials: { clientId: variable('SANDBOX_CLIENT_ID'), clientSecret: variable('SANDBOX_CLIENT_SECRET') },
    careless,
    wait: (ms) => stage.pass(ms),
    advance: (by) => textOf('time', { action: 'advance', by }),
    reconcile: () => Promise.reject(new Error('This client reads each operation.')),
    endpoint: (receive) => {
      stage.endpoints.set(`/${name}`, receive);
      return `${stage.receiverUrl}/${name}`;
    },
  };
}

it('an agent that follows only the verdict fixes a careless client until the client passes the profile payouts', async () => {
  const careless: { -readonly [K in keyof Carelessness]: Carelessness[K] } = { newKeys: true, floats: true, duplicates: true };
  const rounds: string[] = [];
  let worlds = '';
  for (let round = 1; round <= 6; round += 1) {
    const isRepaired = rounds.length > 0 && rounds.at(-1) === 'show more';
    if (!isRepaired) {
      worlds = `round-${round}`;
      await runSuite(await runIn(worlds, careless, { scenario: 'challenge' }));
    }
    const text = await textOf('verdict', { profile: 'payouts', final: true, worlds });
    if (/, exit code 0 /.test(text)) {
      rounds.push('passed');
      break;
    }
    const fixes = [...text.matchAll(/^ {2}Fix: (.+)$/gm)].map(([, fix]) => fix!);
    const found = mistakes.filter(([pattern, mistake]) => careless[mistake] && fixes.some((fix) => pattern.test(fix)));
    for (const [, mistake] of found) delete careless[mistake];
    if (found.length > 0) {
      rounds.push(`fixed ${found.map(([, mistake]) => mistake).join(', ')}`);
      continue;
    }
    const [, scenario, seed] = /How: .*scenario (\w+) and the seed (\w+)/.exec(text) ?? [];
    expect(scenario, text).toBeDefined();
    rounds.push('show more');
    const live = `round-${round}-live`;
    await runInOperation(await runIn(live, careless, { scenario, seed }));
    worlds = `${worlds},${live}`;
  }
  expect(rounds).toEqual(['fixed newKeys, floats, duplicates', 'show more', 'passed']);
}, 60_000);
