import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { RunningServer } from '../server/server.js';
import { accessibilityFaults, describeInBrowser, launchBrowser, orWhyNot } from '../testing/browser.js';
import { clientOf, live, openPage, startQuietly } from '../testing/console-page.js';
import { call } from '../testing/process.js';

describeInBrowser(`tasks in the console${orWhyNot}`, () => {
  let server: RunningServer;
  let browser: Browser;
  let client: Awaited<ReturnType<typeof clientOf>>;
  const pages: Page[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([startQuietly(), launchBrowser()]);
  }, 60_000);
  beforeEach(async () => {
    await control('POST', 'reset');
    await control('PUT', 'clock', { mode: 'FROZEN' });
    client = await clientOf(server);
  });
  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function control<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, body: response } = await call(server.url, method, `/_sandbox/${path}`, { body });
    expect([method, path, status < 400]).toEqual([method, path, true]);
    return response as T;
  }

  async function open(path: string): Promise<Page> {
    const { page } = await openPage(browser, { url: `${server.url}/_sandbox/console/default/${path}` });
    pages.push(page);
    await page.waitForSelector(live);
    return page;
  }

  it('searches everything stored by words, amounts and the beginning of an id, narrows by facets, and saves searches', async () => {
    const { id } = await client.withdraw('1234.50');
    for (let count = 0; count < 3; count += 1) await client.withdraw('2.00');
    const { meta } = await control<{ meta: { total: number } }>('GET', 'timeline?generation=all&limit=1');
    const page = await open('timeline');
    await page.waitForSelector('.row:has-text("withdrawal 1,234.50 BRL")');
    await page.waitForFunction(`document.querySelector('nav a[aria-current] .count').innerText === '${meta.total.toLocaleString('en')}'`);
    // Words and amounts.
    await page.fill('#search', '1,234.50');
    await page.waitForSelector('.row:has-text("2.00 BRL")', { state: 'detached' });
    expect(await page.locator('.row').count()).toBe(1);
    // The beginning of an id opens what it names.
    await page.fill('#search', id.slice(0, 6));
    await page.press('#search', 'Enter');
    await page.waitForSelector('.inspector h2:has-text("withdrawal")');
    expect(new URL(page.url()).searchParams.get('show')).toBe(`operations/${id}`);
    await page.keyboard.press('Escape');
    // Facets have counts, of all pages.
    await page.fill('#search', 'withdrawal');
    const states = page.locator('[aria-label=Kind] option[value=STATE]');
    await expect.poll(() => states.textContent()).toMatch(/STATE \(4\)/);
    await page.selectOption('[aria-label=Kind]', 'STATE');
    await page.waitForSelector('.search-bar [role=status]:has-text("4 events")');
    expect(await accessibilityFaults(page, '.search-bar')).toEqual([]);
    // A search is saved in the browser.
    await page.click('button:text-is("Save this search")');
    await page.click('.search-bar button:text-is("Clear")');
    await page.waitForSelector('.search-bar', { state: 'detached' });
    await page.reload();
    await page.click('button:text-is("Find")');
    await page.selectOption('[aria-label="Saved searches"]', { label: 'withdrawal, kind: STATE' });
    await page.waitForSelector('.search-bar [role=status]:has-text("4 events")');
    expect(await page.inputValue('#search')).toBe('withdrawal');
    await page.click('button:text-is("Forget this search")');
    await page.waitForSelector('[aria-label="Saved searches"]', { state: 'detached' });
    // The malformed part of a filter is named.
    await page.fill('#search', 'kind[eq]=STATE;stat[is]=4');
    await page.waitForSelector('.search-bar [role=alert] u');
    expect(await page.innerText('.search-bar [role=alert] u')).toBe('stat');
    expect(await page.innerText('.search-bar [role=alert]')).toContain('This list cannot be filtered by stat');
  }, 60_000);

  it('finds ids, worlds, scenarios and faults in the palette, with the arrow keys', async () => {
    const { id } = await client.withdraw();
    await control('POST', 'worlds', { name: 'ci-7' });
    await control('POST', 'faults', { on: 'REQUEST', times: 1, effect: { status: 503 } });
    const page = await open('timeline');
    const chosen = () => page.innerText('.commands [aria-selected=true]');
    const find = async (text: string) => {
      await page.keyboard.press('Control+k');
      await page.fill('[role=combobox]', text);
    };
    await find('advance by 1');
    await page.waitForSelector('.commands li:nth-child(4)');
    expect(await chosen()).toBe('Advance by 1 second');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect(await chosen()).toBe('Advance by 1 minute');
    expect(await page.getAttribute('[role=combobox]', 'aria-activedescendant')).toBe(
      await page.getAttribute('.commands [aria-selected=true]', 'id'),
    );
    await page.keyboard.press('Enter');
    await page.waitForSelector('.notice:has-text("Advanced 1 minute")');
    await find(id.slice(0, 4));
    await page.waitForSelector(`.commands li:has-text("Show ${id}: operation")`);
    await page.click(`.commands li:has-text("Show ${id}: operation")`);
    await page.waitForSelector('.inspector h2:has-text("withdrawal")');
    await find('disarm');
    await page.waitForSelector('.commands li:has-text("Disarm the fault on REQUEST")');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.notice:has-text("Disarmed the fault")');
    expect((await control<{ data: unknown[] }>('GET', 'faults')).data).toEqual([]);
    await find('scenario manual');
    await page.waitForSelector('.commands li:has-text("Use the scenario manual")');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.notice:has-text("The scenario manual is in force")');
    await find('world ci-7');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/ci-7/**');
    await control('DELETE', 'worlds/ci-7');
  }, 60_000);
});
