import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { readSettings } from '../server/options.js';
import { startServer, type RunningServer } from '../server/server.js';
import { launchBrowser } from './browser.js';
import { call, connect } from './process.js';
import { fixtureIds, withdrawalBody } from './withdrawals.js';

/** Selector that matches while the console receives the event stream. */
export const live = '.live:has-text("live")';

/** Starts a server without log output for the tests of a page. */
export const startQuietly = (...args: string[]): Promise<RunningServer> =>
  startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent', ...args], {}));

export interface OpenOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** URL of the page. */
  readonly url: string;
}

/** Opens a page. `complaints` are errors in its console, its exceptions, and its requests to other hosts. */
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

/** Presses Tab until an element has the focus. @throws Error after two hundred elements */
export async function tabTo(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(selector, { state: 'attached' });
  for (let tries = 0; tries < 200; tries += 1) {
    if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${selector}.`);
}

/** A fault that executes the next transfer and loses its response. */
export const lostTransfer = {
  on: 'REQUEST',
  phase: 'after_commit',
  when: { operationId: 'createTransfer' },
  times: 1,
  effect: { connectionReset: true },
};

/** Returns functions that send requests to the default world, like the client of an integrator. */
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
    /** Transfers money between two accounts with a new idempotency key. @returns null without a response */
    transfer: () => {
      const isActive = (id: string) => server.sandbox.world('default').state.accounts.get(id)?.states.at(-1)?.status === 'ACTIVE';
      const target = accountIds.find((id) => id !== accountId && isActive(id));
      const body = { sourceAccountId: accountId, targetAccountId: target, amount: { value: '25.00', asset: 'BRL' } };
      return api('POST', '/api/operations/transfer', body).catch(() => null);
    },
  };
}

/** A server, a browser and a client for the tests of a file. */
class ConsoleStage {
  server!: RunningServer;
  browser!: Browser;
  client!: Awaited<ReturnType<typeof clientOf>>;
  readonly #pages: Page[] = [];

  /** Starts the server and the browser. */
  async start(args: readonly string[]): Promise<void> {
    [this.server, this.browser] = await Promise.all([startQuietly(...args), launchBrowser()]);
  }

  /** Calls the control API. @returns the body of the response */
  async control<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, body: response } = await call(this.server.url, method, `/_sandbox/${path}`, { body });
    if (status >= 400) throw new Error(`${method} /_sandbox/${path} responded with ${status}: ${JSON.stringify(response)}`);
    return response as T;
  }

  /** Opens a page of the console that receives the stream, for example `default/timeline`. */
  async open(path: string, { url = this.server.url, ...options }: Partial<OpenOptions> = {}): Promise<Page> {
    const { page } = await openPage(this.browser, { ...options, url: `${url}/_sandbox/console/${path}` });
    this.closeLater(page);
    await page.waitForSelector(live);
    return page;
  }

  /** Closes a page after the test. */
  closeLater(page: Page): void {
    this.#pages.push(page);
  }

  async closePages(): Promise<void> {
    await Promise.all(this.#pages.splice(0).map((page) => page.close()));
  }

  async end(): Promise<void> {
    await this.browser?.close();
    await this.server?.close();
  }
}

/**
 * Provides a stage for all tests of a suite. The world `default` is reset before each of them.
 * @param prepare called after each reset
 * @param args further flags of the server
 */
export function useConsole(prepare: (stage: ConsoleStage) => Promise<unknown>, ...args: string[]): ConsoleStage {
  const stage = new ConsoleStage();
  beforeAll(() => stage.start(args), 60_000);
  beforeEach(async () => {
    await stage.control('POST', 'reset');
    await prepare(stage);
    stage.client = await clientOf(stage.server);
  });
  afterEach(() => stage.closePages());
  afterAll(() => stage.end());
  return stage;
}
