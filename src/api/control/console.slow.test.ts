import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityProblems, closePages, describeInBrowser, sharedBrowser, skipReason } from '../../testing/browser.js';
import { clientOf, controlUrlOf, liveSelector, openPage, startQuietly, tabTo, type OpenOptions } from '../../testing/console-page.js';
import { fill, goTo, hostile, screens, walk } from '../../testing/console-walk.js';
import { inLength } from '../../testing/long-run.js';
import type { SandboxProcess } from '../../testing/process.js';

const controlToken = 'control-token';

describeInBrowser(`the console in a browser${skipReason}`, () => {
  let server: SandboxProcess;
  let browser: Browser;
  /** Paths of the panes of the inspector. */
  let panes: Readonly<Record<string, string>>;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startQuietly('--scenario', 'manual'), sharedBrowser()]);
    panes = await fill(server);
  }, 60_000);
  afterAll(async () => {
    if (browser) await closePages(browser);
    await server?.end('SIGTERM');
  });

  async function open(path: string, { origin = server.url, ...options }: Partial<OpenOptions> & { origin?: string } = {}) {
    const opened = await openPage(browser, { ...options, url: `${origin}/_sandbox/console/default/${path}` });
    await opened.page.waitForSelector(liveSelector);
    return opened;
  }

  it('shows every screen, pane and dialog accessibly in light colours, and with sufficient contrast in dark ones', async () => {
    // The short form looks at a screen of each kind in dark colours.
    const dark = new Set(['timeline', 'report', 'scenarios', 'try', 'the help']);
    const isInDark = inLength(
      (name: string) => dark.has(name),
      () => true,
    );
    const { page } = await open('timeline');
    expect(await accessibilityProblems(page)).toEqual([]);
    await walk(page, panes, async (part, name) => {
      expect(await accessibilityProblems(page, part), name).toEqual([]);
      if (!isInDark(name)) return;
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await accessibilityProblems(page, part, ['color-contrast']), `${name}, dark`).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
    });
    await page.close();
  }, 180_000);

  it('fits every screen and pane on a narrow page, and shows external content as text', async () => {
    const { page, complaints } = await open('timeline', { width: 320 });
    let shown = 0;
    const look = async (what: string) => {
      expect(await page.evaluate('document.documentElement.scrollWidth'), what).toBe(320);
      shown += await page.getByText(hostile).count();
    };
    for (const screen of screens) {
      await goTo(page, screen);
      if (screen === 'inbox') await page.click('.row');
      await look(screen);
    }
    for (const pane of Object.keys(panes)) {
      await page.goto(`${server.url}/_sandbox/console/default/${pane}`);
      await page.waitForSelector('.inspector h2');
      await look(pane);
    }
    expect(shown).toBeGreaterThan(5);
    expect(await page.evaluate('window.injected')).toBe(undefined);
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  it('opens the resource of any id, and shows unattributed requests', async () => {
    const { page } = await open('timeline');
    for (const [pane, heading] of Object.entries(panes)) {
      const id = pane.split('/').at(-1)!.split('?')[0]!;
      if (pane.startsWith('coverage') || pane.includes('show=')) continue;
      await page.goto(`${server.url}/_sandbox/console/default/why/${id}`);
      await page.waitForSelector(`.inspector h2:has-text("${heading}")`);
    }
    await page.goto(`${server.url}/_sandbox/console/default/timeline?kinds=unattributed`);
    await page.waitForSelector('.row:has-text("INVALID_ACCESS_TOKEN")');
    await page.goto(`${server.url}/_sandbox/console/default/timeline?q=${encodeURIComponent('request.outcome[eq]=LOST')}`);
    await page.waitForSelector('.row:has-text("→ ")');
    expect(await page.locator('.row').count()).toBe(1);
    await page.close();
  }, 60_000);

  it('advances the clock', async () => {
    const { page } = await open('worlds');
    await page.waitForSelector('.mode.frozen');
    const before = await page.innerText('.clock time');
    await page.click('text=+1 d');
    // The clock already moves before the end of the advance, and cannot run until then.
    await page.waitForSelector('.notice:has-text("Advanced 1 day")');
    await page.waitForSelector(`.clock time:not(:has-text("${before}"))`);
    await page.click('.clock >> text=Run');
    await page.waitForSelector('.mode:not(.frozen)');
    await page.click('.clock >> text=Freeze');
    await page.waitForSelector('.mode.frozen');
    expect(await page.innerText('.mode')).toBe('FROZEN');
    await page.close();
  }, 60_000);

  it('continues with the control token if an earlier request without the token is rejected later', async () => {
    const guarded = await startQuietly('--control-token', controlToken);
    const page = await browser.newPage();
    let refuse: () => void = () => undefined;
    const isGiven = new Promise<void>((resolve) => (refuse = resolve));
    await page.route('**/_sandbox/stream', async (route) => {
      const isWithout = (await route.request().headerValue('authorization')) === null;
      if (isWithout) await isGiven;
      await route.continue();
    });
    const asked = page.waitForRequest('**/_sandbox/stream');
    await page.goto(`${guarded.url}/_sandbox/console/default/operations`);
    await asked;
    await page.fill('input[type=password]', controlToken);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.row');
    const refused = page.waitForResponse((response) => response.status() === 401);
    refuse();
    await refused;
    await page.waitForSelector(liveSelector);
    expect(await page.locator('input[type=password]').count()).toBe(0);
    await page.close();
    await guarded.end('SIGTERM');
  }, 60_000);

  it('works with a control token and a separate port, where API requests are copied instead of sent', async () => {
    const guarded = await startQuietly('--control-token', controlToken, '--control-port', '0');
    const { page, complaints } = await openPage(browser, { url: `${controlUrlOf(guarded)}/_sandbox/console/default/operations` });
    await page.fill('input[type=password]', controlToken);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.row');
    await (await clientOf(guarded, controlToken)).withdraw();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.click('.row:has-text("withdrawal") button[aria-expanded=false]');
    await page.click('.row.below:has-text("POST /api/operations/withdrawal")');
    const resend = page.locator('.inspector .button:has-text("Send again, same key")');
    await expect.poll(() => resend.getAttribute('title')).toContain('Copy the request as curl');
    expect(await page.locator('.inspector a:has-text("createWithdrawal")').getAttribute('href')).toContain(
      `:${new URL(guarded.url).port}/docs#`,
    );
    await goTo(page, 'try');
    await page.waitForSelector('text=The API has another origin than this page');
    expect(await page.locator('main button[type=submit]').isDisabled()).toBe(true);
    for (const screen of screens) await goTo(page, screen);
    expect(complaints.filter((each) => !each.includes('401'))).toEqual([]);
    const linked = await (await browser.newContext()).newPage();
    const base = `${controlUrlOf(guarded)}/_sandbox/console/default/operations`;
    await linked.goto(`${base}#token=${controlToken}`);
    await linked.waitForSelector('.row');
    expect(linked.url()).toBe(base);
    expect(await linked.context().cookies()).toEqual([]);
    await page.close();
    await linked.close();
    await guarded.end('SIGTERM');
  }, 60_000);

  it('ignores single-key shortcuts if they are turned off', async () => {
    const { page } = await open('timeline');
    await page.keyboard.press('?');
    await tabTo(page, 'dialog input[type=checkbox]');
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    for (const key of ['g', 'w', 'f']) await page.keyboard.press(key);
    await page.keyboard.press('Control+k');
    await page.waitForSelector('dialog[open] .commands');
    expect(page.url()).toContain('/timeline');
    expect(await page.innerText('.mode')).toBe('FROZEN');
    await page.close();
  }, 60_000);
});
