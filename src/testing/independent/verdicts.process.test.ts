import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxProcess } from '../process.js';
import { carelessVariants } from './careless.js';
import { Integrator, Places } from './integrator.js';
import { IndependentRun } from './run.js';

// One client of each kind. `verdicts.slow.test.ts` and `clients.slow.test.ts` have all careless and all correct clients.
let server: SandboxProcess;
let places: Places;
beforeAll(async () => {
  server = await SandboxProcess.start(['--data', 'memory', '--check-responses', 'true']);
  places = await Places.open(server.url);
});
afterAll(async () => {
  await places.close();
  await server.end('SIGTERM');
});

describe('the verdict about a client of a sandbox in another process', () => {
  it('is FAILED if the client pays again with a fresh quote after a lost response', async () => {
    const [, rules, play] = carelessVariants.find(([name]) => name === 'pays again with a fresh quote after a lost response')!;
    const place = await places.make();
    await play(place, new Integrator(place));
    await place.control('POST', '/clock/advance', { by: '1m' });
    expect(await place.report()).toMatchObject({ verdict: 'FAILED', findings: [{ rule: rules[0] }] });
  });

  it('is PASSED if the client is correct and is killed during its payments', async () => {
    const run = new IndependentRun(server.url);
    const journey = { client: 'node', scenario: 'instant', world: 'correct', payments: 12, workers: 1, kills: 1 } as const;
    const { known, paid, killed } = await run.make(journey);
    expect(killed).toBe(1);
    expect(known.flatMap(({ operation }) => operation ?? []).toSorted()).toEqual(paid.toSorted());
    expect(await run.report('correct')).toMatchObject({ verdict: 'PASSED', findings: [] });
  });
});
