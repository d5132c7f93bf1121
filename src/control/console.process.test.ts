import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../server/server.js';
import { accessibilityFaults, describeInBrowser, launchBrowser, orWhyNot } from '../testing/browser.js';
import { clientOf, live, lostTransfer, openPage, startQuietly, tabTo, type OpenOptions } from '../testing/console-page.js';
import { companyRequest } from '../testing/onboarding.js';
import { call } from '../testing/process.js';
import { pixBeneficiary } from '../testing/withdrawals.js';

const screens =
  'timeline operations accounts beneficiaries webhooks inbox findings report coverage replay scenarios ledger worlds try'.split(' ');
const hostile = '<img src=x onerror="window.injected=1">';

describeInBrowser(`the console in a browser${orWhyNot}`, () => {
  let server: RunningServer;
  let browser: Browser;
  /** Paths of the panes of the inspector. */
  let panes: Readonly<Record<string, string>>;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startQuietly('--scenario', 'manual'), launchBrowser()]);
    panes = await fill(server);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function open(path: string, { origin = server.url, ...options }: Partial<OpenOptions> & { origin?: string } = {}) {
    const opened = await openPage(browser, { ...options, url: `${origin}/_sandbox/console/default/${path}` });
    await opened.page.waitForSelector(live);
    return opened;
  }

  async function goTo(page: Page, screen: string): Promise<void> {
    await page.selectOption('.menu', screen, { force: true });
    await page.waitForSelector(`.nav a[href*="/${screen}"][aria-current="page"]`, { state: 'attached' });
    await page.waitForSelector('main .list, main .empty, main .scroll');
  }

  it.each(['light', 'dark'] as const)(
    'shows every screen, pane and dialog in %s colours without accessibility errors, browser errors or foreign requests',
    async (colorScheme) => {
      const { page, complaints } = await open('timeline', { colorScheme });
      // In the dark theme only the contrast is checked, because only colours differ.
      const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
      expect(await accessibilityFaults(page, undefined, rules)).toEqual([]);
      const faultsIn = (part: string) => accessibilityFaults(page, part, rules);
      for (const screen of screens) {
        await goTo(page, screen);
        expect(await faultsIn('main'), screen).toEqual([]);
      }
      await page.click('.clock summary');
      expect(await faultsIn('.clock'), 'the timers').toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.waitForSelector('dialog[open] .keys');
      expect(await faultsIn('dialog[open]'), 'the help').toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.waitForSelector('dialog[open] .commands');
      expect(await faultsIn('dialog[open]'), 'the commands').toEqual([]);
      await page.keyboard.press('Escape');
      await goTo(page, 'webhooks');
      await page.click('text=Check a signature');
      await page.waitForSelector('dialog[open] textarea');
      expect(await faultsIn('dialog[open]'), 'the check of a signature').toEqual([]);
      await page.keyboard.press('Escape');
      for (const [pane, heading] of Object.entries(panes)) {
        await page.goto(`${server.url}/_sandbox/console/default/${pane}`);
        await page.waitForSelector(`.inspector h2:has-text("${heading}")`);
        await page.waitForSelector('main .list, main .empty, main .scroll');
        expect(await faultsIn('.inspector'), pane).toEqual([]);
      }
      expect(await page.evaluate('window.injected')).toBe(undefined);
      expect(complaints).toEqual([]);
      await page.close();
    },
    180_000,
  );

  it('fits every screen and pane on a narrow page, and shows external content as text', async () => {
    const { page, complaints } = await open('timeline', { width: 320 });
    let shown = 0;
    const look = async (what: string) => {
      expect(await page.evaluate('document.documentElement.scrollWidth'), what).toBe(320);
      shown += await page.getByText(hostile).count();
    };
    for (const screen of screens) {
      await goTo(page, screen);
      if (screen === 'inbox') await page.click('.row');
      await look(screen);
    }
    for (const pane of Object.keys(panes)) {
      await page.goto(`${server.url}/_sandbox/console/default/${pane}`);
      await page.waitForSelector('.inspector h2');
      await look(pane);
    }
    expect(shown).toBeGreaterThan(5);
    expect(await page.evaluate('window.injected')).toBe(undefined);
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  it('opens the resource of any id, and shows unattributed requests', async () => {
    const { page } = await open('timeline');
    for (const [pane, heading] of Object.entries(panes)) {
      const id = pane.split('/').at(-1)!.split('?')[0]!;
      if (pane.startsWith('coverage') || pane.includes('show=')) continue;
      await page.goto(`${server.url}/_sandbox/console/default/why/${id}`);
      await page.waitForSelector(`.inspector h2:has-text("${heading}")`);
    }
    await page.goto(`${server.url}/_sandbox/console/default/timeline?kinds=unattributed`);
    await page.waitForSelector('.row:has-text("INVALID_ACCESS_TOKEN")');
    await page.goto(`${server.url}/_sandbox/console/default/timeline?q=${encodeURIComponent('request.outcome[eq]=LOST')}`);
    await page.waitForSelector('.row:has-text("→ ")');
    expect(await page.locator('.row').count()).toBe(1);
    await page.close();
  }, 60_000);

  it('advances the clock', async () => {
    const { page } = await open('worlds');
    await page.waitForSelector('.mode.frozen');
    const before = await page.innerText('.clock time');
    await page.click('text=+1 d');
    await page.waitForSelector(`.clock time:not(:has-text("${before}"))`);
    await page.click('.clock >> text=Run');
    await page.waitForSelector('.mode:not(.frozen)');
    await page.click('.clock >> text=Freeze');
    await page.waitForSelector('.mode.frozen');
    expect(await page.innerText('.mode')).toBe('FROZEN');
    await page.close();
  }, 60_000);

  it('shows and changes the next responses of an inbox', async () => {
    const answers = (body: unknown) => call(server.url, 'PUT', '/_sandbox/inbox/answers/responses', { body });
    await answers([
      { status: 500, times: 2 },
      { status: 410, delayMs: 5 },
    ]);
    const { page } = await open('inbox/answers');
    await page.waitForSelector('text="responds with 500 × 2, then 410 after 5 ms, then 200"');
    await page.click('text="Always 200"');
    await page.waitForSelector('text="responds with 200"');
    await page.fill('label:has-text("status") input', '429');
    await page.fill('label:has-text("times") input', '1');
    await page.click('button:has-text("Answer the next")');
    await page.waitForSelector('text="responds with 429, then 200"');
    const { body } = await call(server.url, 'GET', '/_sandbox/inbox/answers/responses');
    expect(body).toEqual([{ status: 429, times: 1, delayMs: 0 }]);
    await answers([]);
    await page.waitForSelector('text="responds with 200"');
    await page.close();
  }, 60_000);

  it('rejects reads and writes of a page from a different port', async () => {
    const other = createServer((_request, response) => response.end('<!doctype html><title>other</title>')).listen(0, '127.0.0.1');
    await new Promise((listening) => void other.once('listening', listening));
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const tries = [
      ['/_sandbox/worlds', {}],
      ['/_sandbox/stream', {}],
      ['/_sandbox/console/assets/console.js', {}],
      ['/docs/assets/docs.js', {}],
      ['/_sandbox/reset', { method: 'POST', mode: 'no-cors' }],
    ] as const;
    for (const [path, init] of tries) {
      const result = await page.evaluate(
        `fetch(${JSON.stringify(server.url + path)}, ${JSON.stringify(init)}).then((r) => r.type + r.status, () => 'refused')`,
      );
      expect([path, ['refused', 'opaque0'].includes(result as string)]).toEqual([path, true]);
    }
    for (const path of ['/_sandbox/console/assets/console.js', '/_sandbox/stream', '/docs/assets/docs.js']) {
      const headers = { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' };
      expect([path, (await fetch(server.url + path, { headers })).status]).toEqual([path, 403]);
    }
    const still = (await call(server.url, 'GET', '/_sandbox/operations')).body as { data: { id: string }[] };
    expect(still.data.map(({ id }) => `operations/${id}`)).toContain(Object.keys(panes)[0]);
    await page.close();
    other.close();
  }, 60_000);

  it('continues with the control token if an earlier request without the token is rejected later', async () => {
    const guarded = await startQuietly('--control-token', 'control-token');
    const page = await browser.newPage();
    let refuse: () => void = () => undefined;
    const isGiven = new Promise<void>((resolve) => (refuse = resolve));
    await page.route('**/_sandbox/stream', async (route) => {
      const isWithout = (await route.request().headerValue('authorization')) === null;
      if (isWithout) await isGiven;
      await route.continue();
    });
    await page.goto(`${guarded.url}/_sandbox/console/default/operations`);
    await page.fill('input[type=password]', 'control-token');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.row');
    const refused = page.waitForResponse((response) => response.status() === 401);
    refuse();
    await refused;
    await page.waitForSelector(live);
    expect(await page.locator('input[type=password]').count()).toBe(0);
    await page.close();
    await guarded.close();
  }, 60_000);

  it('works with a control token and a separate port, where API requests are copied instead of sent', async () => {
    const guarded = await startQuietly('--control-token', 'control-token', '--control-port', '0');
    const { page, complaints } = await openPage(browser, { url: `${guarded.controlUrl}/_sandbox/console/default/operations` });
    await page.fill('input[type=password]', 'control-token');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.row');
    await (await clientOf(guarded)).withdraw();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.click('.row:has-text("withdrawal") button[aria-expanded=false]');
    await page.click('.row.below:has-text("POST /api/operations/withdrawal")');
    expect(await page.locator('.inspector .button:has-text("Send again, same key")').getAttribute('title')).toContain(
      'Copy the request as curl',
    );
    expect(await page.locator('.inspector a:has-text("createWithdrawal")').getAttribute('href')).toContain(
      `:${new URL(guarded.url).port}/docs#`,
    );
    await goTo(page, 'try');
    await page.waitForSelector('text=The API has another origin than this page');
    expect(await page.locator('main button[type=submit]').isDisabled()).toBe(true);
    for (const screen of screens) await goTo(page, screen);
    expect(complaints.filter((each) => !each.includes('401'))).toEqual([]);
    const linked = await (await browser.newContext()).newPage();
    const base = `${guarded.controlUrl}/_sandbox/console/default/operations`;
    await linked.goto(`${base}#token=control-token`);
    await linked.waitForSelector('.row');
    expect(linked.url()).toBe(base);
    expect(await linked.context().cookies()).toEqual([]);
    await page.close();
    await linked.close();
    await guarded.close();
  }, 60_000);

  it('ignores single-key shortcuts if they are turned off', async () => {
    const { page } = await open('timeline');
    await page.keyboard.press('?');
    await tabTo(page, 'dialog input[type=checkbox]');
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    for (const key of ['g', 'w', 'f']) await page.keyboard.press(key);
    await page.keyboard.press('Control+k');
    await page.waitForSelector('dialog[open] .commands');
    expect(page.url()).toContain('/timeline');
    expect(await page.innerText('.mode')).toBe('FROZEN');
    await page.close();
  }, 60_000);

  it('shows a lost connection, and reconnects', async () => {
    const first = await startQuietly();
    const { port } = new URL(first.url);
    const { page } = await open('timeline', { origin: first.url });
    await first.close();
    await page.waitForSelector('text=lost, trying');
    const second = await startQuietly('--port', port);
    await page.waitForSelector(live, { timeout: 20_000 });
    expect(await page.innerText('.live')).toContain('live');
    await page.close();
    await second.close();
  }, 60_000);
});

/** Sends client requests with a hostile text in every string. @returns the panes that show the text, with a part of their headings */
async function fill(server: RunningServer): Promise<Record<string, string>> {
  const { api, subscribe, withdraw, transfer } = await clientOf(server);
  const control = (method: string, path: string, body?: unknown) => call(server.url, method, `/_sandbox/${path}`, { body });
  await control('PUT', 'clock', { mode: 'FROZEN' });
  await subscribe(`${server.url}/_sandbox/inbox/orders`);
  await subscribe(await deadEnd());
  await api('POST', '/api/accounts', companyRequest({ legalName: hostile }, [{ code: 'BRL' }]));
  const { body: beneficiary } = await api('POST', '/api/beneficiaries', pixBeneficiary({ firstName: hostile }));
  const { id: operationId } = await withdraw();
  const { body: account } = await control('GET', 'accounts?limit=1');
  await control('POST', 'faults', lostTransfer);
  await transfer();
  await transfer();
  await api('GET', `/api/operations/${operationId}?note=${encodeURIComponent(hostile)}`);
  await call(server.url, 'GET', '/api/accounts', { headers: { authorization: 'Bearer nobody', 'user-agent': hostile } });
  await fetch(`${server.url}/_sandbox/inbox/orders`, { method: 'POST', headers: { 'x-event-type': hostile }, body: hostile });
  await control('PUT', 'test', { name: hostile });
  await control('POST', 'deliveries/flush', {});
  const newest = async (path: string) => ((await control('GET', path)).body as { data: { id: string }[] }).data[0]!.id;
  const about = encodeURIComponent(`resourceId[eq]=${operationId}`);
  const deliveryId = await newest(`deliveries?filters=${about}`);
  const callId = await newest('requests?filters=operationId[eq]=createAccount');
  const attemptId = await newest(`requests?kind=ATTEMPT&filters=${about}`);
  const { data: found } = (await control('GET', 'findings')).body as { data: { id: string; rule: string }[] };
  const newKey = found.find(({ rule }) => rule === 'idempotency.lost-response-new-key')!;
  return {
    [`operations/${operationId}`]: 'Withdrawal',
    [`accounts/${account.data[0].id as string}`]: 'onerror=',
    [`beneficiaries/${beneficiary.id as string}`]: 'onerror=',
    [`webhooks/${deliveryId}`]: 'OPERATION_REQUESTED',
    [`calls/${callId}`]: '/api/accounts',
    [`timeline?show=calls/${attemptId}`]: 'OPERATION_REQUESTED',
    [`findings/${newKey.id}`]: 'idempotency key',
    'coverage?tier=all&show=coverage/resilience/createQuote.503': 'createQuote.503',
  };
}

/** Returns the URL of a port without a server, so that a retry is pending. */
async function deadEnd(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => void server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => void server.close(closed));
  return `http://127.0.0.1:${port}/${encodeURIComponent(hostile)}`;
}
