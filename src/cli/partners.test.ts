import { expect, it } from 'vitest';
import { connect } from '../index.js';
import { useCluster } from '../testing/cluster.js';
import { runCommandLine } from '../testing/command-line.js';
import { clientAt, makeWorld, type MadeWorld } from '../testing/nodes.js';
import { describeWithPostgres } from '../testing/postgres.js';

/** Commands that a partner can use. */
const own = (
  'status, worlds, clock, clock freeze, advance 1m, get operations, get quotes, settings, env, doctor, logs, scenario list, scenario show, ' +
  'fault list, snapshot save one, snapshot list, snapshot delete one, state export, findings, coverage, inbox in, clock --world acme, ' +
  'report, report --worlds acme'
).split(', ');
const others = [
  'clock --world rival',
  'get quotes --world rival',
  'state export --world rival',
  'worlds delete rival',
  'report --worlds rival',
];
const operators = ['worlds create mine', 'worlds delete acme', 'audit'];

describeWithPostgres('a partner with the credentials of a hosted world', () => {
  const cluster = useCluster();
  const tokenOf = ({ credentials: { clientId, clientSecret } }: MadeWorld) => `${clientId}:${clientSecret}`;

  /** Starts two nodes. The first owns the worlds `acme`, with a quote, and `rival`. */
  async function worlds() {
    const [one, two] = [await cluster.node(), await cluster.node()];
    const [acme, rival] = [await makeWorld(one.url, 'acme'), await makeWorld(one.url, 'rival')];
    const { api, quote } = await clientAt(two.url, acme);
    const { body } = await api('POST', '/api/quotes', quote);
    return { urls: [one.url, two.url], acme, rival, quoteId: body.id as string };
  }

  it('can use the command line only in its own world, at any node, without --world', { timeout: 60_000 }, async () => {
    const { urls, acme, rival } = await worlds();
    const run = async (url: string, verb: string, token = tokenOf(acme)) => {
      const environment = { SANDBOX_URL: url, SANDBOX_CONTROL_TOKEN: token };
      const { code, stdout, stderr } = await runCommandLine(`crossborder-sandbox ${verb}`, { environment });
      return { verb, code, said: stdout + stderr };
    };
    for (const url of urls) {
      for (const verb of own) {
        const { code, said } = await run(url, verb);
        expect([verb, code, said]).toEqual([verb, 0, expect.not.stringContaining('rival')]);
        expect(said).not.toContain(rival.credentials.clientId);
      }
      expect((await run(url, 'env')).said).toContain('SANDBOX_WORLD=acme');
      for (const verb of others)
        expect(await run(url, verb)).toEqual({
          verb,
          code: 1,
          said: expect.stringMatching(/^There is no world with name rival\. \(.* 404 RESOURCE_NOT_FOUND\)/),
        });
      for (const verb of operators)
        expect(await run(url, verb)).toEqual({ verb, code: 1, said: expect.stringContaining('403 NOT_PERMITTED') });
      const wrong = await run(url, 'clock', `${acme.credentials.clientId}:wrong`);
      expect([wrong.code === 0, wrong.said]).toEqual([false, expect.stringContaining('401 INVALID_CREDENTIALS')]);
    }
  });

  it('can use the Node.js client only in its own world', async () => {
    const { urls, acme, rival, quoteId } = await worlds();
    for (const url of urls) {
      const sandbox = connect({ url, token: tokenOf(acme) });
      expect((await sandbox.worlds()).map(({ name }) => name)).toEqual(['acme']);
      expect((await sandbox.world('acme').clock.get()).mode).toBe('RUNNING');
      const newest = await sandbox.world('acme').quotes({ sortOrder: 'DESCENDING' }).all(1);
      expect(newest).toMatchObject([{ id: quoteId }]);
      await expect(sandbox.world('rival').clock.get()).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
      await expect(sandbox.createWorld({ name: 'mine' })).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
      expect(
        await connect({ url, token: tokenOf(rival) })
          .world('rival')
          .quotes({})
          .all(10),
      ).not.toContainEqual(expect.objectContaining({ id: quoteId }));
    }
  });
});
