import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../contract/control/analysis/report.js';
import { inLength } from '../long-run.js';
import { SandboxProcess } from '../process.js';
import { carelessVariants } from './careless.js';
import { furtherVariants } from './further-careless.js';
import { Integrator, Places } from './integrator.js';
import { negativeTests, recoveries } from './recoveries.js';

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

/** The variants that fail a report even without a profile. */
const failing = [
  'transfers again with a new key after a lost response',
  'pays again with a fresh quote after a lost response',
  'accepts any signature',
  'never learns how a payment ends',
];
const rulesOf = ({ findings }: Report) => findings.map(({ rule }) => rule);

/** The short form plays each fourth of the further variants. */
const played = [...carelessVariants, ...furtherVariants.filter((_each, index) => index % inLength(4, 1) === 0)];

describe('a careless client', () => {
  it.concurrent.each(played)('is reported: it %s', async (name, rules, play) => {
    const place = await places.make();
    await play(place, new Integrator(place));
    if (failing.includes(name)) await place.control('POST', '/clock/advance', { by: '1m' });
    const report = await place.report();
    expect(rulesOf(report).filter((rule) => rules.includes(rule))).not.toEqual([]);
    if (failing.includes(name)) expect(report.verdict).toBe('FAILED');
  });

  it('exists in at least 114 variants with different names', () => {
    const names = [...carelessVariants, ...furtherVariants].map(([name]) => name);
    expect(names.length).toBeGreaterThanOrEqual(114);
    expect(new Set(names).size).toBe(names.length);
  });

  it('exists for each variant that must fail a report without a profile', () => {
    expect(carelessVariants.filter(([name]) => failing.includes(name))).toHaveLength(failing.length);
  });
});

describe('a correct client', () => {
  it.concurrent.each(recoveries)('gets the verdict PASSED: it %s', async (_name, play) => {
    const place = await places.make();
    await play(place, new Integrator(place));
    const report = await place.report();
    const failed = report.coverage.dimensions.resilience.items.filter(({ state }) => state === 'FAILED').map(({ id }) => id);
    expect([report.verdict, failed, report.verdict === 'PASSED' ? [] : report.why]).toEqual(['PASSED', [], []]);
  });

  it('passes with 22 tests that are marked as negative', async () => {
    const place = await places.make();
    const client = new Integrator(place);
    for (const [name, play] of negativeTests) {
      await place.control('PUT', '/test', { name, negative: true });
      await play(place, client);
    }
    await place.control('PUT', '/test', { name: 'pays' });
    const transfer = await client.transfer();
    await place.advance();
    await client.read(transfer);
    expect(negativeTests).toHaveLength(22);
    expect(await place.report()).toMatchObject({ verdict: 'PASSED' });
  });

  it('does not pass the profile payouts with only 36 requests', async () => {
    const place = await places.make({ clock: { mode: 'FROZEN' }, scenario: 'challenge' });
    const client = new Integrator(place);
    await client.subscribe();
    const timeoutMs = 500; // The scenario delays two responses by 30 s.
    let calls = 2;
    while (calls < 36) {
      const { id } = await client.quote('150.00', { timeoutMs });
      const { body } = await client.withdraw(id, undefined, { timeoutMs });
      await place.advance('10s');
      if (body?.id !== undefined) await client.read(body.id as string);
      calls += 3;
    }
    expect((await place.report('payouts')).verdict).not.toBe('PASSED');
  });
});
