import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, useHarness } from './harness.js';

const harness = useHarness();
const page = readFileSync(join(root, 'docs/reference/fixtures.md'), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| `'));

interface Owner {
  readonly legalName?: string;
  readonly firstName?: string;
  readonly lastName?: string;
}
const nameOf = ({ legalName, firstName, lastName }: Owner) => legalName ?? `${firstName} ${lastName}`;

it('the page of fixtures has every account with its balances', async () => {
  const { body } = await harness.control('GET', '/accounts');
  const accounts = body.data as { id: string; owner: Owner; currentState: { status: string } }[];
  expect(accounts.length).toBeGreaterThan(2);
  for (const { id, owner, currentState } of accounts) {
    const { balances } = (await harness.control('GET', `/accounts/${id}`)).body as { balances: { value: string; asset: string }[] };
    const shown = balances.filter(({ value }) => Number(value) > 0).map(({ value, asset }) => `${value} ${asset}`);
    expect(rows).toContain(`| \`${id}\` | ${nameOf(owner)} | ${currentState.status} | ${shown.join(', ') || 'none'} |`);
  }
});

it('the page of fixtures has every beneficiary with its payment instruction', async () => {
  const { body } = await harness.control('GET', '/beneficiaries');
  for (const { id, holder, status, paymentInstructions } of body.data as {
    id: string;
    holder: Owner;
    status: string;
    paymentInstructions: { id: string }[];
  }[])
    expect(rows).toContain(`| \`${id}\` | ${nameOf(holder)} | ${status} | \`${paymentInstructions[0]!.id}\` |`);
});
