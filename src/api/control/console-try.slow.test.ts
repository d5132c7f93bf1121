import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, skipReason } from '../../testing/browser.js';
import { useConsole } from '../../testing/console-page.js';
import { inLength } from '../../testing/long-run.js';

describeInBrowser(`"Try it" in the console${skipReason}`, () => {
  const stage = useConsole({ clock: 'RUNNING' });

  /** Opens an operation and presses Send. @returns the response as the page shows it */
  async function sent(page: Page, operation: string): Promise<string> {
    await page.selectOption('label:has-text("Operation") select', operation);
    await page.waitForSelector('main .section', { state: 'detached' });
    await page.click('main button[type=submit]:enabled');
    return page.innerText('main .section');
  }

  it.each(inLength(['backwards'], ['in the order of the list', 'backwards']))(
    'gets a 2xx response to each operation of a new world with one click, %s',
    async (order) => {
      const page = await stage.open('default/try');
      await page.waitForSelector('main button[type=submit]:enabled');
      const ids = await page.locator('label:has-text("Operation") option').evaluateAll((all) => all.map((each) => each.value as string));
      expect(ids.length).toBeGreaterThanOrEqual(24);
      const responses: [string, string][] = [];
      for (const id of order === 'backwards' ? ids.toReversed() : ids) responses.push([id, await sent(page, id)]);
      expect(responses.filter(([, text]) => !/✓ 2\d\d/.test(text))).toEqual([]);
    },
    60_000,
  );

  it('offers the ids of the world with names, and replaces the ids that depend on a chosen one', async () => {
    const page = await stage.open('default/try?operation=createWithdrawal');
    const account = page.locator('[aria-label=accountId]');
    const texts = () => account.locator('option').allInnerTexts();
    await expect.poll(texts).toContainEqual(expect.stringMatching(/^Aurora Comércio Exterior Ltda: 1,250,000\.00 BRL, .* · [0-9a-f]{8}$/));
    const other = await account.locator('option:has-text("Folha Certa")').getAttribute('value');
    await account.selectOption(other);
    expect(JSON.parse(await page.inputValue('textarea'))).toMatchObject({ accountId: other, quoteId: '{quoteId}' });
    await page
      .locator('[aria-label="beneficiary.id"]')
      .selectOption({ label: await page.locator('option:has-text("pending review")').innerText() });
    await page.click('main button[type=submit]');
    await page.waitForSelector('main .section:has-text("422")');
    await page.goto(`${stage.server.url}/_sandbox/console/default/try?operation=getUbo`);
    await account.selectOption({ label: await page.locator('option:has-text("Maré Alta")').innerText() });
    await expect
      .poll(() => page.locator('[aria-label=uboId] option').allInnerTexts())
      .toEqual([expect.stringContaining('Marina Lobo, pending'), expect.stringContaining('Tomás Reis, pending')]);
    await page.click('main button[type=submit]');
    await page.waitForSelector('main .section .status.ok:has-text("200")');
  }, 60_000);

  it('keeps the text that is typed while a request is in progress, and uses a new key for it', async () => {
    const page = await stage.open('default/try?operation=createQuote');
    await page.waitForSelector('main button[type=submit]:enabled');
    const key = () => page.inputValue('label:has-text("X-Idempotency-Key") input');
    const sentKey = await key();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/quotes', async (route) => {
      await released;
      await route.continue();
    });
    await page.click('main button[type=submit]');
    await page.fill('textarea', '{"typed": true}');
    release();
    await page.waitForSelector('main .section .status.ok:has-text("201")');
    await expect.poll(key).not.toBe(sentKey);
    expect(await page.inputValue('textarea')).toBe('{"typed": true}');
  }, 60_000);
});
