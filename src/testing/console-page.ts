import type { Browser, Page } from 'playwright-core';
import { readSettings } from '../server/options.js';
import { startServer, type RunningServer } from '../server/server.js';
import { connect } from './process.js';
import { fixtureIds, withdrawalBody } from './withdrawals.js';

/** What the console shows while it reads along. */
export const live = '.live:has-text("live")';

/** A server for the tests of a page. */
export const startQuietly = (...args: string[]): Promise<RunningServer> =>
  startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent', ...args], {}));

export interface OpenOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Where the page comes from, with its path. */
  readonly url: string;
}

/** A page; `complaints` are what its console says, and what it asks of others. */
export async function openPage(browser: Browser, { colorScheme = 'light', width = 1440, height = 900, url }: OpenOptions) {
  const page = await browser.newPage({ colorScheme, reducedMotion: 'reduce', viewport: { width, height } });
  const complaints: string[] = [];
  const { origin } = new URL(url);
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => !request.url().startsWith(origin) && complaints.push(request.url()));
  await page.goto(url);
  return { page, complaints };
}

/** Goes from field to field until the one is reached that is wanted. @throws Error when it is none of the next two hundred */
export async function tabTo(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(selector, { state: 'attached' });
  for (let tries = 0; tries < 200; tries += 1) {
    if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${selector}.`);
}

/** A fault that has the next transfer done and its answer lost. */
export const lostTransfer = {
  on: 'REQUEST',
  phase: 'after_commit',
  when: { operationId: 'createTransfer' },
  times: 1,
  effect: { connectionReset: true },
};

/** The client of a world that an integrator writes: what it calls, its tests wait for. */
export async function clientOf(server: RunningServer) {
  const api = await connect(server.url);
  const { accountIds, accountId, approved } = fixtureIds(server);
  return {
    api,
    subscribe: (url: string) => api('POST', '/api/subscriptions', { url, includeAll: true, allowRetry: true }),
    /** @returns the operation */
    withdraw: async (sourceAmount = '150.00') => {
      const price = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount };
      const { body: quote } = await api('POST', '/api/quotes', price);
      return (await api('POST', '/api/operations/withdrawal', withdrawalBody(accountId, quote.id as string, approved))).body as {
        id: string;
      };
    },
    /** Moves money from one account to another, under a new key each time. */
    transfer: () => {
      const isActive = (id: string) => server.sandbox.world('default').state.accounts.get(id)?.states.at(-1)?.status === 'ACTIVE';
      const target = accountIds.find((id) => id !== accountId && isActive(id));
      const body = { sourceAccountId: accountId, targetAccountId: target, amount: { value: '25.00', asset: 'BRL' } };
      return api('POST', '/api/operations/transfer', body).catch(() => null);
    },
  };
}
