import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { durationMs } from '../../contract/shared/duration-text.js';
import { describeInBrowser, skipReason } from '../../testing/browser.js';
import { clientOf, liveSelector, openPage, startQuietly, useConsole } from '../../testing/console-page.js';
import { inLength } from '../../testing/long-run.js';

describeInBrowser(`the console (reliability)${skipReason}`, () => {
  const stage = useConsole();

  it('keeps the clock buttons in place, shows the result of each action, and shows an error until the next action', async () => {
    await stage.client.subscribe(`${stage.server.url}/_sandbox/inbox/orders`);
    const page = await stage.open('default/faults');
    const places = () => page.locator('.clock-steps .button').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
    await page.waitForSelector('.clock .waiting:has-text("no timers")');
    const before = await places();
    expect(before).toHaveLength(7);
    for (let count = 0; count < 12; count += 1) await stage.client.withdraw('1.00');
    await page.waitForSelector('.clock .waiting:has-text("12 pending")');
    expect(await places()).toEqual(before);
    await page.keyboard.press('+');
    await page.waitForSelector('.notice:has-text("Advanced 1 minute: 24 timers, ")');
    expect(await page.innerText('.notice[role=status]')).toMatch(/24 timers, [1-9][0-9]* webhooks\./);
    expect(await places()).toEqual(before);
    await page.click('.notice button:text-is("Show what happened")');
    await page.waitForSelector('[aria-label=Timeline] .row:has-text("withdrawal"):has-text("COMPLETED")');
    expect(await page.inputValue('#search')).toMatch(/^at\[gt\]=.*Z;at\[lte\]=.*Z$/);
    await page.goBack();
    await page.fill('textarea', '{"on": "REQUEST", "times": 0, "effect": {"status": 503}}');
    await page.click('button:text-is("Add")');
    await page.waitForSelector('.notice[role=alert]:has-text("INVALID_DATA")');
    await stage.control('POST', 'faults', { on: 'REQUEST', times: 1, effect: { status: 503 } });
    await page.waitForSelector('.clock .status.warn:has-text("1 fault")');
    await stage.control('PUT', 'scenario', { name: 'manual' });
    await page.waitForSelector('.in-force:has-text("manual")');
    expect(await page.innerText('.notice[role=alert]')).toContain('INVALID_DATA');
    await page.click('button:text-is("Remove")');
    await page.waitForSelector('.notice[role=status]:has-text("Removed the fault")');
    expect(await page.innerText('.notice[role=alert]')).toBe('');
    await page.click('.notice button:text-is("Undo")');
    await page.waitForSelector('.clock .status.warn:has-text("1 fault")');
  }, 60_000);

  it('restores a removed fault in its own world while the page shows another', async () => {
    await stage.control('POST', 'worlds', { name: 'other' });
    await stage.control('POST', 'faults', { on: 'REQUEST', times: 1, effect: { status: 503 }, when: { operationId: 'createSwap' } });
    const page = await stage.open('default/faults');
    await page.click('li:has-text("createSwap fails with 503") button');
    await page.waitForSelector('.notice:has-text("Removed the fault of the world default: createSwap fails with 503.")');
    await page.selectOption('.world select', 'other');
    await page.waitForURL('**/other/faults');
    await page.click('.notice button:text-is("Undo")');
    await page.waitForSelector('.notice:has-text("Undone.")');
    const { data } = await stage.control<{ data: { when?: unknown }[] }>('GET', 'faults');
    expect(data.map(({ when }) => when)).toContainEqual({ operationId: 'createSwap' });
  }, 60_000);

  it('restores only what is left of a removed fault, and nothing of a used-up one', async () => {
    const fault = { on: 'REQUEST', times: 2, ttl: 'PT1H', effect: { status: 503 }, when: { operationId: 'createDeposit' } };
    await stage.control('POST', 'faults', fault);
    const fails = async () => expect((await stage.client.api('POST', '/api/operations/deposit', {})).status).toBe(503);
    await fails();
    await stage.control('POST', 'clock/advance', { by: 'PT10M' });
    const page = await stage.open('default/faults');
    const removed = '.notice p:has-text("createDeposit fails with 503")';
    await page.click('li:has-text("createDeposit fails with 503"):has-text("applied 1 of 2 times") button');
    await page.click(`${removed} button:text-is("Undo")`);
    await page.waitForSelector('li:has-text("createDeposit fails with 503"):has-text("applied 0 of 1 time")');
    const [added] = (await stage.control<{ data: { ttl: string }[] }>('GET', 'faults')).data.slice(-1);
    expect(durationMs(added!.ttl)).toBeLessThanOrEqual(50 * 60_000);
    await fails();
    await page.click('li:has-text("createDeposit fails with 503"):has-text("used up") button');
    await page.waitForSelector(removed);
    expect(await page.locator(`${removed} button`).allInnerTexts()).not.toContain('Undo');
  }, 60_000);

  it('reports that a world does not exist, offers existing worlds, and detects a restart of the sandbox', async () => {
    await stage.control('POST', 'worlds', { name: 'short-lived' });
    const page = await stage.open('short-lived/timeline');
    await stage.control('DELETE', 'worlds/short-lived');
    await page.waitForSelector('h2:has-text("The world short-lived does not exist")', { timeout: 15_000 });
    expect(await page.innerText('.live')).not.toContain('live');
    await page.click('button:text-is("Open default")');
    await page.waitForSelector(liveSelector);
    await page.waitForSelector('.row, .empty h2:has-text("Nothing has called default")');
    const first = await startQuietly();
    const { port } = new URL(first.url);
    await (await clientOf(first)).withdraw('77.00');
    const watching = await stage.open('default/timeline', { url: first.url });
    await watching.waitForSelector('.row:has-text("withdrawal 77.00 BRL")');
    await first.end('SIGTERM');
    await watching.waitForSelector('.live:has-text("lost, trying")');
    const second = await startQuietly('--port', port);
    await (await clientOf(second)).withdraw('88.00');
    await watching.waitForSelector('.notice:has-text("The sandbox was restarted at")', { timeout: 20_000 });
    await watching.waitForSelector('.row:has-text("withdrawal 88.00 BRL")');
    expect(await watching.locator('.row:has-text("77.00")').count()).toBe(0);
    await watching.close();
    await second.end('SIGTERM');
  }, 60_000);

  it('shows identical trees in a page that was open from the start and in a new page, which sends few requests', async () => {
    const payments = inLength(6, 60);
    await stage.client.subscribe(`${stage.server.url}/_sandbox/inbox/orders`);
    const watching = await stage.open('default/timeline', { height: 4600 });
    for (let count = 0; count < payments; count += 1) await stage.client.withdraw(`${count + 1}.00`);
    await stage.control('POST', 'clock/advance', { untilIdle: true });
    await stage.control('POST', 'deliveries/flush', {});
    const { page: late } = await openPage(stage.browser, { url: 'about:blank', height: 4600 });
    stage.closeLater(late);
    const asked: string[] = [];
    late.on('request', (request) => asked.push(request.url().slice(stage.server.url.length)));
    await late.goto(`${stage.server.url}/_sandbox/console/default/timeline`);
    await late.waitForSelector('.row:has-text("withdrawal 1.00 BRL")');
    const rowsOf = async (page: Page) => {
      await page.mouse.move(0, 0);
      for (const amount of [1, payments / 2, payments]) {
        const fold = `.row:has-text("withdrawal ${amount}.00 BRL") button[aria-expanded=false]`;
        if ((await page.locator(fold).count()) > 0) await page.click(fold);
      }
      await page.mouse.move(0, 0);
      return page.locator('.row').evaluateAll((rows) => rows.map((row) => row.innerText));
    };
    const [seen, found] = [await rowsOf(watching), await rowsOf(late)];
    expect(found.length).toBeGreaterThan(payments);
    expect(found).toEqual(seen.slice(0, found.length));
    expect(found.join('\n')).toMatch(/OPERATION PROCESSING to COMPLETED/);
    const timeline = asked.filter((path) => path.startsWith('/_sandbox/timeline'));
    const isPart = (path: string) => path.includes('counts=false');
    expect(timeline.filter(isPart).length, 'parts of the timeline').toBeLessThanOrEqual(4);
    expect(timeline.filter((path) => !isPart(path)).length, 'counts of what is stored').toBeLessThanOrEqual(2);
    // The browser caches the scripts.
    expect(asked.filter((path) => !path.includes('/console/assets/')).length).toBeLessThan(25);
  }, 90_000);

  it('does not move rows under the pointer, and shows all events of an operation below one row, in world or real time', async () => {
    await stage.client.subscribe(`${stage.server.url}/_sandbox/inbox/orders`);
    const { id } = await stage.client.withdraw('1234.50');
    const page = await stage.open('default/timeline');
    const row = '.row:has-text("withdrawal 1,234.50 BRL")';
    await page.waitForSelector(row);
    expect(await page.innerText(row)).toMatch(/→ \S/);
    expect(await page.getAttribute(`${row} .id`, 'title')).toBe(id);
    await page.hover(row);
    const top = async () => (await page.locator(row).boundingBox())!.y;
    const before = await top();
    for (let count = 0; count < 5; count += 1) await stage.client.api('POST', '/api/quotes', {});
    await page.waitForSelector('.news:has-text("5 new")');
    await stage.control('POST', 'clock/advance', { by: 'PT1S' });
    await page.waitForSelector(`${row} .status:has-text("PROCESSING")`);
    expect(await top()).toBe(before);
    await page.click(`${row} button[aria-expanded=false]`);
    expect(await top()).toBe(before);
    await page.mouse.move(0, 0);
    await page.waitForSelector('.row:has-text("POST /api/quotes (INVALID_DATA)")');
    expect(await top()).toBeGreaterThan(before);
    await stage.control('POST', 'clock/advance', { by: 'PT1M' });
    await page.waitForSelector(`${row} .status:has-text("COMPLETED")`);
    const steps = await page.locator('.row.below .what').allInnerTexts();
    for (const part of ['POST /api/operations/withdrawal', 'step 2 of', 'webhook OPERATION_COMPLETED to']) {
      expect(
        steps.some((step) => step.includes(part)),
        part,
      ).toBe(true);
    }
    expect(await page.locator('.row.below .bar-fill').count()).toBe(steps.length);
    const offsets = () => page.locator('.row.below .offset').allInnerTexts();
    expect(
      Math.max(...(await offsets()).map((text) => (text.endsWith(' s') ? Number.parseInt(text.slice(1), 10) : 0))),
    ).toBeGreaterThanOrEqual(2);
    await page.click('button:text-is("Times: world")');
    await page.waitForSelector('button[aria-pressed=true]:text-is("Times: real")');
    expect((await offsets()).length).toBe(steps.length);
    await page.reload();
    await page.waitForSelector('button:text-is("Times: real")');
    // A list that is loaded under the pointer shows its first rows.
    await page.hover(row);
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.waitForSelector('[aria-label=Operations] .row:has-text("1,234.50 BRL")');
  }, 60_000);

  it('shows times with seconds, the date where it differs from the row above, and the exact number of failing webhooks', async () => {
    await stage.client.subscribe('http://127.0.0.1:9/hooks');
    for (let count = 0; count < 10; count += 1) await stage.client.withdraw('1.00');
    const page = await stage.open('default/operations');
    await page.waitForSelector('.clock .status:text-matches("^✕ 10 failing webhooks$")');
    await stage.control('POST', 'clock/advance', { by: 'P1D' });
    await (await clientOf(stage.server)).withdraw('2.00'); // The access token of the first client has expired.
    await page.waitForSelector('.row:first-child:has-text("2.00 BRL")');
    const shownTimes = () => page.locator('.row .time').allInnerTexts();
    await expect.poll(async () => (await shownTimes())[0]).toMatch(/^\d\d:\d\d:\d\d\.\d$/);
    const times = await shownTimes();
    expect(times[1]).toMatch(/^\d\d\s[A-Z][a-z][a-z](\s\d{4})?\s\d\d:\d\d:\d\d\.\d$/);
    for (const time of times.slice(2, 11)) expect(time).toMatch(/^\d\d:\d\d:\d\d\.\d$/);
    const dated = page.locator('.row .time').nth(1);
    expect(await dated.evaluate((cell) => [cell.scrollWidth - cell.clientWidth, cell.clientHeight <= 30])).toEqual([0, true]);
  }, 60_000);

  it('is accessible: edge contrast, size of click targets, forced colours, focus, theme, print and phones', async () => {
    await stage.client.withdraw();
    const phone = await stage.open('default/timeline', { width: 390, height: 844 });
    await phone.waitForSelector('.row');
    await phone.waitForSelector('.note-bar');
    const small = await phone.evaluate<string[]>(`[...document.querySelectorAll('button, select, input, a.status, summary')]
      .filter((each) => each.checkVisibility())
      .filter((each) => each.getBoundingClientRect().height < 23.9 || each.getBoundingClientRect().width < 23.9)
      .map((each) => each.outerHTML)`);
    expect(small).toEqual([]);
    expect((await phone.locator('.row').first().boundingBox())!.y).toBeLessThan(844 / 3);
    const page = await stage.open('default/timeline');
    for (const colours of ['light', 'dark']) {
      await page.selectOption('.top .theme', colours);
      const ratio = await page.evaluate<number>(`(() => {
        const shine = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map((each) => each / 255)
          .map((each) => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
          .reduce((sum, each, index) => sum + each * [0.2126, 0.7152, 0.0722][index], 0);
        const style = getComputedStyle(document.querySelector('#search'));
        const [low, high] = [shine(style.borderTopColor), shine(style.backgroundColor)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
      })()`);
      expect([colours, ratio >= 3]).toEqual([colours, true]);
    }
    await page.reload();
    await page.waitForSelector('.row');
    expect(await page.inputValue('.top .theme')).toBe('dark');
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(22, 22, 21)');
    await page.click('.row:has-text("withdrawal")');
    await page.waitForSelector('.inspector .entries a');
    await page.focus('.inspector .entries a');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.inspector h2:has-text("/api/operations/withdrawal")');
    expect(await page.evaluate('document.activeElement.className')).toBe('inspector');
    await page.emulateMedia({ forcedColors: 'active' });
    const background = (selector: string) => page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);
    expect(await background('.pill[aria-pressed=true]')).not.toBe(await background('.pill[aria-pressed=false]'));
    expect(await background('.row[aria-selected=true]')).not.toBe(await background('.row[aria-selected=false]'));
    await page.emulateMedia({ forcedColors: 'none', media: 'print' });
    expect(await page.locator('.nav').isVisible()).toBe(false);
    expect(await page.locator('.row').first().isVisible()).toBe(true);
  }, 60_000);
});
