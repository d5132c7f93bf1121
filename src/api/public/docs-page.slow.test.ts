import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityProblems, closePages, describeInBrowser, sharedBrowser, skipReason } from '../../testing/browser.js';
import { openPage, startQuietly as start, type OpenOptions } from '../../testing/console-page.js';
import { connect, type SandboxProcess } from '../../testing/process.js';

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string; readonly summary: string }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly enum?: readonly string[] }>> };
}

describeInBrowser(`the documentation in a browser${skipReason}`, () => {
  let server: SandboxProcess;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([start(), sharedBrowser()]);
  }, 60_000);
  afterAll(async () => {
    if (browser) await closePages(browser);
    await server?.end('SIGTERM');
  });

  async function open(anchor: string, { origin = server.url, ...options }: Partial<OpenOptions> & { origin?: string } = {}) {
    const opened = await openPage(browser, { ...options, url: `${origin}/docs${anchor}` });
    await opened.page.waitForSelector('.start');
    return opened;
  }

  it('shows every operation, error code and schema of both OpenAPI documents, and loads the second on demand', async () => {
    const { page, complaints } = await open('');
    const loaded = (path: string) => page.evaluate(`performance.getEntriesByType('resource').some(({ name }) => name.endsWith('${path}'))`);
    expect(await loaded('/_sandbox/openapi.json')).toBe(false);
    await page.click('text=Show the operations of the control API');
    await page.waitForSelector('#plane-control');
    for (const [path, prefix] of [
      ['/openapi.json', ''],
      ['/_sandbox/openapi.json', 'control-'],
    ]) {
      const { paths, components } = (await (await fetch(server.url + path)).json()) as Described;
      const operations = Object.entries(paths).flatMap(([each, methods]) =>
        Object.entries(methods).map(([method, { operationId, summary }]) => [operationId, [method.toUpperCase(), each, summary]] as const),
      );
      const codes = components.schemas['ErrorCode']!.enum!.map((code) => `error-${code}`);
      const shapes = Object.keys(components.schemas).map((name) => `schema-${name}`);
      const groups = await page.evaluate<string[]>(
        `[...document.querySelectorAll('nav a[href^="#${prefix}"]')].map((a) => a.hash.slice(1))`,
      );
      const shown = new Map<string, string>();
      for (const group of groups.filter((each) => each.startsWith('control-') === (prefix !== ''))) {
        await page.evaluate(`location.hash = ${JSON.stringify(group)}`);
        await page.waitForSelector(`[id="${group}"][open] .item`);
        const items = `[...document.querySelectorAll('[id="${group}"] .item')].map(({ id, innerText }) => [id, innerText])`;
        for (const [id, text] of await page.evaluate<[string, string][]>(items)) shown.set(id, text);
      }
      for (const [name, words] of operations) for (const word of words) expect(shown.get(prefix + name), name).toContain(word);
      for (const name of [...codes, ...shapes]) expect(shown.has(prefix + name), name).toBe(true);
      const [named] = operations.at(-1)!;
      await page.evaluate(`location.hash = ${JSON.stringify(prefix + named)}`);
      await page.waitForSelector(`[id="${prefix}${named}"][open] .answer`);
    }
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  it('lists an operation first if its id is searched, shows the fields of its body, and reports rejected credentials', async () => {
    const guarded = await start('--control-token', 'control-token');
    const { page } = await open('', { origin: guarded.url });
    await page.fill('#search', 'createQuote');
    await page.waitForSelector('.found li:nth-child(2)');
    expect(await page.getAttribute('.found li:first-child a', 'href')).toBe('#createQuote');
    await page.press('#search', 'Enter');
    await page.waitForSelector('#createQuote .section:has(h3:text-is("Body")) .fields dt:has-text("sourceAsset")');
    await page.click('#createQuote >> text=Try it');
    await page.fill('.inspector input[type=text]', 'sandbox');
    await page.fill('.inspector input[type=password]', 'wrong');
    await page.click('text=Use them');
    await page.click('.inspector button[type=submit]:has-text("Send")');
    await page.waitForSelector('.notice[role=alert]:has-text("getting an access token failed with 401")');
    await page.close();
    await guarded.end('SIGTERM');
  }, 60_000);

  it('requires the control token for the control API document, and credentials for trial requests', async () => {
    const guarded = await start('--control-token', 'control-token');
    const { page } = await open('#createQuote', { origin: guarded.url });
    await page.click('#createQuote >> text=Try it');
    await page.fill('.inspector input[type=text]', 'sandbox');
    await page.fill('.inspector input[type=password]', 'sandbox-secret');
    await page.click('text=Use them');
    await page.click('.inspector button[type=submit]:has-text("Send")');
    await page.waitForSelector('.inspector .status.ok:has-text("201")');
    await page.click('text=Show the operations of the control API');
    await page.fill('main input[type=password]', 'control-token');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#control-Clock');
    expect(await page.locator('#control-Clock').innerText()).toContain('Clock');
    await page.close();
    await guarded.end('SIGTERM');
  }, 60_000);

  it('shows the document of the control API for a search and for its URLs, and the last requests on the start page', async () => {
    const { page } = await open('');
    await page.fill('#search', 'advanceClock');
    await page.waitForSelector('.found a[href="#control-advanceClock"]');
    const linked = await open('#control-advanceClock');
    await linked.page.waitForSelector('[id="control-advanceClock"][open]');
    await linked.page.close();
    await (
      await connect(server.url)
    )('GET', '/api/accounts');
    await page.goto(server.url);
    await page.click('#recent a:has-text("GET /api/accounts")');
    await page.waitForSelector('.inspector h2:has-text("/api/accounts")');
    const guarded = await start('--control-token', 'control-token');
    await page.goto(guarded.url);
    expect(await page.locator('#recent').count()).toBe(0);
    await guarded.end('SIGTERM');
    await page.close();
  }, 60_000);

  it.each([
    ['light', 390],
    ['dark', 1280],
  ] as const)(
    'is accessible and fits the window in %s colours, %i pixels wide',
    async (colorScheme, width) => {
      const { page } = await open('#createWithdrawal', { colorScheme, width });
      await page.waitForSelector('#createWithdrawal[open]');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.evaluate("document.querySelectorAll('#createWithdrawal details').forEach((each) => (each.open = true))");
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.click('#createWithdrawal >> text=Try it');
      expect(await accessibilityProblems(page), 'trying it').toEqual([]);
      for (const path of ['/docs/findings', '/']) {
        await page.goto(server.url + path);
        expect(await accessibilityProblems(page), path).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(width);
      }
      await page.close();
    },
    60_000,
  );
});
