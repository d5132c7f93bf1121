import { expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness();

/** A secret at the end of a long value, so that a message would cut the secret. */
const long = (secret: string) => `${'x'.repeat(31)}${secret}`;
/** Parts of a secret from which the rest could be guessed. */
const most = (secret: string) => secret.slice(0, secret.length - 3);

it('no message shows a part of a secret if the message is cut inside the secret', async () => {
  const world = await harness.world('secret-cut');
  const { clientSecret: secret } = harness.sandbox.world(world).identity;
  expect(secret.length).toBeGreaterThanOrEqual(32);
  const answers = [
    await harness.api('POST', '/api/beneficiaries', { body: { owner: long(secret) } }, world),
    await harness.api('GET', `/api/accounts?cursor=${long(secret)}`, {}, world),
    await harness.api('GET', `/api/accounts?filters=${long(secret)}[eq]=1`, {}, world),
    await harness.api('GET', `/api/accounts?limit=${long(secret)}`, {}, world),
    await harness.api('POST', '/api/quotes', { body: { [long(secret)]: 1 }, headers: { 'content-type': `a/${long(secret)}` } }, world),
    await harness.control('POST', '/reconcile', { operations: [{ status: long(secret) }], asOf: long(secret) }, world),
    await harness.control('PUT', '/settings', { spread: long(secret) }, world),
  ];
  for (const { status, body } of answers) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.message).not.toContain(most(secret));
  }
  for (const path of ['/requests?limit=100', '/requests?format=har', '/timeline?limit=100', '/replay'])
    expect(JSON.stringify((await harness.control('GET', path, undefined, world)).body)).not.toContain(most(secret));
});

it('names of tests, clients, subjects and snapshots with a secret are not stored', async () => {
  const world = await harness.world('secret-names');
  const { clientSecret: secret } = harness.sandbox.world(world).identity;
  const marked = await harness.control('PUT', '/test', { name: `logs in with ${secret}` }, world);
  expect([marked.status, marked.body.name]).toEqual([200, 'logs in with [secret]']);
  const named = await harness.control('PUT', '/client', { name: secret, version: secret, commit: secret }, world);
  expect(JSON.stringify(named.body)).not.toContain(secret);
  for (const refused of [
    await harness.control('POST', '/snapshots', { name: secret }, world),
    await harness.control('GET', `/report?subject=commit=${secret}`, undefined, world),
  ]) {
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_DATA']);
    expect(JSON.stringify(refused.body)).not.toContain(secret);
  }
  await harness.api('GET', '/api/accounts', {}, world);
  for (const path of ['/requests?limit=100', '/replay', '/report', '/timeline?limit=100'])
    expect(JSON.stringify((await harness.control('GET', path, undefined, world)).body)).not.toContain(secret);
});
