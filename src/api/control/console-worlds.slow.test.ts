import { expect, it } from 'vitest';
import { describeInBrowser, skipReason } from '../../testing/browser.js';
import { deleteWorld, useConsole } from '../../testing/console-page.js';
import { startReceiver } from '../../testing/process.js';

describeInBrowser(`the console (several worlds)${skipReason}`, () => {
  const stage = useConsole();

  it('shows no data of the previous world after another world is opened, also while the new world is loading', async () => {
    await stage.control('POST', 'worlds', { name: 'payroll-ci' });
    await stage.control('POST', 'snapshots', { name: 'only-in-default' });
    const { id } = await stage.client.withdraw();
    await stage.control('POST', 'faults', { on: 'REQUEST', times: 1, effect: { status: 503 } });
    const page = await stage.open(`default/worlds?show=operations/${id}`);
    await page.waitForSelector('.cards b:text-is("only-in-default")');
    await page.waitForSelector('.sheet button:text-is("Run now")');
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
    expect(await page.locator('.sheet button:text-is("Run now")').count()).toBe(0);
    expect(await page.locator('.inspector').count()).toBe(0);
    await page.unroute(/_sandbox\//);
    await Promise.all(waiting.map((go) => go().catch(() => undefined)));
    await page.waitForSelector('.sheet :text("No timer is pending.")');
    await page.waitForSelector('.clock time');
    expect(await page.locator('.cards b:text-is("only-in-default")').count()).toBe(0);
    await stage.control('DELETE', 'worlds/payroll-ci');
    await stage.control('DELETE', 'snapshots/only-in-default');
  }, 60_000);

  /** Sends an amount as a JSON number, which is a finding. */
  const makeFinding = async () => {
    const { accountId } = stage.client;
    await stage.client.api('POST', '/api/quotes', { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: 7.5 });
  };

  it('lists earlier findings after a reset and after its undo, which the report leaves out, and the requests of restored operations', async () => {
    const { id } = await stage.client.withdraw();
    await makeFinding();
    const page = await stage.open('default/worlds');
    const badge = 'nav li:has-text("Findings") .count:text-is("● 1")';
    await page.waitForSelector(badge);
    await page.click('[aria-label="Reset default"]');
    expect(await page.innerText('dialog[open]')).toContain('Recorded requests and findings stay.');
    await page.fill('dialog[open] input', 'default');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.notice:has-text("Reset the world default.")');
    const seen = async () => {
      await page.click('nav a:has-text("Findings")');
      await page.waitForSelector(badge);
      await page.waitForSelector('.row:has-text("before the last reset, restore or import")');
      const listed = await page.locator('.row:has-text("money.json-number")').count();
      await page.click('nav a:has-text("Report")');
      await page.waitForSelector('.sheet h2:has-text("Findings")');
      return [listed, await page.locator('.sheet .cards li:has-text("money.json-number")').count()];
    };
    expect(await seen()).toEqual([1, 0]);
    await page.click('.notice button:text-is("Undo")');
    await page.waitForSelector('.notice:has-text("Undone.")');
    expect(await seen()).toEqual([1, 0]);
    await page.goto(`${stage.server.url}/_sandbox/console/default/operations/${id}`);
    await page.waitForSelector('.inspector a:has-text("POST /api/operations/withdrawal")');
    await page.waitForSelector('.inspector button:text-is("Save the replay file")');
  }, 60_000);

  it('shows the credentials of each world on request, and uses those of the open world in "Try it"', async () => {
    await stage.control('POST', 'worlds', { name: 'payroll-ci' });
    interface Worlds {
      readonly data: readonly { name: string; credentials: { clientId: string; clientSecret: string } }[];
    }
    const { data } = await stage.control<Worlds>('GET', 'worlds?limit=100');
    const { clientId, clientSecret } = data.find(({ name }) => name === 'payroll-ci')!.credentials;
    const page = await stage.open('default/worlds');
    await page.waitForSelector(`.cards li:has-text("payroll-ci") code:text-is("${clientId}")`);
    expect(await page.innerText('.cards')).not.toContain(clientSecret);
    const buttons = () =>
      page.locator('.cards .button, .cards .quiet').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
    const before = await buttons();
    await page.click('[aria-label="Show the secret of payroll-ci"]');
    expect(await buttons()).toEqual(before);
    await page.waitForSelector(`.cards code:text-is("${clientSecret}")`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.click('[aria-label="Copy the secret of payroll-ci"]');
    await page.waitForSelector('button:text-is("Copied")');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(clientSecret);
    await page.goto(`${stage.server.url}/_sandbox/console/payroll-ci/try`);
    await expect.poll(() => page.inputValue('textarea')).toBe(JSON.stringify({ clientId, clientSecret }, null, 2));
    await page.click('button:text-is("Send")');
    await page.waitForSelector('.status.ok:has-text("20")');
    await stage.control('DELETE', 'worlds/payroll-ci');
  }, 60_000);

  it('explains beside the verdict why errors do not fail the report, and shows no plain success', async () => {
    let webhooks = 0;
    const receiver = await startReceiver(0, () => ((webhooks += 1) === 2 ? 500 : 200));
    await stage.client.subscribe(receiver.url);
    await stage.client.withdraw();
    await stage.control('POST', 'deliveries/flush', {});
    const [delivery] = (await stage.control<{ data: { id: string }[] }>('GET', 'deliveries?limit=1')).data;
    await stage.control('POST', `deliveries/${delivery!.id}/resend`, {});
    await stage.control('POST', 'deliveries/flush', {});
    await stage.control('POST', 'clock/advance', { untilIdle: true });
    await stage.control('POST', 'deliveries/flush', {});
    const page = await stage.open('default/report');
    await page.waitForSelector('.cards li:has-text("webhook.duplicate-failed")');
    await page.waitForSelector('.sheet h2 .status.warn:has-text("passed, with 1 error")');
    const reasons = await page.innerText('.sheet section:first-child ul');
    expect(reasons).toContain('1 error does not fail the report: it is likely but not certain, and moved no money.');
    await receiver.close();
  }, 60_000);

  it('shows messages where they cover nothing, removes them after some seconds, and keeps an undo during later actions', async () => {
    await stage.control('POST', 'worlds', { name: 'payroll-ci' });
    const page = await stage.open('default/worlds');
    await page.clock.install();
    await deleteWorld(page, 'payroll-ci');
    await page.click('.clock-steps button:text-is("+1 s")');
    await page.waitForSelector('.notice:has-text("Advanced 1 second")');
    const content = (await page.locator('.columns').boundingBox())!;
    const notices = await page.locator('.notice p').all();
    expect(notices).toHaveLength(2);
    for (const each of notices) expect((await each.boundingBox())!.y).toBeGreaterThanOrEqual(content.y + content.height);
    await page.hover('.notice p:has-text("Advanced 1 second")');
    await page.clock.runFor(20_000);
    expect(await page.locator('.notice p').count()).toBe(2);
    await page.hover('.cards');
    await page.clock.runFor(20_000);
    await page.waitForSelector('.notice:has-text("Advanced 1 second")', { state: 'detached' });
    await page.click('.notice button:text-is("Undo")');
    await page.waitForSelector('.cards b:text-is("payroll-ci")');
    await stage.control('DELETE', 'worlds/payroll-ci');
  }, 60_000);
});
