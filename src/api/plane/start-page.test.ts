import { describe, expect, it } from 'vitest';
import { readSettings } from '../../server/options.js';
import { startServer } from '../../server/server.js';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness();

/** Starts a server and gets its root. */
async function root(args: readonly string[], headers: Record<string, string>) {
  const server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent', ...args], {}));
  try {
    const answer = await fetch(`${server.url}/`, { headers });
    const text = await answer.text();
    const links = [...text.matchAll(/<a href="(\/[^"]*)"/g)].map(([, href]) => href!);
    const statuses = await Promise.all(links.map(async (href) => (await fetch(`${server.url}${href}`)).status));
    return { url: server.url, status: answer.status, headers: answer.headers, text, links, statuses };
  } finally {
    await server.close();
  }
}

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const reading = [
  '/docs',
  ...['first-payment', 'receive-webhooks', 'test-with-vitest', 'how-do-i', 'index', 'fixtures', 'force-outcomes', 'errors'].map(
    (name) => `/docs/guides/${name}`,
  ),
  '/docs/findings',
  '/docs/guides/index#recipes',
  '/docs/guides/index#fixtures',
  '/openapi.json',
  '/openapi.yaml',
  '/llms.txt',
];
const worlds = '/docs/guides/isolate-tests';
const control = ['/_sandbox/console', '/_sandbox/openapi.json'];

describe('the root path', () => {
  it('shows a browser the documentation, the OpenAPI documents and a first command', async () => {
    const { url, status, headers, text, links, statuses } = await root([], browser);
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(links).toEqual([...reading, ...control, worlds, '/_sandbox/console/default/timeline']);
    expect(statuses).toEqual(links.map(() => 200));
    expect(text).toContain(`curl -s ${url}/api/oauth/client/token`);
    expect(text).toContain('client secret <code>sandbox-secret</code>');
  });

  it('links to a page whose links to recipes and fixture files work', async () => {
    const server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent'], {}));
    try {
      const page = await (await fetch(`${server.url}/docs/guides/index`)).text();
      const [, list = ''] = /id="recipes"([^]*)/.exec(page) ?? [];
      const links = [...list.matchAll(/href="(\/docs\/files\/(recipes|fixtures)\/[^"]*)"/g)].map(([, href]) => href!);
      expect(links.length).toBeGreaterThan(20);
      for (const link of links) expect([link, (await fetch(server.url + link)).status]).toEqual([link, 200]);
    } finally {
      await server.close();
    }
  });

  it.each([
    ['a control token', ['--control-token', 'a-control-token'], [...reading, ...control], false],
    ['a control port', ['--control-port', '0'], [...reading, worlds], true],
  ])('with %s shows only the links and credentials that work', async (_what, args, expected, tells) => {
    const { links, text } = await root(args, browser);
    expect(links).toEqual(expected);
    expect(text.includes('sandbox-secret')).toBe(tells);
  });

  it.each([['*/*'], ['application/json'], ['']])('points a program that accepts "%s" to the OpenAPI document', async (accept) => {
    const { status, text } = await root([], { accept });
    expect({ status, ...(JSON.parse(text) as object) }).toMatchObject({
      status: 404,
      code: 'ROUTE_NOT_FOUND',
      details: { method: 'GET', path: '/' },
    });
    expect(text).toContain('/openapi.json');
  });

  it('is not shown for an unknown host name', async () => {
    const answer = await harness.api('GET', '/', { headers: { ...browser, host: 'evil.example' } });
    expect(answer).toMatchObject({ status: 403, body: { code: 'HOST_NOT_ALLOWED' } });
  });
});
