import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { ReportSchema } from '../contract/control/analysis/report.js';
import type { RunningServer } from '../server/server.js';
import { accessibilityFaults, describeInBrowser, launchBrowser, orWhyNot } from '../testing/browser.js';
import { clientOf, live, openPage, startQuietly } from '../testing/console-page.js';
import { call, tokenFor } from '../testing/process.js';
import { fixtureIds } from '../testing/withdrawals.js';

const run = promisify(execFile);

describeInBrowser(`the console (tasks)${orWhyNot}`, () => {
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

  it('searches all recorded events by word, amount, id prefix and facet, and saves searches', async () => {
    const { id } = await client.withdraw('1234.50');
    for (let count = 0; count < 3; count += 1) await client.withdraw('2.00');
    const { meta } = await control<{ meta: { total: number } }>('GET', 'timeline?generation=all&limit=1');
    const page = await open('timeline');
    await page.waitForSelector('.row:has-text("withdrawal 1,234.50 BRL")');
    await page.waitForFunction(`document.querySelector('nav a[aria-current] .count').innerText === '${meta.total.toLocaleString('en')}'`);
    // Searches for an amount.
    await page.fill('#search', '1,234.50');
    await page.waitForSelector('.row:has-text("2.00 BRL")', { state: 'detached' });
    expect(await page.locator('.row').count()).toBe(1);
    // The beginning of an id opens the resource with this id.
    await page.fill('#search', id.slice(0, 6));
    await page.press('#search', 'Enter');
    await page.waitForSelector('.inspector h2:has-text("withdrawal")');
    expect(new URL(page.url()).searchParams.get('show')).toBe(`operations/${id}`);
    await page.keyboard.press('Escape');
    // The facets show the number of events on all pages.
    await page.fill('#search', 'withdrawal');
    const states = page.locator('[aria-label=Kind] option[value=STATE]');
    await expect.poll(() => states.textContent()).toMatch(/STATE \(4\)/);
    await page.selectOption('[aria-label=Kind]', 'STATE');
    await page.waitForSelector('.search-bar [role=status]:has-text("4 events")');
    expect(await accessibilityFaults(page, '.search-bar')).toEqual([]);
    // The browser stores a saved search.
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
    // The error marks the malformed part of a filter.
    await page.fill('#search', 'kind[eq]=STATE;stat[is]=4');
    await page.waitForSelector('.search-bar [role=alert] u');
    expect(await page.innerText('.search-bar [role=alert] u')).toBe('stat');
    expect(await page.innerText('.search-bar [role=alert]')).toContain('This list cannot be filtered by stat');
  }, 60_000);

  it('finds ids, worlds, scenarios and faults in the command palette, with the arrow keys', async () => {
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

  /** Clicks a button that saves a file. @returns name and text of the file */
  async function saved(page: Page, selector: string): Promise<readonly [string, string]> {
    const [file] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
    return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8')];
  }

  it('shows and filters the report, and saves it in four formats; the HTML file opens from the disk', async () => {
    await client.withdraw();
    const { accountId } = fixtureIds(server);
    await client.api('POST', '/api/quotes', { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: 7.5 });
    const page = await open('report');
    await page.waitForSelector('.sheet h2 .status.bad:has-text("failed")');
    await page.waitForSelector('.cards li:has-text("money.json-number")');
    await page.selectOption('[aria-label=Profile]', 'payouts');
    await page.waitForSelector('h2:has-text("Requirements of payouts")');
    await page.fill('.filter', 'json-number');
    await page.waitForSelector('h2:text-matches("^Findings 1 of 1")');
    await page.fill('.filter', 'nothing has these words');
    await page.waitForSelector('h2:text-matches("^Findings 0 of 1")');
    expect(await accessibilityFaults(page, 'main')).toEqual([]);
    const [jsonName, json] = await saved(page, '[aria-label="Save as JSON"]');
    expect([jsonName, ReportSchema.parse(JSON.parse(json)).profile?.profile]).toEqual(['report.json', 'payouts']);
    expect((await saved(page, '[aria-label="Save as Markdown"]'))[1]).toMatch(/^# FAILED/);
    expect((await saved(page, '[aria-label="Save as JUnit"]'))[1]).toContain('<testsuites');
    const [, html] = await saved(page, '[aria-label="Save as HTML"]');
    const path = join(mkdtempSync(join(tmpdir(), 'console-report-')), 'report.html');
    writeFileSync(path, html);
    const fromDisk = await browser.newPage();
    pages.push(fromDisk);
    await fromDisk.goto(pathToFileURL(path).href);
    expect(await fromDisk.innerText('h1')).toContain('FAILED');
    rmSync(dirname(path), { recursive: true });
  }, 60_000);

  it('exports the state of a world, rejects a file that is not a state, and can undo an import', async () => {
    await client.withdraw('1.00');
    const page = await open('worlds');
    const [name, state] = await saved(page, 'button:text-is("Export the state")');
    expect(name).toBe('default.json');
    await client.withdraw('2.00');
    const choose = (file: string, text: string) =>
      page.setInputFiles('input[type=file]', { name: file, mimeType: 'application/json', buffer: Buffer.from(text) });
    const count = async () => (await control<{ data: unknown[] }>('GET', 'operations?limit=100')).data.length;
    const before = await count();
    await choose('notes.json', 'Dear diary');
    await page.waitForSelector('.notice[role=alert]:has-text("notes.json is not JSON")');
    await choose('default.json', state);
    await page.fill('dialog[open] input', 'default');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.notice:has-text("Imported default.json into default.")');
    expect(await count()).toBe(before - 1);
    await page.click('.notice button:text-is("Undo")');
    await page.waitForSelector('.notice:has-text("Undone.")');
    expect(await count()).toBe(before);
  }, 60_000);

  it('adds a fault for one operation, which the token request of "Try it" does not use up', async () => {
    const page = await open('scenarios');
    await page.selectOption('[aria-label=Operation]', 'createWithdrawal');
    await page.selectOption('[aria-label="What goes wrong"]', { label: 'fails with 503' });
    await page.click('button:text-is("Arm the fault")');
    await page.waitForSelector('.notice:has-text("Armed: createWithdrawal fails with 503, once.")');
    await page.goto(`${server.url}/_sandbox/console/default/try?operation=listAccounts`);
    await page.click('main button[type=submit]');
    await page.waitForSelector('main .section .status.ok:has-text("200")');
    const { data } = await control<{ data: { hits: number; when: unknown }[] }>('GET', 'faults');
    expect(data).toMatchObject([{ hits: 0, when: { operationId: 'createWithdrawal' } }]);
    const { status } = await client.api('POST', '/api/operations/withdrawal', {});
    expect(status).toBe(503);
  }, 60_000);

  it('checks a scenario that is typed or read from a file, and selects it for the world', async () => {
    const page = await open('scenarios');
    await page.click('button:text-is("Begin with an example")');
    await page.waitForSelector('p:has-text("Without errors")');
    const text = await page.inputValue('#scenario-text');
    await page.fill('#scenario-text', text.replace('ON_HOLD', 'ON_HOLT'));
    await page.waitForSelector('li .bad-text:has-text("ON_HOLT")');
    await page.click('li:has(.bad-text) button');
    expect(await page.evaluate("document.activeElement.value.slice(document.activeElement.selectionStart).startsWith('\"ON_HOLT')")).toBe(
      true,
    );
    expect(await page.getAttribute('button:text-is("Use in this world")', 'aria-disabled')).toBe('true');
    await page.setInputFiles('section:has(#scenario-text) input[type=file]', {
      name: 'mine.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
    await page.click('button[aria-disabled=false]:text-is("Use in this world")');
    await page.waitForSelector('.notice:has-text("The scenario is in force in default only.")');
    expect(await control('GET', 'scenario')).toMatchObject({ name: 'mine' });
    expect(await accessibilityFaults(page, 'main')).toEqual([]);
  }, 60_000);

  it('copies a request as TypeScript and Python programs that send identical bytes', async () => {
    const page = await open('timeline');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await client.api('POST', '/api/quotes', { note: `"quoted", it's \u{1F600}` });
    const sent = async () =>
      (
        await control<{ data: { id: string; status: number; idempotencyKey: string; body: { text: string } }[] }>(
          'GET',
          `requests?limit=100&filters=${encodeURIComponent('operationId[eq]=createQuote')}`,
        )
      ).data;
    const [first] = await sent();
    await page.goto(`${server.url}/_sandbox/console/default/calls/${first!.id}`);
    const env = { ...process.env, TOKEN: await tokenFor(server.url) };
    for (const [language, program, args] of [
      ['TypeScript', process.execPath, ['--input-type=module', '-e']],
      ['Python', 'python3', ['-c']],
    ] as const) {
      await page.click(`.inspector button:text-is("${language}")`);
      await page.waitForSelector('.inspector button:text-is("Copied")');
      const text = await page.evaluate<string>('navigator.clipboard.readText()');
      const { stdout } = await run(program, [...args, text], { env });
      expect(stdout).toMatch(/^400 .*INVALID_DATA/);
      await page.waitForSelector(`.inspector button:text-is("${language}")`);
    }
    const all = await sent();
    expect(all.map(({ status, idempotencyKey, body }) => [status, idempotencyKey, body.text])).toEqual(
      Array.from({ length: 3 }, () => [400, first!.idempotencyKey, first!.body.text]),
    );
  }, 60_000);

  it('loads the script of a screen when the screen is opened, and lets the browser cache the script', async () => {
    const page = await open('timeline');
    const asked = page.waitForResponse(/assets\/console-worlds-.*\.js$/);
    await page.click('nav a:has-text("Worlds")');
    expect((await asked).headers()['cache-control']).toContain('immutable');
    await page.waitForSelector('h2:has-text("Worlds")');
    await page.route(/assets\/console-ledger-.*\.js$/, (route) => route.abort());
    await page.click('nav a:has-text("Ledger")');
    await page.waitForSelector('.notice[role=alert]:has-text("Reload the page.")');
  }, 60_000);
});
