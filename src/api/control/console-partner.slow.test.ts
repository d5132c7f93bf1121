import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, launchBrowser } from '../../testing/browser.js';
import { useCluster } from '../../testing/cluster.js';
import { live, openPage } from '../../testing/console-page.js';
import { clientAt, makeWorld } from '../../testing/nodes.js';
import { describeWithPostgres } from '../../testing/postgres.js';

describeInBrowser('the console of a partner', () => {
  describeWithPostgres('with the credentials of a hosted world', () => {
    const cluster = useCluster();
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchBrowser();
    }, 60_000);
    afterAll(() => browser.close());

    it.each(['', '/rival/timeline'])('shows only that world on any node, at the path "%s"', { timeout: 60_000 }, async (path) => {
      const [one, two] = [await cluster.node(), await cluster.node()];
      const acme = await makeWorld(one.url, 'acme');
      await makeWorld(one.url, 'rival');
      const { api, quote } = await clientAt(one.url, acme);
      await api('POST', '/api/quotes', quote);
      const { page } = await openPage(browser, { url: `${two.url}/_sandbox/console${path}` });
      await page.fill('input[type=password]', `${acme.credentials.clientId}:${acme.credentials.clientSecret}`);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/console/acme/**');
      await page.waitForSelector(live);
      await page.waitForSelector('.row:has-text("/api/quotes")');
      expect(await page.textContent('body')).not.toContain('rival');
      await page.close();
    });
  });
});
