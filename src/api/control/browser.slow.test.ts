import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../server/server.js';
import { readSettings } from '../../server/options.js';
import { fixtureIds } from '../../testing/withdrawals.js';
import { controlRoutes } from '../../contract/control/routes.js';
import { describeInBrowser, launchBrowser, skipReason } from '../../testing/browser.js';

/** Script for a page: sends every kind of cross-site request to every route. @returns the number of requests by result */
const attackScript = `async ({ base, routes }) => {
  const body = '{"name":"attacked","mode":"FROZEN","by":"1h","rules":[]}';
  const shown = (call) =>
    call.then(async (response) => {
      await response.text();
      return response.type === 'opaque' ? 'opaque' : String(response.status);
    }, () => 'refused');
  const ways = {
    read: [['cors', null], ['no-cors', null]],
    write: [['cors', 'application/json'], ['no-cors', null], ['no-cors', 'text/plain'], ['no-cors', 'application/x-www-form-urlencoded']],
  };
  const requests = routes.flatMap(([method, path]) =>
    ways[method === 'GET' ? 'read' : 'write'].map(([mode, type]) => {
      const sent = type === null ? {} : { body, headers: { 'content-type': type } };
      return { path, init: { method, mode, ...sent } };
    }),
  );
  const outcome = {};
  const attacker = async () => {
    for (let next = requests.pop(); next; next = requests.pop()) {
      const became = await shown(new Promise((resolve) => resolve(fetch(base + next.path, next.init))));
      outcome[became] = (outcome[became] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 6 }, attacker));
  const submit = (path, enctype) => new Promise((resolve) => {
    const frame = Object.assign(document.createElement('iframe'), { name: 'target' + Math.random() });
    const sent = Object.assign(document.createElement('form'), { action: base + path, method: 'post', target: frame.name, enctype });
    sent.append(Object.assign(document.createElement('input'), { name: '{"name":"attacked","x":"', value: '"}' }));
    document.body.append(frame, sent);
    frame.addEventListener('load', resolve);
    sent.submit();
  });
  for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
    for (const path of ['/_sandbox/worlds', '/_sandbox/reset', '/_sandbox/snapshots']) await submit(path, enctype);
  return outcome;
}`;

describeInBrowser(`a page in a browser${skipReason}`, () => {
  let sandbox: RunningServer;
  let elsewhere: Server;
  let browser: Browser;
  let port: number;

  beforeAll(async () => {
    sandbox = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent'], {}));
    port = Number(new URL(sandbox.url).port);
    elsewhere = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>x</title>'),
    );
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    browser = await launchBrowser('MAP rebound.example 127.0.0.1, EXCLUDE localhost, EXCLUDE 127.0.0.1');
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    elsewhere?.close();
    await sandbox?.close();
  });

  /** Every control route except inboxes, which accept requests from anywhere. */
  function routes(): [string, string][] {
    const { accountId } = fixtureIds(sandbox);
    return controlRoutes
      .filter(({ access }) => access !== 'anywhere')
      .map(({ method, path }) => [
        method.toUpperCase(),
        path
          .replace(/\{\w+Id\}/, accountId)
          .replace('{asset}', 'BRL')
          .replace(/\{\w+Name\}/, 'victim'),
      ]);
  }

  /** Runs the attack script in a page. @returns the number of requests by result */
  async function attack(pageUrl: string, base: string): Promise<Record<string, number>> {
    const page = await browser.newPage();
    await page.goto(pageUrl);
    const outcome = await page.evaluate<Record<string, number>>(`(${attackScript})(${JSON.stringify({ base, routes: routes() })})`);
    await page.close();
    return outcome;
  }

  /** Returns all state that a control request can change, as text. */
  async function everything(): Promise<string> {
    const names = [...sandbox.sandbox.worlds.keys()];
    const of = async (what: string) => (await fetch(`${sandbox.url}/_sandbox/${what}`)).text();
    return [...names, await of('state'), await of('snapshots'), await of('clock')].join(' ').replace(/"now":"[^"]*"/g, '');
  }

  it('of a foreign origin can change and read nothing', async () => {
    await fetch(`${sandbox.url}/_sandbox/worlds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"victim"}',
    });
    const before = await everything();
    const { port: otherPort } = elsewhere.address() as AddressInfo;
    const outcome = await attack(`http://127.0.0.1:${otherPort}/`, `http://localhost:${port}`);
    expect(Object.keys(outcome).toSorted()).toEqual(['opaque', 'refused']);
    expect(outcome['refused']).toBeGreaterThanOrEqual(routes().length);
    expect(await everything()).toBe(before);
  }, 120_000);

  it('under a foreign host name that resolves to this machine can change and read nothing', async () => {
    const before = await everything();
    const origin = `http://rebound.example:${port}`;
    const outcome = await attack(`${origin}/openapi.json`, origin);
    // With `no-cors`, a browser only sends simple requests, even to its own site.
    expect(Object.keys(outcome).toSorted()).toEqual(['403', 'refused']);
    expect(outcome['403']).toBeGreaterThan(routes().length);
    expect(await everything()).toBe(before);
  }, 120_000);

  it('of the sandbox itself can send control requests', async () => {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${port}/openapi.json`);
    const status = await page.evaluate(async () => (await fetch('/_sandbox/reset', { method: 'POST' })).status);
    expect(status).toBe(200);
    await page.close();
  });
});
