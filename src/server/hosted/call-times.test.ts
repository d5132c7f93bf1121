import { pino } from 'pino';
import { expect, it } from 'vitest';
import { useCluster } from '../../testing/cluster.js';
import { clientAt, makeWorld, nodeSettings } from '../../testing/nodes.js';
import { describeWithPostgres } from '../../testing/postgres.js';
import { logFormat } from '../log.js';
import { startServer } from '../server.js';

describeWithPostgres('the debug log of a node', () => {
  const cluster = useCluster();

  type Line = Readonly<Record<string, unknown>>;

  /** Starts a node. @returns the node, and a function that finds its log line about a request */
  async function logged() {
    const lines: Line[] = [];
    const log = pino({ ...logFormat, level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line) as Line) });
    const server = await startServer(nodeSettings(cluster.database), { log });
    const timesOf = (id: string | null) => lines.find((each) => each['kind'] === 'TIMES' && each['id'] === id);
    return { server, timesOf };
  }

  it('has on both nodes a line with the durations and the request id of a forwarded write', async () => {
    const [one, two] = [await logged(), await logged()];
    try {
      const { api, quote } = await clientAt(two.server.url, await makeWorld(one.server.url, 'acme'));
      const made = await api('POST', '/api/quotes', quote);
      const id = made.headers.get('x-request-id');
      await expect.poll(() => [one.timesOf(id), two.timesOf(id)]).not.toContain(undefined);
      const [owner, entry] = [one.timesOf(id)!, two.timesOf(id)!];
      const some = expect.any(Number) as number;
      expect(owner).toMatchObject({ what: 'answered for another node', world: 'acme', status: 201 });
      expect(owner).toMatchObject({ acceptMs: some, workMs: some, answerMs: some });
      expect(entry).toMatchObject({ what: 'passed on', world: 'acme', status: 201, acceptMs: some, hopMs: some, answerMs: some });
      expect(entry).not.toHaveProperty('workMs');
      const spent = ['acceptMs', 'workMs'].map((part) => owner[part] as number);
      expect(Math.min(...spent)).toBeGreaterThanOrEqual(0);
      expect(spent.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual((entry['hopMs'] as number) + 0.1);
      const read = await api('GET', '/api/accounts');
      await expect.poll(() => one.timesOf(read.headers.get('x-request-id'))).toBeDefined();
    } finally {
      await Promise.all([one.server.close(), two.server.close()]);
    }
  });
});
