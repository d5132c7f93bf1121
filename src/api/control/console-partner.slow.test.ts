import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePages, describeInBrowser, sharedBrowser } from '../../testing/browser.js';
import { useCluster } from '../../testing/cluster.js';
import { liveSelector, openPage } from '../../testing/console-page.js';
import { inLength } from '../../testing/long-run.js';
import { clientAt, controlToken, makeWorld } from '../../testing/nodes.js';
import { describeWithPostgres } from '../../testing/postgres.js';

describeInBrowser('the console of a partner', () => {
  describeWithPostgres('with the credentials of a hosted world', () => {
    const cluster = useCluster();
    let browser: Browser;
    beforeAll(async () => {
      browser = await sharedBrowser();
    }, 60_000);
    afterAll(() => closePages(browser));

    it.each(inLength(['/rival/timeline'], ['', '/rival/timeline']))(
      'shows only that world on any node, at the path "%s"',
      { timeout: 60_000 },
      async (path) => {
        const [one, two] = [await cluster.node(), await cluster.node()];
        const acme = await makeWorld(one.url, 'acme');
        await makeWorld(one.url, 'rival');
        const { api, quote } = await clientAt(one.url, acme);
        await api('POST', '/api/quotes', quote);
        const { page } = await openPage(browser, { url: `${two.url}/_sandbox/console${path}` });
        await page.waitForSelector('text=clientId:clientSecret');
        expect(await page.textContent('body')).not.toContain('default');
        await page.fill('input[type=password]', `${acme.credentials.clientId}:wrong`);
        await page.keyboard.press('Enter');
        await page.waitForSelector('[role=alert]:has-text("Check the secret of the world.")');
        await page.fill('input[type=password]', `${acme.credentials.clientId}:${acme.credentials.clientSecret}`);
        await page.keyboard.press('Enter');
        await page.waitForURL('**/console/acme/**');
        await page.waitForSelector(liveSelector);
        await page.waitForSelector('.row:has-text("/api/quotes")');
        expect(await page.locator('.world select, button:text-is("Unknown client")').count()).toBe(0);
        await page.click('nav a:has-text("Worlds")');
        await page.waitForSelector('h2:text-is("Your world")');
        await page.waitForSelector('.cards b:text-is("acme")');
        expect(await page.locator('button:text-is("Create a world"), button:text-is("Delete…")').count()).toBe(0);
        expect(await page.textContent('body')).not.toContain('rival');
        await page.close();
      },
    );

    it('opens the first world for an operator who names none, and finds the others', { timeout: 60_000 }, async () => {
      const { url } = await cluster.node();
      for (let number = 0; number < 60; number += 1) await makeWorld(url, `partner-${String(number).padStart(2, '0')}`);
      const { page } = await openPage(browser, { url: `${url}/_sandbox/console` });
      await page.fill('input[type=password]', controlToken);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/console/partner-00/**');
      await page.waitForSelector(liveSelector);
      await page.selectOption('.world select', { label: 'Find another world…' });
      await page.fill('[aria-label="Find a world"]', 'ner-59');
      await page.click('[aria-label="Open partner-59"]');
      await page.waitForURL('**/console/partner-59/**');
      await page.waitForSelector(liveSelector);
      expect(await page.inputValue('.world select')).toBe('partner-59');
      expect(await page.textContent('.top')).not.toContain('default');
      await page.close();
    });
  });
});
