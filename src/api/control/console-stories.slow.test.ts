import { createServer, connect, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { describeInBrowser, skipReason } from '../../testing/browser.js';
import { liveSelector, lostTransfer, useConsole } from '../../testing/console-page.js';
import { isLong } from '../../testing/long-run.js';
import { startReceiver } from '../../testing/process.js';

describeInBrowser(`the console (everyday use)${skipReason}`, () => {
  const stage = useConsole({ clock: 'RUNNING' });

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
      clicks: ['.clock .status:has-text("finding")', '.row:has-text("The same payment was made twice")'],
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
    await page.waitForSelector(liveSelector);
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

  it.runIf(isLong)(
    'works in the eighth tab, because hidden tabs close their streams',
    async () => {
      const context = await stage.browser.newContext();
      await context.addInitScript("Object.defineProperty(Document.prototype, 'hidden', { get: () => window.isAway === true })");
      for (let tab = 1; tab <= 8; tab += 1) {
        const page = await context.newPage();
        await page.goto(`${stage.server.url}/_sandbox/console/default/timeline`);
        await page.waitForSelector(liveSelector);
        if (tab < 8) await page.evaluate("window.isAway = true; document.dispatchEvent(new Event('visibilitychange'))");
      }
      const [first] = context.pages();
      await stage.client.api('GET', `/api/operations/${nobody}99`);
      await first!.evaluate("window.isAway = false; document.dispatchEvent(new Event('visibilitychange'))");
      await first!.waitForSelector('.row:has-text("0099 (RESOURCE")');
      expect(await first!.locator('.row:has-text("0099 (RESOURCE")').count()).toBe(1);
      await context.close();
    },
    60_000,
  );
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
