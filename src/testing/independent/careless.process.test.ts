import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxProcess } from '../process.js';
import { carelessVariants } from './careless.js';
import { Integrator, Places } from './integrator.js';

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

describe('a careless client', () => {
  it.concurrent.each(carelessVariants)('is caught: it %s', async (_name, rules, play) => {
    const place = await places.make();
    await play(place, new Integrator(place));
    const { findings } = await place.report();
    expect(findings.map(({ rule }) => rule).filter((rule) => rules.includes(rule))).not.toEqual([]);
  });
});
