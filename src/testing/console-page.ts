import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { Agent, fetch as sendWith } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { closePages, sharedBrowser } from './browser.js';
import { call, connect, SandboxProcess, type Send } from './process.js';
import { withdrawalBody } from './withdrawals.js';

/** Selector that matches while the console receives the event stream. */
export const liveSelector = '.live:has-text("live")';

/** Starts the built command without log output for the tests of a page. */
export const startQuietly = (...args: string[]): Promise<SandboxProcess> =>
  SandboxProcess.start(['--data', 'memory', '--log-level', 'silent', ...args]);

/** Returns the URL of the control API, which differs from that of the payments API with `--control-port`. */
export function controlUrlOf(server: SandboxProcess): string {
  const url = /Console\s+(\S+)\/_sandbox\/console/.exec(server.output.join('\n'))?.[1];
  if (url === undefined) throw new Error(`The server printed no URL of its console: ${server.output.join('\n')}`);
  return url;
}

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

/** Clicks a button that saves a file. @returns name and text of the file */
export async function saveFile(page: Page, selector: string): Promise<readonly [string, string]> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
  return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8')];
}

/** Deletes a world on the page of the worlds: opens the dialog, types the name of the world, and waits for the message. */
export async function deleteWorld(page: Page, name: string): Promise<void> {
  await page.click(`[aria-label="Delete ${name}"]`);
  await page.fill('dialog[open] input', name);
  await page.keyboard.press('Enter');
  await page.waitForSelector(`.notice:has-text("Deleted the world ${name}.")`);
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

/** A resource in a response of the control API. */
interface Listed {
  readonly id: string;
  readonly currentState: { readonly status: string };
  readonly paymentInstructions: readonly { readonly id: string }[];
}

/**
 * Returns functions that send requests to the default world, like the client of an integrator. Requires default fixtures.
 * @param token control token of the server. Default: a server without one
 */
export async function clientOf(server: SandboxProcess, token?: string) {
  const listed = async (path: string): Promise<readonly Listed[]> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const { body } = await call(controlUrlOf(server), 'GET', `/_sandbox/${path}?sortOrder=ASCENDING&limit=100`, { headers });
    return body.data as readonly Listed[];
  };
  // Findings about repeated requests assume a client that waits for each response: over one connection, which is opened again when it is lost.
  const dispatcher = new Agent({ connections: 1 });
  const send: Send = (address, init) => sendWith(address, { ...init, dispatcher });
  const [api, accounts, [approved]] = await Promise.all([
    connect(server.url, undefined, send),
    listed('accounts'),
    listed('beneficiaries'),
  ]);
  const accountId = accounts[0]!.id;
  const target = accounts.find(({ id, currentState }) => id !== accountId && currentState.status === 'ACTIVE');
  return {
    api,
    accountId,
    approved: approved!,
    subscribe: (url: string) => api('POST', '/api/subscriptions', { url, includeAll: true, allowRetry: true }),
    /** @returns the operation */
    withdraw: async (sourceAmount = '150.00') => {
      const price = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount };
      const { body: quote } = await api('POST', '/api/quotes', price);
      return (await api('POST', '/api/operations/withdrawal', withdrawalBody(accountId, quote.id as string, approved!))).body as {
        id: string;
      };
    },
    /** Transfers money between two accounts with a new idempotency key. @returns null without a response */
    transfer: () => {
      const body = { sourceAccountId: accountId, targetAccountId: target!.id, amount: { value: '25.00', asset: 'BRL' } };
      return api('POST', '/api/operations/transfer', body).catch(() => null);
    },
  };
}

/** A server, the browser and a client for the tests of a file. */
export class ConsoleStage {
  server!: SandboxProcess;
  browser!: Browser;
  client!: Awaited<ReturnType<typeof clientOf>>;
  readonly #pages: Page[] = [];

  /** Starts the server and the browser. */
  async start(args: readonly string[]): Promise<void> {
    [this.server, this.browser] = await Promise.all([startQuietly(...args), sharedBrowser()]);
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
    await page.waitForSelector(liveSelector);
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
    if (this.browser) await closePages(this.browser);
    await this.server?.end('SIGTERM');
  }
}

/**
 * Provides a stage for all tests of a suite. The world `default` is new before each of them, without findings; the record of earlier requests stays.
 * @param clock mode of the clock of the world. Default: FROZEN
 * @param args further flags of the server
 */
export function useConsole({ clock = 'FROZEN', args = [] }: { clock?: 'FROZEN' | 'RUNNING'; args?: readonly string[] } = {}): ConsoleStage {
  const stage = new ConsoleStage();
  beforeAll(() => stage.start(args), 60_000);
  beforeEach(async () => {
    await stage.control('PUT', 'worlds/default?ifExists=replace', { fixtures: 'default', clock: { mode: clock } });
    await stage.control('DELETE', 'test');
    await stage.control('DELETE', 'findings');
    stage.client = await clientOf(stage.server);
  });
  afterEach(() => stage.closePages());
  afterAll(() => stage.end());
  return stage;
}
