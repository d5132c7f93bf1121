import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inLength } from '../long-run.js';
import { SandboxProcess } from '../process.js';
import { scenariosOf } from '../scenarios.js';
import { canRun, independentClients, IndependentRun, type IndependentClient } from './run.js';

const names = (Object.keys(independentClients) as IndependentClient[]).filter((name) => canRun(independentClients[name]));
const all = scenariosOf().files.map(({ scenario }) => scenario);
const scenarios = inLength(['challenge', 'certification'], all);
const payments = inLength(10, 125);
const workers = inLength(4, 8);

let server: SandboxProcess;
let run: IndependentRun;
beforeAll(async () => {
  server = await SandboxProcess.start(['--data', 'memory', '--check-responses', 'true'], { SANDBOX_RECORD_MIB: '512' });
  run = new IndependentRun(server.url);
});
afterAll(() => server.end('SIGTERM'));

/** Runs a client in a world. @returns from its report: the scenario, the verdict, the findings, and the failed fault tests */
async function judged(client: IndependentClient, scenario: string) {
  const world = `${client}-${scenario}`;
  const { known, paid } = await run.make({ client, scenario, world, payments, workers, kills: inLength(1, 3) });
  // Each payment that the client knows was made once, and no other payment was made.
  expect(known.flatMap(({ operation }) => operation ?? []).toSorted()).toEqual(paid.toSorted());
  const { verdict, findings, coverage } = await run.report(world);
  const failed = coverage.dimensions.resilience.items.filter(({ state }) => state === 'FAILED').map(({ id }) => id);
  return [scenario, verdict, findings.map(({ rule, evidence }) => `${rule} ${JSON.stringify(evidence)}`), failed];
}

describe('a client that was written from the documentation, with several workers, and killed during its work', () => {
  it.each(scenarios)(
    'passes in the scenario %s',
    async (scenario) => {
      const results = await Promise.all(names.map((name) => judged(name, scenario)));
      expect(results).toEqual(names.map(() => [scenario, 'PASSED', [], []]));
    },
    inLength(60_000, 900_000),
  );

  it('fails no requirement of the profile payouts', async () => {
    for (const name of names) {
      const { profile } = await run.report(`${name}-challenge,${name}-certification`, 'payouts');
      expect(profile!.requirements.filter(({ result }) => result === 'FAILED')).toEqual([]);
    }
  });
});
