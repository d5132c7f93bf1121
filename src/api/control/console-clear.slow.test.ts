import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { accessibilityProblems, describeInBrowser, skipReason } from '../../testing/browser.js';
import { lostTransfer, useConsole } from '../../testing/console-page.js';
import { isLong } from '../../testing/long-run.js';

describeInBrowser(`the console says what it shows${skipReason}`, () => {
  const stage = useConsole();
  const inbox = () => stage.client.subscribe(`${stage.server.url}/_sandbox/inbox/orders`);

  /** Whether an element is completely visible: inside its row, and not cut. */
  const isWhole = (page: Page, selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element: unknown) => {
        const { scrollWidth, clientWidth, getBoundingClientRect: _rect } = element as Record<string, number>;
        return clientWidth! > 0 && scrollWidth! <= clientWidth!;
      });

  it('suggests the reason codes of the API, and names unexecuted steps, endpoints, faults and messages in words', async () => {
    await stage.control('POST', 'faults', { on: 'REQUEST', times: 1, when: { operationId: 'listAccounts' }, effect: { status: 500 } });
    await stage.client.api('GET', '/api/accounts');
    await inbox();
    const { id } = await stage.client.withdraw('640.00');
    const page = await stage.open(`default/operations/${id}`);
    await page.click('summary:has-text("Reason (for")');
    await page.waitForSelector('#reason-codes option[value=BENEFICIARY_ACCOUNT_CLOSED]', { state: 'attached' });
    await page.fill('input[list=reason-codes]', 'ACCOUNT_CLOSED');
    await page.waitForSelector('.reason:has-text("ACCOUNT_CLOSED is not in the catalogue of the API")');
    await page.fill('input[list=reason-codes]', 'BENEFICIARY_ACCOUNT_CLOSED');
    await page.waitForSelector('.reason:has-text("is not in the catalogue")', { state: 'detached' });
    await page.click('.inspector button:text-is("Fail")');
    await page.waitForSelector(`.notice:has-text("The operation ${id.slice(0, 8)} is now FAILED.")`);
    await page.waitForSelector('.section:has-text("Why") :text("The account of the beneficiary is closed.")');
    await page.waitForSelector('.section:has(h3:text-is("Plan")) li:has-text("COMPLETED not executed")');
    await page.waitForSelector('.section:has(h3:text-is("Webhooks")) li:has-text("/_sandbox/inbox/orders")');
    expect(await page.locator('li:has-text("COMPLETED past")').count()).toBe(0);
    if (isLong) expect(await accessibilityProblems(page, '.inspector')).toEqual([]);
    await stage.control('POST', 'deliveries/flush', {});
    await stage.control('POST', 'faults', { on: 'DELIVERY', times: 1, effect: { drop: true } });
    await page.click('nav a:has-text("Faults")');
    await page.waitForSelector('main li:has-text("listAccounts fails with 500"):has-text("used up, applied 1 of 1 time")');
    await page.waitForSelector('main li:has-text("any webhook is dropped"):has-text("waits, applied 0 of 1 time")');
    await stage.control('POST', 'faults', { on: 'REQUEST', ttl: 'PT1M', when: { operationId: 'createQuote' }, effect: { status: 503 } });
    await page.waitForSelector('main li:has-text("createQuote fails with 503"):has-text("applied 0 times"):not(:has-text("expired"))');
    await stage.control('POST', 'clock/advance', { by: 'PT1M' });
    await page.waitForSelector('main li:has-text("createQuote fails with 503"):has-text("expired, applied 0 times")');
    await page.waitForSelector('.clock :text-matches("1 fault$")');
    if (isLong) expect(await accessibilityProblems(page, 'main')).toEqual([]);
    await page.click('nav a:has-text("Inbox")');
    await page.click(`.row:has-text("${id.slice(0, 8)}"):has-text("640.00 BRL") .what >> nth=0`);
    await page.click('.message .close');
    await page.waitForSelector('.message', { state: 'detached' });
    if (isLong) expect(await accessibilityProblems(page, 'main')).toEqual([]);
  }, 60_000);

  it('keeps a text that is being typed, and the list if the text is no filter, and offers a search for it', async () => {
    await stage.client.withdraw('640.00');
    const page = await stage.open('default/operations');
    await page.waitForSelector('.row:has-text("640.00 BRL")');
    await page.fill('input.filter', '640');
    await stage.client.withdraw('641.00');
    await page.waitForSelector('.row:has-text("641.00 BRL")');
    expect(await page.inputValue('input.filter'), 'while a new row is shown').toBe('640');
    await page.press('input.filter', 'Enter');
    await page.waitForSelector('[role=alert]:has-text("This field takes filters, for example currentState.status[eq]=ON_HOLD.")');
    expect(await page.locator('.row:has-text("640.00 BRL")').count()).toBe(1);
    await page.click('button:has-text("Search the timeline for")');
    await page.waitForURL('**/timeline?q=640');
    await page.waitForSelector('.row:has-text("640.00 BRL")');
  }, 60_000);

  it('shows the amount, the id and the endpoint of each row on a phone', async () => {
    await inbox();
    const { id } = await stage.client.withdraw('640.00');
    const page = await stage.open('default/operations', { width: 390, height: 844 });
    await page.waitForSelector(`.row .second:has-text("${id.slice(0, 8)}"):has-text("640.00 BRL")`);
    expect(await isWhole(page, '.row .second')).toBe(true);
    await page.selectOption('[aria-label=Screen]', 'webhooks');
    await page.waitForSelector('.row .second:has-text("/_sandbox/inbox/orders")');
    await page.selectOption('[aria-label=Screen]', 'timeline');
    await page.waitForSelector('.row .money:text-is("640.00 BRL")');
    expect(await isWhole(page, '.row .words')).toBe(true);
    await page.selectOption('[aria-label=Screen]', 'ledger');
    await page.waitForSelector('.row .second:has-text("=")');
    for (const cell of ['.row > :nth-child(3)', '.row > .second']) expect(await isWhole(page, cell)).toBe(true);
    for (const screen of ['operations', 'webhooks', 'inbox', 'report']) {
      await page.selectOption('[aria-label=Screen]', screen);
      await page.waitForSelector('.bar');
      expect(await page.evaluate(`[...document.querySelectorAll('.bar')].every((bar) => bar.scrollWidth <= bar.clientWidth)`)).toBe(true);
    }
  }, 60_000);

  it('shows a lost response and a finding of an operation in a window of 1024 pixels', async () => {
    await stage.control('POST', 'faults', lostTransfer);
    await stage.client.transfer();
    const page = await stage.open('default/timeline', { width: 1024, height: 768 });
    await page.waitForSelector('.row .problem:has-text("response lost")');
    expect(await isWhole(page, '.row .problem')).toBe(true);
    expect(await page.innerText('.row:has(.problem) .words')).toMatch(/^transfer 25.00 BRL [0-9a-f]{8}/);
  }, 60_000);

  it('says that a screen does not exist, and closes the inspector with its screen', async () => {
    const { id } = await stage.client.withdraw();
    const page = await stage.open('default/nosuch');
    await page.waitForSelector('h2:text-is("There is no screen nosuch")');
    await page.goto(`${stage.server.url}/_sandbox/console/default/100%`);
    await page.waitForSelector('h2:text-is("There is no screen 100%")');
    await page.goto(`${stage.server.url}/_sandbox/console/default/operations/${id}`);
    await page.waitForSelector('.inspector h2');
    await page.click('nav a:has-text("Accounts")');
    await page.waitForSelector('.inspector', { state: 'detached' });
    expect(new URL(page.url()).searchParams.get('show')).toBeNull();
  }, 60_000);
});
