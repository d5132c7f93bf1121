import { expect, it } from 'vitest';
import { accessibilityProblems, describeInBrowser, skipReason } from '../../testing/browser.js';
import { openPage, useConsole } from '../../testing/console-page.js';

describeInBrowser(`the documentation in a browser${skipReason}`, () => {
  const stage = useConsole();

  it('is accessible, and supports search, trial requests, and links from operations to error codes', async () => {
    const { page, complaints } = await openPage(stage.browser, { url: `${stage.server.url}/docs`, width: 1280 });
    stage.closeLater(page);
    await page.keyboard.press('/');
    await page.keyboard.type('lock a rate');
    await page.click('.found a:has-text("/api/quotes")');
    await page.click('#createQuote >> text=Try it');
    expect((await page.locator('.inspector').boundingBox())!.width).toBeGreaterThan(300);
    await page.click('.inspector button[type=submit]');
    await page.waitForSelector('.inspector .status.ok:has-text("201")');
    await page.keyboard.press('Escape');
    await page.click('#createQuote a[href="#error-INVALID_AMOUNT_PRECISION"]');
    await page.waitForSelector('#error-INVALID_AMOUNT_PRECISION[open]');
    expect(await page.innerText('#error-INVALID_AMOUNT_PRECISION')).toContain('What to do: Round the amount');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  }, 60_000);
});
