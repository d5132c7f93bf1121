import { expect, it } from 'vitest';
import { describeInBrowser, orWhyNot } from '../testing/browser.js';
import { useConsole } from '../testing/console-page.js';

describeInBrowser(`the console (several worlds)${orWhyNot}`, () => {
  const stage = useConsole(async (on) => {
    await on.control('DELETE', 'findings');
    await on.control('PUT', 'clock', { mode: 'FROZEN' });
  });

  it('shows no data of the previous world after another world is opened, also while the new world is loading', async () => {
    await stage.control('POST', 'worlds', { name: 'payroll-ci' });
    await stage.control('POST', 'snapshots', { name: 'only-in-default' });
    const { id } = await stage.client.withdraw();
    await stage.control('POST', 'faults', { on: 'REQUEST', times: 1, effect: { status: 503 } });
    const page = await stage.open(`default/worlds?show=operations/${id}`);
    await page.waitForSelector('.cards b:text-is("only-in-default")');
    await page.waitForSelector('.sheet button:text-is("now")');
    await page.waitForSelector('.inspector h2');
    const isOfPayroll = (headers: Record<string, string>) => headers['x-sandbox-world'] === 'payroll-ci';
    const waiting: (() => Promise<void>)[] = [];
    await page.route(/_sandbox\//, (route) => {
      if (!isOfPayroll(route.request().headers())) return route.continue();
      waiting.push(() => route.continue());
      return undefined;
    });
    await page.click('[aria-label="Open payroll-ci"]');
    await page.waitForSelector('h2:text-is("Snapshots of payroll-ci")');
    expect(await page.locator('.cards b:text-is("only-in-default")').count()).toBe(0);
    expect(await page.locator('.sheet button:text-is("now")').count()).toBe(0);
    expect(await page.locator('.inspector').count()).toBe(0);
    await page.unroute(/_sandbox\//);
    await Promise.all(waiting.map((go) => go().catch(() => undefined)));
    await page.waitForSelector('.sheet :text("No timer is pending.")');
    await page.waitForSelector('.clock time');
    expect(await page.locator('.cards b:text-is("only-in-default")').count()).toBe(0);
    await stage.control('DELETE', 'worlds/payroll-ci');
    await stage.control('DELETE', 'snapshots/only-in-default');
  }, 60_000);
});
