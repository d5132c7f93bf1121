import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { accessibilityProblems, describeInBrowser, skipReason } from '../../testing/browser.js';
import { deleteWorld, liveSelector, openPage, tabTo, useConsole } from '../../testing/console-page.js';
import { fill, walk } from '../../testing/console-walk.js';

interface Listed {
  readonly data: readonly { readonly id: string }[];
}

/** The whole console in a few journeys. The stories of its screens are in the slow tier. */
describeInBrowser(`the console in a browser${skipReason}`, () => {
  const stage = useConsole();

  it('shows every screen, pane and dialog without browser errors, foreign requests or external content as HTML', async () => {
    await stage.control('PUT', 'scenario', { name: 'manual' });
    const panes = await fill(stage.server);
    const { page, complaints } = await openPage(stage.browser, { url: `${stage.server.url}/_sandbox/console/default/timeline` });
    stage.closeLater(page);
    await page.waitForSelector(liveSelector);
    await walk(page, panes, async () => undefined);
    expect(await page.evaluate('window.injected')).toBe(undefined);
    expect(complaints).toEqual([]);
  }, 180_000);

  it('can be used with the keyboard alone', async () => {
    await stage.client.subscribe(`${stage.server.url}/_sandbox/inbox/orders`);
    await stage.control('PUT', 'clock', { mode: 'RUNNING' });
    const page = await stage.open('default/timeline');
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    // Sends the first request from the page, and opens its row.
    await press('Control+k');
    await page.waitForSelector('dialog[open] .commands');
    await page.keyboard.type('try it');
    await page.waitForSelector('.commands li:only-child');
    await press('Enter');
    await tabTo(page, 'main button[type=submit]');
    await press('Enter');
    await page.waitForSelector('main .section .status.ok');
    await press('g', 't');
    await page.waitForSelector('.row:first-child:has-text("/api/oauth/client/token")');
    await press('j', 'Enter');
    await page.waitForSelector('.inspector h2:has-text("/api/oauth/client/token")');
    // Freezes the clock, requests a withdrawal, and expands the tree of its effects.
    await press('Escape', 'f');
    await page.waitForSelector('.mode.frozen');
    await stage.client.withdraw('61.00');
    await page.waitForSelector('.row:first-child:has-text("withdrawal 61.00 BRL")');
    await press('Home', 'ArrowRight', 'ArrowDown');
    await page.waitForSelector('.row.below:has-text("POST /api/operations/withdrawal")');
    await page.waitForSelector('.row.below:has-text("REQUESTED")');
    await press('ArrowUp', 'Enter');
    // Forces the withdrawal to fail, opens the webhook and resends it.
    await page.waitForSelector('.inspector .button.destructive');
    await tabTo(page, '.inspector .button.destructive');
    await press('Enter');
    await page.waitForSelector('.inspector h2 .status.bad:has-text("FAILED")');
    await page.waitForSelector('.caused a[href*="deliveries"]');
    await tabTo(page, '.caused a[href*="deliveries"]');
    await press('Enter');
    await page.waitForSelector('.inspector h2:has-text("OPERATION_FAILED") .status.ok');
    await press('r');
    await page.waitForSelector('.inspector .entries a:has-text("resend")');
    // Completes a second withdrawal by firing its timers one by one.
    const { id } = await stage.client.withdraw('62.00');
    await page.waitForSelector('.waiting:has-text("1 pending")');
    await press('.');
    await page.waitForSelector(`.row:has-text("${id.slice(0, 8)}") .status:has-text("PROCESSING")`);
    await press('.');
    await page.waitForSelector(`.row:has-text("${id.slice(0, 8)}") .status.ok:has-text("COMPLETED")`);
    // Adds a fault. The reaction of the client to the fault appears as a finding.
    await press('Escape', 'g', 'f');
    await tabTo(page, '[aria-label="Add a fault"] .button');
    await press('Enter');
    await page.waitForSelector('.clock .status.warn:has-text("1 fault")');
    await stage.client.transfer();
    await stage.client.transfer();
    await page.waitForSelector('.clock .status.bad:has-text("1 finding")');
    await press('g', 'm');
    await page.waitForSelector('.row');
    await press('j', 'Enter');
    await page.waitForSelector('.differs:has-text("key")');
    expect(await page.innerText('.inspector')).toContain('do not pay again');
    await press('Escape');
    await page.waitForSelector('.inspector', { state: 'detached' });
    expect(await page.evaluate("document.activeElement?.matches('.row')"), 'the focus is back in the list').toBe(true);
  }, 90_000);

  it('asks for the name of a world before its state is destroyed, and can undo the action with one click', async () => {
    await stage.client.withdraw();
    const operationCount = async () => (await stage.control<Listed>('GET', 'operations?limit=100')).data.length;
    const count = await operationCount();
    await stage.control('POST', 'worlds', { name: 'ci-7' });
    const page = await stage.open('default/worlds');
    await page.click('[aria-label="Reset default"]');
    await page.click('[aria-label="Reset default"]', { force: true, timeout: 500 }).catch(() => undefined);
    expect(await accessibilityProblems(page, 'dialog[open]')).toEqual([]);
    const confirm = page.locator('dialog[open] button:text-is("Reset the world")');
    await page.fill('dialog[open] input', 'defaul');
    expect(await confirm.isDisabled()).toBe(true);
    await page.fill('dialog[open] input', 'default');
    await confirm.click();
    await page.waitForSelector('.notice:has-text("Reset the world default.")');
    expect(await operationCount()).toBe(count - 1);
    await page.click('.notice button:text-is("Undo")');
    await page.waitForSelector('.notice:has-text("Undone.")');
    expect(await operationCount()).toBe(count);
    await deleteWorld(page, 'ci-7');
    await page.click('.notice button:text-is("Undo")');
    await page.waitForSelector('.notice:has-text("Undone.")');
    await page.waitForSelector('.cards b:text-is("ci-7")');
    // The dialog also names the URL of a subscription to remove, and has the focus on Cancel.
    await stage.client.subscribe('https://hooks.example.com/');
    await page.goto(`${stage.server.url}/_sandbox/console/default/webhooks`);
    await page.click('[aria-label="Remove the subscription of https://hooks.example.com/"]');
    await page.waitForSelector('dialog[open] h2:has-text("https://hooks.example.com/")');
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Cancel');
    await page.click('dialog[open] .danger');
    await page.waitForSelector('.notice:has-text("Removed the subscription")');
    await page.waitForSelector('text=There are no subscriptions');
    await page.click('.notice button:text-is("Undo")');
    await page.waitForSelector('.cards b:has-text("https://hooks.example.com/")');
    await stage.control('DELETE', 'worlds/ci-7');
  }, 60_000);

  it('rejects reads and writes of a page from a different port', async () => {
    const { id } = await stage.client.withdraw();
    const other = createServer((_request, response) => response.end('<!doctype html><title>other</title>')).listen(0, '127.0.0.1');
    await new Promise((listening) => void other.once('listening', listening));
    const page = await stage.browser.newPage();
    stage.closeLater(page);
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const tries = [
      ['/_sandbox/worlds', {}],
      ['/_sandbox/stream', {}],
      ['/_sandbox/console/assets/console.js', {}],
      ['/docs/assets/docs.js', {}],
      ['/_sandbox/reset', { method: 'POST', mode: 'no-cors' }],
    ] as const;
    for (const [path, init] of tries) {
      const result = await page.evaluate(
        `fetch(${JSON.stringify(stage.server.url + path)}, ${JSON.stringify(init)}).then((r) => r.type + r.status, () => 'refused')`,
      );
      expect([path, ['refused', 'opaque0'].includes(result as string)]).toEqual([path, true]);
    }
    for (const path of ['/_sandbox/console/assets/console.js', '/_sandbox/stream', '/docs/assets/docs.js']) {
      const headers = { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' };
      expect([path, (await fetch(stage.server.url + path, { headers })).status]).toEqual([path, 403]);
    }
    const { data } = await stage.control<Listed>('GET', 'operations?limit=100');
    expect(data.map((operation) => operation.id)).toContain(id);
    other.close();
  }, 60_000);
});
