import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../server/server.js';
import { readSettings } from '../server/options.js';
import { describeInBrowser, launchBrowser, orWhyNot } from '../testing/browser.js';

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string; readonly summary: string }>>>>;
}

describeInBrowser(`the documentation in a browser${orWhyNot}`, () => {
  let server: RunningServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent'], {}));
    browser = await launchBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Opens the page; `complaints` are what its console says and what it asks of other hosts. */
  async function open(colorScheme: 'light' | 'dark', width: number): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) complaints.push(request.url());
    });
    await page.goto(`${server.url}/docs`);
    return { page, complaints };
  }

  it('shows every operation where its link in the contents leads, and asks nobody else for anything', async () => {
    const { page, complaints } = await open('light', 1280);
    const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as Described;
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { operationId, summary }] of Object.entries(methods)) {
        await page.click(`nav a[href="#${operationId}"]`);
        const heading = page.locator(`#${operationId} h3`);
        expect(await heading.innerText()).toBe(summary);
        expect(await page.innerText(`#${operationId} > p`)).toBe(`${method.toUpperCase()}${path}`);
        const { y } = (await heading.boundingBox())!;
        expect([y >= 0, y < 900], operationId).toEqual([true, true]);
      }
    }
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('has room for its text on a narrow screen', async () => {
    const { page, complaints } = await open('light', 390);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.each([
    ['light', 'body'],
    ['dark', 'nav, #createWithdrawal, #schema-Operation'],
  ] as const)(
    'is accessible in %s colours',
    async (colorScheme, part) => {
      const { page } = await open(colorScheme, 1280);
      await page.evaluate(axe.source);
      const run = `axe.run(${JSON.stringify(part)}, { resultTypes: ['violations'] })`;
      const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(run);
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      await page.close();
    },
    60_000,
  );
});
