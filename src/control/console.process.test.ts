import axe from 'axe-core';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSettings } from '../server/options.js';
import { startServer, type RunningServer } from '../server/server.js';
import { describeInBrowser, launchBrowser, orWhyNot } from '../testing/browser.js';

const screens = 'timeline operations accounts beneficiaries webhooks inbox mirror coverage scenarios ledger worlds try'.split(' ');
/** What the page shows while it reads along. */
const live = '.live:has-text("live")';
const hostile = '<img src=x onerror="window.struck=1">';

const start = (...args: string[]) => startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent', ...args], {}));

describeInBrowser(`the console in a browser${orWhyNot}`, () => {
  let server: RunningServer;
  let browser: Browser;
  /** A withdrawal whose course waits. */
  let operationId: string;

  beforeAll(async () => {
    [server, browser] = await Promise.all([start('--scenario', 'manual'), launchBrowser()]);
    operationId = await fill(server.url);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** A page of the console; `complaints` are what its console says, and what it asks of others. */
  async function open(path: string, options: { colorScheme?: 'light' | 'dark'; width?: number; url?: string } = {}) {
    const { colorScheme = 'light', width = 1440, url = server.url } = options;
    const page = await browser.newPage({ colorScheme, reducedMotion: 'reduce', viewport: { width, height: 900 } });
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => !request.url().startsWith(url) && complaints.push(request.url()));
    await page.goto(`${url}/_sandbox/console/default/${path}`);
    await page.waitForSelector(live);
    return { page, complaints };
  }

  const faultsOf = async (page: Page) => {
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
      "axe.run(document, { resultTypes: ['violations'] })",
    );
    return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
  };

  it.each(['light', 'dark'] as const)(
    'shows every screen in %s colours without a fault of accessibility, a complaint, or a call to anybody else',
    async (colorScheme) => {
      const { page, complaints } = await open('timeline', { colorScheme });
      for (const screen of screens) {
        await page.selectOption('.menu', screen, { force: true });
        await page.waitForSelector(`.nav a[href*="/${screen}"][aria-current="page"]`);
        await page.waitForSelector('main .list, main .empty, main .scroll');
        expect(await faultsOf(page), screen).toEqual([]);
      }
      await page.keyboard.press('?');
      expect(await faultsOf(page), 'the help').toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    },
    120_000,
  );

  it.each(screens)(
    'has room for %s on a narrow screen',
    async (screen) => {
      const { page } = await open(screen, { width: 320 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await page.close();
    },
    30_000,
  );

  it('leads from a row to why an operation is as it is, and forces it, by keyboard alone', async () => {
    const { page, complaints } = await open('operations');
    await page.waitForSelector('.row');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.inspector .button.destructive[aria-disabled="false"]');
    expect(page.url()).toContain(`show=operations%2F${operationId}`);
    const button = page.locator('.inspector .button.destructive', { hasText: 'Fail' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.inspector h2 .status.bad');
    expect(await page.innerText('.inspector h2 .status')).toContain('FAILED');
    expect(await page.locator('.inspector .button', { hasText: 'Complete' }).getAttribute('title')).toBe(
      'Complete is no move from FAILED.',
    );
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.locator('.inspector').count()).toBe(0);
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.waitForSelector('text=Nobody has subscribed to events');
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  it('moves the clock', async () => {
    const { page } = await open('worlds');
    await page.keyboard.press('f');
    await page.waitForSelector('.mode.frozen');
    const before = await page.innerText('.clock time');
    await page.click('text=+1 d');
    await page.waitForFunction(`document.querySelector('.clock time').innerText !== ${JSON.stringify(before)}`);
    await page.click('.clock >> text=Run');
    await page.waitForSelector('.mode:not(.frozen)');
    expect(await page.innerText('.mode')).toBe('RUNNING');
    await page.close();
  }, 60_000);

  it('shows what others have written as text', async () => {
    const { page, complaints } = await open('accounts');
    await page.waitForSelector(`text=${hostile}`);
    expect(await page.evaluate('window.struck')).toBe(undefined);
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  it('tells nothing to a page of another port, and takes nothing from it', async () => {
    const other = createServer((_request, response) => response.end('<!doctype html><title>other</title>')).listen(0, '127.0.0.1');
    await new Promise((listening) => void other.once('listening', listening));
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const tries = [
      ['/_sandbox/worlds', {}],
      ['/_sandbox/stream', {}],
      ['/_sandbox/console/assets/console.js', {}],
      ['/_sandbox/reset', { method: 'POST', mode: 'no-cors' }],
    ] as const;
    for (const [path, init] of tries) {
      const result = await page.evaluate(
        `fetch(${JSON.stringify(server.url + path)}, ${JSON.stringify(init)}).then((r) => r.type + r.status, () => 'refused')`,
      );
      expect([path, ['refused', 'opaque0'].includes(result as string)]).toEqual([path, true]);
    }
    const script = await fetch(`${server.url}/_sandbox/console/assets/console.js`, {
      headers: { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' },
    });
    expect(script.status).toBe(403);
    const still = (await (await fetch(`${server.url}/_sandbox/operations`)).json()) as { data: { id: string }[] };
    expect(still.data.map(({ id }) => id)).toContain(operationId);
    await page.close();
    other.close();
  }, 60_000);

  it('asks for the control token where one is set, keeps it in the tab, and takes it out of a link', async () => {
    const guarded = await start('--control-token', 'control-token', '--control-port', '0');
    const page = await browser.newPage();
    const base = `${guarded.controlUrl}/_sandbox/console/default/operations`;
    await page.goto(base);
    await page.fill('input[type=password]', 'control-token');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.row');
    const linked = await (await browser.newContext()).newPage();
    await linked.goto(`${base}#token=control-token`);
    await linked.waitForSelector('.row');
    expect(linked.url()).toBe(base);
    expect(await linked.context().cookies()).toEqual([]);
    await page.close();
    await linked.close();
    await guarded.close();
  }, 60_000);

  it('says that the server is lost, and comes back', async () => {
    const first = await start();
    const { port } = new URL(first.url);
    const { page } = await open('timeline', { url: first.url });
    await first.close();
    await page.waitForSelector('text=lost, trying');
    const second = await start('--port', port);
    await page.waitForSelector(live, { timeout: 20_000 });
    expect(await page.innerText('.live')).toContain('live');
    await page.close();
    await second.close();
  }, 60_000);
});

/** Has a client do something in the default world: an account with a hostile name, and a withdrawal. @returns the id of the withdrawal */
async function fill(url: string): Promise<string> {
  const post = async (path: string, body: unknown, token?: string) => {
    const headers = {
      'Content-Type': 'application/json',
      'X-Idempotency-Key': crypto.randomUUID(),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([path, response.ok]).toEqual([path, true]);
    return (await response.json()) as { id: string; accessToken: string };
  };
  const list = async <T>(path: string) => ((await (await fetch(`${url}/_sandbox/${path}`)).json()) as { data: T[] }).data;
  const { accessToken } = await post('/api/oauth/client/token', { clientId: 'sandbox', clientSecret: 'sandbox-secret' });
  const owner = {
    type: 'COMPANY',
    legalName: hostile,
    taxId: { type: 'CNPJ', value: '42.273.345/0001-69' },
    industry: 'WHOLESALE',
    address: { addressLine1: 'Rua 1', city: 'Rio Claro', state: 'SP', postalCode: '13500-000', country: 'BR' },
  };
  await post('/api/accounts', { assets: [{ code: 'BRL' }], owner }, accessToken);
  const [account] = await list<{ id: string }>('accounts?limit=1&filters=currentState.status[eq]=ACTIVE;assets.asset[eq]=BRL');
  const instructions = 'paymentInstructions.status[eq]=APPROVED;paymentInstructions.asset[eq]=BRL';
  const [beneficiary] = await list<{ id: string; paymentInstructions: { id: string; asset: string; status: string }[] }>(
    `beneficiaries?limit=1&filters=${instructions}`,
  );
  const instruction = beneficiary!.paymentInstructions.find(({ asset, status }) => asset === 'BRL' && status === 'APPROVED')!;
  const price = { accountId: account!.id, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '10.00' };
  const { id: quoteId } = await post('/api/quotes', price, accessToken);
  const paid = { type: 'REFERENCE', id: beneficiary!.id, paymentInstruction: { type: 'REFERENCE', id: instruction.id } };
  const { id } = await post('/api/operations/withdrawal', { accountId: account!.id, quoteId, beneficiary: paid }, accessToken);
  return id;
}
