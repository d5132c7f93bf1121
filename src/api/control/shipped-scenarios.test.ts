import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, useHarness } from '../../testing/harness.js';
import { withdraw } from '../../testing/withdrawals.js';
import { scenariosOf } from '../../testing/scenarios.js';

const harness = useHarness();
const shipped = [...scenariosOf().all];
const extending = shipped.filter((each) => each.extends === 'default').map((each) => each.scenario);

/** Returns the statuses of a withdrawal in a scenario, each with the seconds since the creation and the reason. */
async function course(scenario: string, amount: string, by: string): Promise<string[]> {
  const world = await harness.world(`${scenario}-${amount.replace('.', '-')}`, { scenario });
  const { id } = await withdraw(harness, world, amount);
  await harness.control('POST', '/clock/advance', { by }, world);
  const { createdAt, states } = harness.sandbox.world(world).state.operations.get(id as string)!;
  const startMs = Date.parse(createdAt);
  return states.map((state) =>
    [(Date.parse(state.createdAt) - startMs) / 1000, state.status, state.reason?.code].filter((each) => each !== undefined).join(' '),
  );
}

describe('the built-in scenarios', () => {
  it.each([
    ['default', '10.00', ['0 REQUESTED', '1 PROCESSING', '3 COMPLETED']],
    ['instant', '10.00', ['0 REQUESTED', '0 PROCESSING', '0 COMPLETED']],
    ['instant', '10.12', ['0 REQUESTED', '1 PROCESSING', '3 FAILED BENEFICIARY_ACCOUNT_CLOSED']],
    ['manual', '10.00', ['0 REQUESTED']],
    ['declines', '10.00', ['0 REQUESTED', '1 PROCESSING', '3 FAILED BENEFICIARY_BANK_REJECTED']],
    ['declines', '10.16', ['0 REQUESTED', '1 PROCESSING', '3 FAILED LIMIT_EXCEEDED']],
    ['compliance-hold', '9999.99', ['0 REQUESTED', '1 PROCESSING', '3 COMPLETED']],
    ['compliance-hold', '10000.00', ['0 REQUESTED', '1 PROCESSING', '3 ON_HOLD COMPLIANCE_REVIEW', '13 FAILED COMPLIANCE_REJECTED']],
    [
      'action-required',
      '10.00',
      ['0 REQUESTED', '1 PROCESSING', '3 ACTION_REQUIRED ADDITIONAL_INFORMATION_REQUIRED', '63 PROCESSING', '65 COMPLETED'],
    ],
    ['slow-settlement', '10.00', ['0 REQUESTED', '60 PROCESSING', '172860 COMPLETED']],
    ['insufficient-funds', '10.00', ['0 REQUESTED', '1 PROCESSING', '3 FAILED INSUFFICIENT_BALANCE']],
    ['insufficient-funds', '10.16', ['0 REQUESTED', '1 PROCESSING', '3 FAILED LIMIT_EXCEEDED']],
    ['onboarding-rejections', '10.00', ['0 REQUESTED', '1 PROCESSING', '3 COMPLETED']],
  ])('include %s, which moves a withdrawal of %s through %j', async (scenario, amount, expected) => {
    expect(await course(scenario, amount, '3d')).toEqual(expected);
  });

  it('include provider-outage, which rejects quotes for five minutes and then fails operations for five minutes', async () => {
    const world = await harness.world('outage', { scenario: 'provider-outage' });
    const refused = await harness.api('POST', '/api/quotes', { body: {} }, world);
    expect(refused).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    expect(refused.headers.get('retry-after')).toBe('30');
    await harness.control('POST', '/clock/advance', { by: '5m' }, world);
    const failing = await withdraw(harness, world);
    await harness.control('POST', '/clock/advance', { by: '5m' }, world);
    const passing = await withdraw(harness, world);
    await harness.control('POST', '/clock/advance', { by: '1m' }, world);
    const { operations } = harness.sandbox.world(world).state;
    const last = (id: string) => operations.get(id)!.states.at(-1)!;
    expect(last(failing.id)).toMatchObject({ status: 'FAILED', reason: { code: 'PROVIDER_ERROR' } });
    expect(last(passing.id).status).toBe('COMPLETED');
  });

  it('include flaky-network, which fails the same requests for the same seed', async () => {
    const run = async (): Promise<string> => {
      const outcomes: string[] = [];
      for (let count = 0; count < 30; count += 1) {
        const outcome = harness.api('GET', '/api/accounts?limit=1', {}, 'flaky').then(
          (answer) => String(answer.status),
          () => 'broken',
        );
        outcomes.push(await outcome);
      }
      return outcomes.join(' ');
    };
    await harness.world('flaky', { scenario: 'flaky-network' });
    const first = await run();
    expect(new Set(first.split(' '))).toEqual(new Set(['200', '503', 'broken']));
    await harness.control('POST', '/reset', undefined, 'flaky');
    expect(await run()).toBe(first);
  });

  it('each have a one-sentence summary', async () => {
    const { body } = await harness.control('GET', '/scenarios');
    for (const { summary } of body.data) expect(summary).toMatch(/^[A-Z].*\.$/);
    expect(body.data.map((each: { name: string }) => each.name)).toEqual(
      expect.arrayContaining(['declines', 'flaky-network', 'provider-outage', 'slow-settlement']),
    );
  });

  const magic = {
    '10.11': 'FAILED INSUFFICIENT_BALANCE',
    '10.12': 'FAILED BENEFICIARY_ACCOUNT_CLOSED',
    '10.13': 'FAILED BENEFICIARY_BANK_REJECTED',
    '10.14': 'FAILED RAIL_UNAVAILABLE',
    '10.15': 'FAILED COMPLIANCE_REJECTED',
    '10.16': 'FAILED LIMIT_EXCEEDED',
    '10.17': 'ON_HOLD COMPLIANCE_REVIEW',
    '10.19': 'ACTION_REQUIRED ADDITIONAL_INFORMATION_REQUIRED',
    '10.20': 'FAILED PROVIDER_ERROR',
  };

  it.each(extending)('include %s, which keeps the magic values of its parent', async (scenario) => {
    const world = await harness.world(`magic-${scenario}`, { scenario });
    await harness.control('POST', '/clock/advance', { by: '15m' }, world);
    // This fault replaces the scenario's rules on requests, which this test must not trigger.
    await harness.control('POST', '/faults', { on: 'REQUEST', effect: { delay: '0ms' } }, world);
    const ids: string[] = [];
    for (const amount of Object.keys(magic)) ids.push((await withdraw(harness, world, amount)).id);
    await harness.control('POST', '/clock/advance', { by: '3d' }, world);
    const { operations } = harness.sandbox.world(world).state;
    const ends = ids.map((id) => operations.get(id)!.states.at(-1)!).map(({ status, reason }) => `${status} ${reason?.code}`);
    expect(ends).toEqual(Object.values(magic));
  });

  it('are listed in the documentation, with the magic values', () => {
    const [amounts, guide] = ['how-to/force-outcomes', 'reference/scenarios'].map((page) =>
      readFileSync(join(root, `docs/${page}.md`), 'utf8'),
    );
    for (const { scenario } of shipped) expect(guide).toMatch(new RegExp(`^- \`${scenario}\`: .+$`, 'm'));
    for (const [amount, end] of Object.entries(magic)) {
      const [status, code] = end.split(' ');
      const row = new RegExp(`\\| \`\\.${amount.slice(3)}\` \\| [^|]*${status}, \`${code}\``);
      expect(amounts).toMatch(row);
    }
  });
});
