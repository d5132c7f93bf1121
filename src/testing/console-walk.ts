import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { clientOf, lostTransfer } from './console-page.js';
import { companyRequest } from './onboarding.js';
import { call, type SandboxProcess } from './process.js';
import { pixBeneficiary } from './withdrawals.js';

export const screens =
  'timeline operations accounts beneficiaries webhooks inbox findings report coverage replay scenarios faults ledger worlds try'.split(' ');

/** Text that adds an element and runs a script if a page shows it as HTML. */
export const hostile = '<img src=x onerror="window.injected=1">';

/** Opens a screen with the menu of the page. */
export async function goTo(page: Page, screen: string): Promise<void> {
  await page.selectOption('.menu', screen, { force: true });
  await page.waitForSelector(`.nav a[href*="/${screen}"][aria-current="page"]`, { state: 'attached' });
  await page.waitForSelector('main .list, main .empty, main .scroll');
}

/**
 * Opens every screen and dialog of a page, and the panes with these paths.
 * @param look called with each part that is open: its selector and its name
 */
export async function walk(
  page: Page,
  panes: Readonly<Record<string, string>>,
  look: (selector: string, name: string) => Promise<void>,
): Promise<void> {
  const console = page.url().replace(/timeline$/, '');
  for (const screen of screens) {
    await goTo(page, screen);
    await look('main', screen);
  }
  await page.click('.clock summary');
  await look('.clock', 'the timers');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open] .keys');
  await look('dialog[open]', 'the help');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.waitForSelector('dialog[open] .commands');
  await look('dialog[open]', 'the commands');
  await page.keyboard.press('Escape');
  await goTo(page, 'webhooks');
  await page.click('text=Check a signature');
  await page.waitForSelector('dialog[open] textarea');
  await look('dialog[open]', 'the check of a signature');
  await page.keyboard.press('Escape');
  for (const [pane, heading] of Object.entries(panes)) {
    await page.goto(console + pane);
    await page.waitForSelector(`.inspector h2:has-text("${heading}")`);
    await page.waitForSelector('main .list, main .empty, main .scroll');
    await look('.inspector', pane);
  }
}

/** Sends client requests with a hostile text in every string. @returns the panes that show the text, with a part of their headings */
export async function fill(server: SandboxProcess): Promise<Record<string, string>> {
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
  const repeated = found.find(({ rule }) => rule === 'payment.repeated')!;
  return {
    [`operations/${operationId}`]: 'Withdrawal',
    [`accounts/${account.data[0].id as string}`]: 'onerror=',
    [`beneficiaries/${beneficiary.id as string}`]: 'onerror=',
    [`webhooks/${deliveryId}`]: 'OPERATION_REQUESTED',
    [`calls/${callId}`]: '/api/accounts',
    [`timeline?show=calls/${attemptId}`]: 'OPERATION_REQUESTED',
    [`findings/${repeated.id}`]: 'The same payment',
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
