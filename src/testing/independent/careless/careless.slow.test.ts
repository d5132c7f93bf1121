import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inLength } from '../../long-run.js';
import { SandboxProcess } from '../../process.js';
import { canRun, carelessPrograms, IndependentRun } from '../run.js';
import { invoices, missing, variants, type CarelessVariant } from './variants.js';

/** The short form plays every fifth mistake, each in one language, in turn. */
const groups = [...new Set(variants.map(({ does }) => does))].map((name) => variants.filter(({ does }) => does === name));
const played = inLength(
  groups.filter((_group, index) => index % 5 === 0).map((group, index) => group[index % group.length]!),
  variants,
).filter(({ program }) => canRun(carelessPrograms[program]));

/** Most programs wait most of the time, so many run at the same time. */
const atOnce = 10;

let server: SandboxProcess;
const lacking = new Map<CarelessVariant, Promise<string[]>>();
beforeAll(async () => {
  server = await SandboxProcess.start(['--data', 'memory', '--check-responses', 'true'], { SANDBOX_RECORD_MIB: '512' });
  const run = new IndependentRun(server.url);
  const judge = async (variant: CarelessVariant, world: string, before: Promise<unknown> | undefined) => {
    await before;
    const result = await run.misuse({ invoices, ...variant, world });
    return missing(variant, result, await run.report(world));
  };
  const places: Promise<unknown>[] = [];
  for (const [index, variant] of played.entries()) {
    const place = index % atOnce;
    const judged = judge(variant, `careless-${index}`, places[place]);
    places[place] = Promise.allSettled([judged]);
    lacking.set(variant, judged);
  }
});
afterAll(() => server.end('SIGTERM'));

describe('the report about a program with a habit', () => {
  it.each(played)('has the expected verdict and money in $program: it $does', async (variant) => {
    expect(await lacking.get(variant)).toEqual([]);
  });

  it('exists in each language, and at least 64 times', () => {
    expect(variants.filter(({ verdict }) => verdict !== 'PASSED').length).toBeGreaterThanOrEqual(64);
    expect(new Set(variants.map(({ program }) => program)).size).toBe(3);
  });
});
