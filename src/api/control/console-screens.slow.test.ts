import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { ReportSchema } from '../../contract/control/analysis/report.js';
import { accessibilityProblems, describeInBrowser, skipReason } from '../../testing/browser.js';
import { saveFile, useConsole } from '../../testing/console-page.js';
import { isLong } from '../../testing/long-run.js';
import { call, startReceiver } from '../../testing/process.js';

interface Listed {
  readonly data: readonly { readonly id: string }[];
}

/** At least one story for each screen. Another test examines the accessibility of each screen with other content. */
describeInBrowser(`the screens of the console${skipReason}`, () => {
  const stage = useConsole();

  // The first test, because it counts all that was ever recorded.
  it('searches all recorded events by word, amount, id prefix and facet, and saves searches', async () => {
    const { id } = await stage.client.withdraw('1234.50');
    for (let count = 0; count < 3; count += 1) await stage.client.withdraw('2.00');
    const { meta } = await stage.control<{ meta: { total: number } }>('GET', 'timeline?generation=all&limit=1');
    const page = await stage.open('default/timeline');
    await page.waitForSelector('.row:has-text("withdrawal 1,234.50 BRL")');
    await page.waitForSelector(`nav a[aria-current] .count:text-is("${meta.total.toLocaleString('en')}")`);
    // Searches for an amount.
    await page.fill('#search', '1,234.50');
    await page.waitForSelector('.row:has-text("2.00 BRL")', { state: 'detached' });
    // The row of the withdrawal, and its quote, which has the amount only in its bodies.
    await page.waitForSelector('.row:has-text("POST /api/quotes")');
    expect(await page.locator('.row').count()).toBe(2);
    await page.fill('#search', 'createQuote');
    await page.waitForSelector('.search-bar [role=status]:has-text("4 events")');
    // The beginning of an id opens the resource with this id.
    await page.fill('#search', id.slice(0, 6));
    await page.press('#search', 'Enter');
    await page.waitForSelector('.inspector h2:has-text("withdrawal")');
    expect(new URL(page.url()).searchParams.get('show')).toBe(`operations/${id}`);
    await page.keyboard.press('Escape');
    // The facets show the number of items on all pages.
    await page.fill('#search', 'withdrawal');
    const states = page.locator('[aria-label=Kind] option[value=STATE]');
    await expect.poll(() => states.textContent()).toMatch(/STATE \(4\)/);
    await page.selectOption('[aria-label=Kind]', 'STATE');
    await page.waitForSelector('.search-bar [role=status]:has-text("4 events")');
    expect(await accessibilityProblems(page, '.search-bar')).toEqual([]);
    // The browser stores a saved search.
    await page.click('button:text-is("Save this search")');
    await page.click('.search-bar button:text-is("Clear")');
    await page.waitForSelector('.search-bar', { state: 'detached' });
    await page.reload();
    await page.click('button:text-is("Find")');
    await page.selectOption('[aria-label="Saved searches"]', { label: 'withdrawal, kind: STATE' });
    await page.waitForSelector('.search-bar [role=status]:has-text("4 events")');
    expect(await page.inputValue('#search')).toBe('withdrawal');
    await page.click('button:text-is("Delete this search")');
    await page.waitForSelector('[aria-label="Saved searches"]', { state: 'detached' });
    // The error marks the malformed part of a filter.
    await page.fill('#search', 'kind[eq]=STATE;stat[is]=4');
    await page.waitForSelector('.search-bar [role=alert] u');
    expect(await page.innerText('.search-bar [role=alert] u')).toBe('stat');
    expect(await page.innerText('.search-bar [role=alert]')).toContain('This list cannot be filtered by stat');
  }, 60_000);

  it('names impossible actions with the reason, offers no review of an approved owner, and can fold JSON bodies', async () => {
    await stage.client.withdraw();
    await stage.control('POST', 'clock/advance', { by: 'PT1M' });
    const [operation] = (await stage.control<Listed>('GET', 'operations?limit=1')).data;
    const page = await stage.open(`default/operations/${operation!.id}`);
    await page.waitForSelector('.inspector .impossible:has-text("Not possible while completed: ")');
    expect(await page.locator('.inspector [aria-disabled=true]').count()).toBe(0);
    const plan = await page.locator('.inspector h3:text-is("Plan")').boundingBox();
    expect(plan!.y).toBeLessThan((await page.locator('.inspector .impossible').boundingBox())!.y);
    expect(await page.innerText('.inspector p.dim')).toMatch(/^150\.00 BRL ·/);
    expect(await page.locator('.inspector .body .json-name').count()).toBeGreaterThan(5);
    const fold = page.locator('.inspector .body button[aria-expanded=false]').last();
    const text = page.locator('.inspector .body pre').last();
    const folded = (await text.innerText()).length;
    await fold.click();
    expect((await text.innerText()).length).toBeGreaterThan(folded);
    const width = async () => (await page.locator('.inspector').boundingBox())!.width;
    const before = await width();
    await page.focus('.edge');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(width).toBe(before + 40);
    const accounts = (
      await stage.control<Listed>('GET', `accounts?sortOrder=ASCENDING&filters=${encodeURIComponent('currentState.status[eq]=ACTIVE')}`)
    ).data;
    await page.goto(`${stage.server.url}/_sandbox/console/default/accounts/${accounts[0]!.id}`);
    await page.waitForSelector('.inspector a:has-text("owner")');
    await page.waitForSelector('.inspector li:has(a:has-text("owner")) .status.ok');
    expect(await page.locator('.inspector button:text-is("Approve")').count()).toBe(0);
    await page.goto(`${stage.server.url}/_sandbox/console/default/coverage`);
    await page.waitForSelector('.dimension');
    expect(await page.innerText('main')).not.toContain('0 of 0');
  }, 60_000);

  it('names the endpoint of each delivery, filters and resends by endpoint, and shows when the next attempt is due', async () => {
    const receiver = await startReceiver(0, () => 500);
    await stage.client.subscribe(receiver.url);
    await stage.client.subscribe(`${stage.server.url}/_sandbox/inbox/orders`);
    await stage.client.withdraw();
    await stage.control('POST', 'deliveries/flush', {});
    const page = await stage.open('default/webhooks');
    const row = (url: string) => `.row:has-text("${url}")`;
    await page.waitForSelector(`${row(receiver.url)} .status.bad:text-matches("failed, next [0-9]{2}:[0-9]{2}:[0-9]{2}")`);
    await page.waitForSelector(`${row('/_sandbox/inbox/orders')} .status.ok`);
    await page.selectOption('[aria-label=Endpoint]', { label: receiver.url });
    await page.waitForSelector(row('/_sandbox/inbox/orders'), { state: 'detached' });
    expect(new URL(page.url()).searchParams.get('filters')).toContain('subscriptionId[eq]=');
    await page.click('button:text-is("Resend 1 failed…")');
    await page.waitForSelector('dialog[open] h2:text-is("Resend 1 failed webhook")');
    expect(receiver.received.length).toBe(1);
    await page.click('dialog[open] button:text-is("Resend 1")');
    await page.waitForSelector('.notice:has-text("Resent 1 failed webhook.")');
    await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(2);
    await page.click(row(receiver.url));
    await page.waitForSelector(`.inspector dd:has-text("${receiver.url}")`);
    await page.waitForSelector('.inspector h2 .status.bad:has-text("failed, next")');
    await page.selectOption('[aria-label=Endpoint]', { label: `${stage.server.url}/_sandbox/inbox/orders` });
    await page.waitForSelector('button[aria-disabled=true]:text-is("Resend 0 failed…")');
    await receiver.close();
  }, 60_000);

  it('shows and changes the next responses of an inbox', async () => {
    const answers = (body: unknown) => call(stage.server.url, 'PUT', '/_sandbox/inbox/answers/responses', { body });
    await answers([
      { status: 500, times: 2 },
      { status: 410, delayMs: 5 },
    ]);
    const page = await stage.open('default/inbox/answers');
    await page.waitForSelector('text="responds with 500 × 2, then 410 after 5 ms, then 200"');
    await page.click('text="Always 200"');
    await page.waitForSelector('text="responds with 200"');
    await page.fill('label:has-text("status") input', '429');
    await page.fill('label:has-text("times") input', '1');
    await page.click('button:has-text("Answer the next")');
    await page.waitForSelector('text="responds with 429, then 200"');
    const { body } = await call(stage.server.url, 'GET', '/_sandbox/inbox/answers/responses');
    expect(body).toEqual([{ status: 429, times: 1, delayMs: 0 }]);
    await answers([]);
    await page.waitForSelector('text="responds with 200"');
  }, 60_000);

  it('shows and filters the report, and saves it in four formats; the HTML file opens from the disk', async () => {
    await stage.client.withdraw();
    await stage.client.api('POST', '/api/quotes', {
      accountId: stage.client.accountId,
      sourceAsset: 'BRL',
      targetAsset: 'BRL',
      sourceAmount: 7.5,
    });
    const page = await stage.open('default/report');
    await page.waitForSelector('.sheet h2 .status.bad:has-text("failed")');
    await page.waitForSelector('.cards li:has-text("money.json-number")');
    await page.selectOption('[aria-label=Profile]', 'payouts');
    await page.waitForSelector('h2:has-text("Requirements of payouts")');
    await page.fill('.filter', 'json-number');
    await page.waitForSelector('h2:text-matches("^Findings 1 of 1")');
    await page.fill('.filter', 'nothing has these words');
    await page.waitForSelector('h2:text-matches("^Findings 0 of 1")');
    if (isLong) expect(await accessibilityProblems(page, 'main')).toEqual([]);
    const [jsonName, json] = await saveFile(page, '[aria-label="Save as JSON"]');
    expect([jsonName, ReportSchema.parse(JSON.parse(json)).profile?.profile]).toEqual(['report.json', 'payouts']);
    expect((await saveFile(page, '[aria-label="Save as Markdown"]'))[1]).toMatch(/^# FAILED/);
    expect((await saveFile(page, '[aria-label="Save as JUnit"]'))[1]).toContain('<testsuites');
    const [, html] = await saveFile(page, '[aria-label="Save as HTML"]');
    const path = join(mkdtempSync(join(tmpdir(), 'console-report-')), 'report.html');
    writeFileSync(path, html);
    const fromDisk = await stage.browser.newPage();
    stage.closeLater(fromDisk);
    await fromDisk.goto(pathToFileURL(path).href);
    expect(await fromDisk.innerText('h1')).toContain('FAILED');
    rmSync(dirname(path), { recursive: true });
  }, 60_000);

  it('checks a scenario that is typed or read from a file, and selects it for the world', async () => {
    const page = await stage.open('default/scenarios');
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
    await page.waitForSelector('.notice:has-text("The scenario is active in default only.")');
    expect(await stage.control('GET', 'scenario')).toMatchObject({ name: 'mine' });
    if (isLong) expect(await accessibilityProblems(page, 'main')).toEqual([]);
  }, 60_000);

  it('narrows a list by status, kind and asset with one choice each, and to failures with one click', async () => {
    const { id } = await stage.client.withdraw('61.00');
    await stage.control('POST', `operations/${id}/fail`, {});
    await stage.client.transfer();
    const page = await stage.open('default/operations');
    const filters = () => new URL(page.url()).searchParams.get('filters');
    await page.selectOption('[aria-label=Kind]', 'WITHDRAWAL');
    await page.selectOption('[aria-label=Asset]', 'BRL');
    await page.selectOption('[aria-label=Status]', 'FAILED');
    expect(filters()).toBe('intent.type[eq]=WITHDRAWAL;sourceAmount.asset[eq]=BRL;currentState.status[eq]=FAILED');
    await page.waitForSelector('.row:first-child:has-text("61.00 BRL")');
    await page.click('button[aria-pressed=true]:text-is("Only failures")');
    await page.selectOption('[aria-label=Kind]', '');
    expect(filters()).toBe('sourceAmount.asset[eq]=BRL');
    await page.waitForSelector('.row:has-text("25.00 BRL")');
    expect(await accessibilityProblems(page, '.bar')).toEqual([]);
  }, 60_000);

  it('keeps showing the ledger if new entries cannot be loaded', async () => {
    const page = await stage.open('default/ledger');
    await page.waitForSelector('[role=row]:has-text("sum")');
    await page.route(/\/ledger\?/, (route) => route.abort());
    await stage.client.transfer();
    await stage.control('POST', 'clock/advance', { by: 'PT1M' });
    await page.waitForSelector('text=The sandbox does not respond.');
    expect(await page.locator('[role=row]:has-text("sum")').count()).toBeGreaterThan(0);
  });
});
