import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { accessibilityProblems, describeInBrowser, skipReason } from '../../testing/browser.js';
import { liveSelector, openPage, tabTo, useConsole } from '../../testing/console-page.js';
import { hostile } from '../../testing/console-walk.js';
import { isLong } from '../../testing/long-run.js';
import { drop, openFile, positionOf, recorded, replayName, selected, selectedText, type GivenFile } from '../../testing/dropped-replay.js';

describeInBrowser(`a replay file in the console${skipReason}`, () => {
  const stage = useConsole();

  it('shows the steps of a dropped replay file as a timeline at its failure, with the details of each step and the findings', async () => {
    const file = await recorded(stage);
    const { page, complaints } = await openPage(stage.browser, { url: `${stage.server.url}/_sandbox/console/default/timeline` });
    stage.closeLater(page);
    const sent: string[] = [];
    await page.waitForSelector('.row');
    page.on('request', (request) => request.postData() !== null && sent.push(request.url()));
    await openFile(page, file);
    const last = String(file.steps.length);
    expect(await selectedText(page)).toContain('● failure');
    expect(positionOf(page)).toBe(last);
    await page.waitForSelector('.inspector :text("Failure of the test")');
    expect(await page.innerText('.inspector .steps-bar')).toContain(`step ${last} of ${last}`);
    const content = await page.innerText('.held');
    for (const part of ['pays out', 'src/pay.test.ts', hostile, 'vitest', '8f14e45f', `yes, ${last} steps`, 'scenario default'])
      expect(content).toContain(part);
    expect(await page.getAttribute('.held a', 'href')).toBe('https://ci.example.com/runs/7');
    // Each row shows method and path or event, status and duration, as in the timeline of a world.
    await page.keyboard.press('Home');
    await page.waitForSelector(`${selected}:has-text("/_sandbox/test")`);
    const lostIndex = file.steps.findIndex((step) => step.kind === 'CALL' && step.response.outcome === 'LOST');
    const lost = await page.innerText(`.row[aria-rowindex="${lostIndex + 1}"]`);
    for (const part of ['POST', '/api/operations/transfer', 'loses its response', '201, lost', 'ms']) expect(lost).toContain(part);
    // The inspector follows the keys.
    for (let step = 0; step < lostIndex; step += 1) await page.keyboard.press('j');
    await page.waitForSelector('.inspector h2:has-text("/api/operations/transfer")');
    expect(positionOf(page)).toBe(String(lostIndex + 1));
    const shown = await page.innerText('.inspector');
    for (const part of [
      'createTransfer',
      '"value": "25.00"',
      'x-idempotency-key',
      'LOST',
      '"connectionReset": true',
      '"targetAccount"',
      `--until ${lostIndex + 1}`,
    ])
      expect(shown).toContain(part);
    await page.click('.inspector button:text-is("Next")');
    await page.waitForSelector('.inspector h2:has-text("OPERATION_REQUESTED")');
    await page.keyboard.press('k');
    await page.waitForSelector('.inspector h2:has-text("/api/operations/transfer")');
    // The findings are at the end.
    await page.keyboard.press('End');
    await page.waitForSelector('.inspector h2:has-text("The same payment was made twice")');
    expect(await page.innerText('.inspector')).toContain('payment.repeated');
    await page.click('.bar button:text-is("Calls")');
    await page.waitForSelector('.row:has-text("webhook")', { state: 'detached' });
    expect(await page.innerText('.bar .dim')).toContain(`${file.steps.filter(({ kind }) => kind !== 'ATTEMPT').length} of ${last} steps`);
    // The test of this file passed: only its finding is wrong. The connection was reset before the request was handled.
    const steps = file.steps.map((step, index) =>
      index === lostIndex && step.kind === 'CALL' ? { ...step, response: { ...step.response, status: 503 } } : step,
    );
    await openFile(page, { ...file, steps, test: { ...file.test, failure: undefined } });
    await page.waitForSelector(`${selected}:has-text("The same payment was made twice")`);
    expect(await page.innerText(`.row[aria-rowindex="${lostIndex + 1}"]`)).toContain('fails with a reset connection');
    expect(await page.locator('.row .marker').count()).toBe(0);
    expect(await page.evaluate('window.injected')).toBe(undefined);
    expect(sent).toEqual([]);
    expect(complaints).toEqual([]);
  }, 60_000);

  it.runIf(isLong)(
    'is accessible in light and dark colours',
    async () => {
      const file = await recorded(stage);
      const page = await stage.open('default/timeline');
      await openFile(page, { ...file, complete: false, cutFrom: file.steps.length + 1 });
      await page.waitForSelector('.inspector h2');
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.click('.row:has-text("loses its response")');
      await page.waitForSelector('.inspector :text("Headers of the request")');
      expect(await accessibilityProblems(page, '.inspector')).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await accessibilityProblems(page, 'main', ['color-contrast'])).toEqual([]);
      expect(await page.innerText('.note-bar')).toContain(`cut from step ${file.steps.length + 1}`);
    },
    60_000,
  );

  it('can only be read: the page has no action and no key that changes a world', async () => {
    const file = await recorded(stage);
    const page = await stage.open('default/timeline');
    await openFile(page, file);
    await page.waitForSelector('.inspector h2');
    const clock = await stage.control('GET', 'clock');
    const changes: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && changes.push(request.url()));
    const allowed = /^(Open another…|Close the file|Copy|All|All \d+ lines|Calls|Webhooks|Failures e|Times: (world|real)|×|Previous|Next)$/;
    for (const row of ['loses its response', 'webhook', 'The same payment was made twice']) {
      await page.click(`.row:has-text("${row}")`);
      const buttons = await page.locator('main button:visible').allInnerTexts();
      expect(buttons.filter((text) => !allowed.test(text))).toEqual([]);
      await page.keyboard.press('End');
    }
    expect(await page.locator('.clock').count()).toBe(0);
    for (const key of 'f.+crmdexp') await page.keyboard.press(key);
    // Keys are handled in order, so this row is selected after all others are handled.
    await page.keyboard.press('Home');
    await page.waitForSelector(`${selected}[aria-rowindex="1"]`);
    expect(changes).toEqual([]);
    expect(await stage.control('GET', 'clock')).toEqual(clock);
  }, 60_000);

  it.runIf(isLong)(
    'is opened and closed with the keyboard, and keeps its position when the page is loaded again',
    async () => {
      const file = await recorded(stage);
      const { id } = file.ends.findings[0]!;
      const page = await stage.open(`default/findings?show=findings%2F${id}`);
      await page.waitForSelector('.inspector h2');
      const before = page.url();
      // Without a listener from the start, a key may open the real dialog before the driver intercepts it.
      page.on('filechooser', () => undefined);
      const choose = async (press: () => Promise<void>, content: Buffer) => {
        const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press()]);
        await chooser.setFiles({ name: `${replayName}.gz`, mimeType: 'application/gzip', buffer: content });
        await page.waitForSelector(`[aria-label="Steps of the replay file"] ${selected}`);
      };
      const byPalette = async () => {
        await page.keyboard.press('Control+k');
        await page.fill('[role=combobox]', 'open a replay');
        await page.waitForSelector('.commands li:only-child');
        await page.keyboard.press('Enter');
      };
      await choose(byPalette, gzipSync(JSON.stringify(file)));
      await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-selected")')).toBe('true');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await expect.poll(() => positionOf(page)).toBe(String(file.steps.length - 2));
      // Another screen shows no step, and the position is kept.
      await page.keyboard.press('g');
      await page.keyboard.press('t');
      await page.waitForSelector('.list[aria-label=Timeline]');
      expect(await page.locator('.inspector').count()).toBe(0);
      await page.goBack();
      await page.waitForSelector(`${selected}:has-text("${file.steps.length - 2}")`);
      await page.reload();
      await page.waitForSelector('h2:has-text("No replay file is open")');
      await page.waitForSelector(liveSelector);
      await tabTo(page, 'main button.primary');
      await choose(() => page.keyboard.press('Enter'), gzipSync(JSON.stringify(file)));
      expect(positionOf(page)).toBe(String(file.steps.length - 2));
      await page.goto(before);
      await page.waitForSelector('.inspector h2');
      await choose(byPalette, gzipSync(JSON.stringify(file)));
      await tabTo(page, '.note-bar button:last-child');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.inspector h2:has-text("The same payment")');
      expect(page.url()).toBe(before);
    },
    60_000,
  );

  it('changes nothing if a dropped file cannot be shown, and says what is wrong with it', async () => {
    const file = await recorded(stage);
    const text = JSON.stringify(file);
    const page = await stage.open('default/timeline');
    await openFile(page, file);
    await page.waitForSelector('.inspector h2');
    const before = [page.url(), await page.innerText('main')];
    const wrongStep = { ...file, steps: file.steps.map((step, index) => (index === 2 ? { ...step, at: 'noon' } : step)) };
    const refused: readonly (readonly [files: readonly GivenFile[], message: string])[] = [
      [[['notes.json', '{"a":1}']], 'notes.json is not a replay file: it has no field "replay".'],
      [[['half.json', text.slice(0, 300)]], 'half.json is not valid JSON, so it is damaged or not a replay file'],
      [[['new.json', JSON.stringify({ ...file, replay: 2 })]], 'new.json has format 2 from crossborder-sandbox'],
      [
        [['odd.json', JSON.stringify(wrongStep)]],
        'odd.json is damaged, or not a replay file: step 3.at: expected a timestamp like 2026-11-21T14:03:07.512Z, got "noon".',
      ],
      [[['half.gz', gzipSync(text).subarray(0, 200)]], 'half.gz cannot be read: it is not a complete gzip file.'],
      [[['bomb.gz', gzipSync(Buffer.alloc(64 * 1024 * 1024))]], 'bomb.gz cannot be read: it has more than 8.0 MiB after decompression'],
      [
        [
          ['a.json', text],
          ['b.json', text],
        ],
        'Only one replay file can be opened at a time, and 2 were chosen.',
      ],
    ];
    for (const [files, message] of refused) {
      await drop(page, ...files);
      await page.waitForSelector(`.notice .bad:has-text(${JSON.stringify(message)})`);
      expect([page.url(), await page.innerText('main')], message).toEqual(before);
    }
    const long = file.steps.map((step) => ({ ...step, url: `/${'x'.repeat(100_000)}` }));
    await openFile(page, { ...file, steps: long, test: { ...file.test, runUrl: 'javascript:alert(1)' } });
    await page.waitForSelector('.held :text("javascript:alert(1)")');
    expect(await page.locator('.held a').count()).toBe(0);
    expect(await page.locator('.notice .bad').count()).toBe(0);
  }, 60_000);

  it.runIf(isLong)(
    'renders only the visible rows of ten thousand steps, and follows the keys through them',
    async () => {
      const file = await recorded(stage);
      const [call] = file.steps;
      const steps = Array.from({ length: 10_000 }, () => ({ ...call!, body: null, headers: {} }));
      const page = await stage.open('default/timeline');
      await openFile(page, { ...file, steps });
      expect(await selectedText(page)).toContain('10000');
      await page.keyboard.press('Home');
      await expect.poll(() => positionOf(page)).toBe('1');
      const usualFrameMs = await page.evaluate<number>(`new Promise((resolve) => {
      const frames = [];
      let last = performance.now();
      const frame = (now) => {
        frames.push(now - last);
        last = now;
        if (frames.length > 100) return resolve(frames.sort((a, b) => a - b)[50]);
        const key = frames.length % 2 === 0 ? 'ArrowDown' : 'PageDown';
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    })`);
      expect(usualFrameMs).toBeLessThan(200);
      await expect.poll(() => positionOf(page)).toBe('801');
      await page.waitForSelector('.inspector :text("step 801 of 10,000")');
      expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(1500);
    },
    60_000,
  );

  it.runIf(isLong)(
    'fits a narrow page, where one can go through the steps in the inspector',
    async () => {
      const page = await stage.open('default/timeline', { width: 320, height: 700 });
      const width = () => page.evaluate('document.documentElement.scrollWidth');
      await openFile(page, await recorded(stage));
      expect(await page.locator('.inspector').count()).toBe(0);
      await page.waitForSelector(selected);
      expect(await width()).toBe(320);
      expect((await page.locator('.row').first().boundingBox())!.y).toBeLessThan(700 / 2);
      await page.click('.held summary');
      expect(await width()).toBe(320);
      await page.click(selected);
      await page.waitForSelector('.inspector :text("step")');
      expect(await width()).toBe(320);
      await page.click('.inspector button:text-is("Previous")');
      await page.click('.inspector button:text-is("Previous")');
      await page.click('.inspector .close');
      await page.waitForSelector(selected);
      expect(await page.locator(selected).isVisible()).toBe(true);
    },
    60_000,
  );

  it.runIf(isLong)(
    'is also shown on the page of a world that does not exist',
    async () => {
      const file = await recorded(stage);
      const { page } = await openPage(stage.browser, { url: `${stage.server.url}/_sandbox/console/deleted/timeline` });
      stage.closeLater(page);
      await page.waitForSelector('h2:has-text("does not exist")');
      await openFile(page, file);
      await page.waitForSelector('.inspector h2');
      await page.click('button:text-is("Close the file")');
      await page.waitForSelector('h2:has-text("does not exist")');
      expect(await page.locator('.list').count()).toBe(0);
    },
    60_000,
  );
});
