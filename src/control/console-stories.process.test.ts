import { createServer, connect, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { describeInBrowser, orWhyNot } from '../testing/browser.js';
import { live, lostTransfer, tabTo, useConsole } from '../testing/console-page.js';
import { startReceiver } from '../testing/process.js';

describeInBrowser(`the console (everyday use)${orWhyNot}`, () => {
  const stage = useConsole((on) => on.control('DELETE', 'findings'));

  const freeze = () => stage.control('PUT', 'clock', { mode: 'FROZEN' });
  const loseTransfer = () => stage.control('POST', 'faults', lostTransfer);

  it('stops loading older requests of a world when the user opens a different world', async () => {
    for (let call = 0; call < 150; call += 1) await stage.client.api('GET', '/api/accounts');
    await stage.control('POST', 'worlds', { name: 'other' });
    const page = await stage.browser.newPage();
    stage.closeLater(page);
    await page.route(/cursor=./, () => undefined);
    const asked = page.waitForRequest(/timeline.*cursor=./);
    await page.goto(`${stage.server.url}/_sandbox/console/default/timeline`);
    const request = await asked;
    const left = page.waitForEvent('requestfailed', { predicate: (each) => each === request, timeout: 5000 });
    await page.selectOption('.world select', 'other');
    expect((await left).failure()?.errorText).toBe('net::ERR_ABORTED');
    await stage.control('DELETE', 'worlds/other');
  });

  it('keeps showing the ledger if new entries cannot be loaded', async () => {
    const page = await stage.open('default/ledger');
    await page.waitForSelector('[role=row]:has-text("sum")');
    await page.route(/\/ledger\?/, (route) => route.abort());
    await stage.client.transfer();
    await stage.control('POST', 'clock/advance', { by: 'PT1M' });
    await page.waitForSelector('text=The sandbox does not respond.');
    expect(await page.locator('[role=row]:has-text("sum")').count()).toBeGreaterThan(0);
  });

  it('can be used with the keyboard alone', async () => {
    await stage.client.subscribe(`${stage.server.url}/_sandbox/inbox/orders`);
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
    await page.waitForSelector('.row:has-text("withdrawal 61.00 BRL")');
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
    await press('Escape', 'g', 's');
    await tabTo(page, '[aria-label="Add a fault"] .button');
    await press('Enter');
    await page.waitForSelector('.clock .status.warn:has-text("1 fault")');
    await stage.client.transfer();
    await stage.client.transfer();
    await page.waitForSelector('.clock .status.bad:has-text("2 findings")');
    await press('g', 'm');
    await page.waitForSelector('.row');
    await press('j', 'Enter');
    await page.waitForSelector('.differs:has-text("key")');
    expect(await page.innerText('.inspector')).toContain('The same key never pays twice');
    await press('Escape');
    await page.waitForSelector('.inspector', { state: 'detached' });
    expect(await page.evaluate("document.activeElement?.matches('.row')"), 'the focus is back in the list').toBe(true);
  }, 90_000);

  /** Questions of a developer, with the setup, the clicks from the first screen, and the selector of the answer. */
  const stories: Readonly<Record<string, { before: () => Promise<void>; clicks: readonly string[]; answer: string }>> = {
    'my webhook handler fails': {
      before: async () => {
        const receiver = await startReceiver(0, () => 500);
        await stage.client.subscribe(receiver.url);
        await stage.client.withdraw();
        await stage.control('POST', 'deliveries/flush', {});
        await receiver.close();
      },
      clicks: ['.clock .status:has-text("failing webhook")', '.row:has-text("OPERATION_REQUESTED")'],
      answer: '.inspector .entries:has-text("The endpoint responded with 500")',
    },
    'this operation hangs, with a frozen clock': {
      before: async () => {
        await freeze();
        await stage.client.withdraw();
      },
      clicks: ['.nav a:has-text("Operations")', '.row:has-text("REQUESTED")'],
      answer: '.caused:has-text("the clock of the world is frozen")',
    },
    'this operation hangs, with nothing planned': {
      before: async () => {
        await stage.control('PUT', 'scenario', { name: 'manual' });
        await stage.client.withdraw();
      },
      clicks: ['.nav a:has-text("Operations")', '.row:has-text("REQUESTED")'],
      answer: '.caused:has-text("until you force its next status")',
    },
    'which of my calls paid twice?': {
      before: async () => {
        await loseTransfer();
        await stage.client.transfer();
        await stage.client.transfer();
      },
      clicks: ['.clock .status:has-text("finding")', '.row:has-text("new idempotency key")'],
      answer: '.differs:has-text("key")',
    },
  };

  it.each(Object.keys(stories))(
    'shows the answer within three clicks: %s',
    async (name) => {
      const { before, clicks, answer } = stories[name]!;
      expect(clicks.length).toBeLessThanOrEqual(3);
      await before();
      const page = await stage.open('default/timeline');
      for (const selector of clicks) await page.click(selector);
      await page.waitForSelector(answer);
      expect(await page.locator(answer).count()).toBe(1);
    },
    60_000,
  );

  it('shows each request once after a lost connection, and also the items that only the stream contains', async () => {
    const line = await Line.to(Number(new URL(stage.server.url).port));
    const page = await stage.open('default/timeline', { url: line.url, height: 2000 });
    const calls = async (from: number, to: number) => {
      for (let number = from; number < to; number += 1) await stage.client.api('GET', `/api/operations/${nobody}${number}`);
    };
    await calls(10, 20);
    await page.waitForSelector('.row:has-text("0019 (RESOURCE")');
    line.cut();
    await page.waitForSelector('.live:has-text("lost, trying")');
    await calls(20, 30);
    await freeze();
    line.repair();
    await page.waitForSelector(live);
    await calls(30, 40);
    await page.waitForSelector('.row:has-text("0039 (RESOURCE")');
    await page.click('.row:has-text("/_sandbox/clock") button[aria-expanded=false]');
    await page.waitForSelector('.row:has-text("the clock is frozen at")', { timeout: 5000 });
    const rows = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.row')].map((row) => /0000(\\d\\d) .RESOURCE/.exec(row.innerText)?.[1]).filter(Boolean)`,
    );
    expect(rows.toReversed()).toEqual(Array.from({ length: 30 }, (_, index) => String(index + 10)));
    await line.close();
  }, 60_000);

  it('works in the eighth tab, because hidden tabs close their streams', async () => {
    const context = await stage.browser.newContext();
    await context.addInitScript("Object.defineProperty(Document.prototype, 'hidden', { get: () => window.isAway === true })");
    for (let tab = 1; tab <= 8; tab += 1) {
      const page = await context.newPage();
      await page.goto(`${stage.server.url}/_sandbox/console/default/timeline`);
      await page.waitForSelector(live);
      if (tab < 8) await page.evaluate("window.isAway = true; document.dispatchEvent(new Event('visibilitychange'))");
    }
    const [first] = context.pages();
    await stage.client.api('GET', `/api/operations/${nobody}99`);
    await first!.evaluate("window.isAway = false; document.dispatchEvent(new Event('visibilitychange'))");
    await first!.waitForSelector('.row:has-text("0099 (RESOURCE")');
    expect(await first!.locator('.row:has-text("0099 (RESOURCE")').count()).toBe(1);
    await context.close();
  }, 60_000);
});

/** Prefix of ids that do not exist. */
const nobody = '00000000-0000-4000-8000-0000000000';

/** A proxy to a port whose connections can be cut and restored. */
class Line {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #isCut = false;

  private constructor(target: number) {
    this.#server = createServer((near) => {
      if (this.#isCut) return near.destroy();
      const far = connect(target, '127.0.0.1');
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => {}).on('close', () => (near.destroy(), far.destroy(), this.#sockets.delete(socket)));
      }
      near.pipe(far).pipe(near);
      return undefined;
    });
  }

  static async to(target: number): Promise<Line> {
    const line = new Line(target);
    await new Promise<void>((listening) => line.#server.listen(0, '127.0.0.1', listening));
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  repair(): void {
    this.#isCut = false;
  }

  close(): Promise<void> {
    this.cut();
    return new Promise((closed) => this.#server.close(() => closed()));
  }
}
