import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../server.js';
import { readSettings } from '../settings.js';
import { describeInBrowser, launchBrowser, orWhyNot } from '../testing/browser.js';

/** Runs in the page: everything that a page can send without being asked, as statuses or what became of them. */
const attackScript = `async (base) => {
  const told = (call) => call.then((response) => (response.type === 'opaque' ? 'opaque' : String(response.status)), () => 'refused');
  const post = (headers, mode) =>
    told(fetch(base + '/_sandbox/worlds', { method: 'POST', headers, mode, body: '{"name":"attacked"}' }));
  const form = new Promise((resolve) => {
    const frame = Object.assign(document.createElement('iframe'), { name: 'target' });
    const fields = { action: base + '/_sandbox/worlds', method: 'post', target: 'target', enctype: 'text/plain' };
    const sent = Object.assign(document.createElement('form'), fields);
    sent.append(Object.assign(document.createElement('input'), { name: '{"name":"attacked","x":"', value: '"}' }));
    document.body.append(frame, sent);
    frame.addEventListener('load', () => resolve('sent'));
    sent.submit();
  });
  return {
    read: await told(fetch(base + '/_sandbox/state')),
    json: await post({ 'content-type': 'application/json' }, 'cors'),
    simple: await post({ 'content-type': 'text/plain' }, 'no-cors'),
    bodiless: await told(fetch(base + '/_sandbox/worlds', { method: 'POST', mode: 'no-cors' })),
    form: await form,
  };
}`;

describeInBrowser(`a page in a browser${orWhyNot}`, () => {
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
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    elsewhere?.close();
    await sandbox?.close();
  });

  /** What a page gets out of the control plane by each way there is, as statuses or what became of them. */
  async function attack(pageUrl: string, target: string): Promise<Record<string, string>> {
    const page = await browser.newPage();
    await page.goto(pageUrl);
    const outcome = await page.evaluate<Record<string, string>>(`(${attackScript})(${JSON.stringify(target)})`);
    await page.close();
    return outcome;
  }

  it('on another origin takes no effect and reads nothing', async () => {
    const { port: otherPort } = elsewhere.address() as AddressInfo;
    const outcome = await attack(`http://127.0.0.1:${otherPort}/`, `http://localhost:${port}`);
    expect(outcome).toEqual({ read: 'refused', json: 'refused', simple: 'opaque', bodiless: 'opaque', form: 'sent' });
    expect([...sandbox.sandbox.worlds.keys()]).toEqual(['default']);
  });

  it('under a name that was rebound to this machine takes no effect and reads nothing', async () => {
    const origin = `http://rebound.example:${port}`;
    const outcome = await attack(`${origin}/openapi.json`, origin);
    expect(outcome).toEqual({ read: '403', json: '403', simple: '403', bodiless: '403', form: 'sent' });
    expect([...sandbox.sandbox.worlds.keys()]).toEqual(['default']);
  });

  it('of the sandbox itself may steer it', async () => {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${port}/openapi.json`);
    const status = await page.evaluate(async () => (await fetch('/_sandbox/reset', { method: 'POST' })).status);
    expect(status).toBe(200);
    await page.close();
  });
});
