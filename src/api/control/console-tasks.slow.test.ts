import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { ReplaySchema } from '../../contract/control/analysis/replay.js';
import { accessibilityProblems, describeInBrowser, skipReason } from '../../testing/browser.js';
import { saveFile, useConsole } from '../../testing/console-page.js';
import { isLong } from '../../testing/long-run.js';
import { temporaryDirectory, tokenFor } from '../../testing/process.js';

const run = promisify(execFile);

describeInBrowser(`the console (tasks)${skipReason}`, () => {
  const scenarios = temporaryDirectory();
  const stage = useConsole({ args: ['--scenarios-dir', scenarios] });
  afterAll(() => rmSync(scenarios, { recursive: true }));

  it('shows the last exploration of the world beside the findings', async () => {
    const late = { kind: 'late', subject: 'OPERATION_REQUESTED#1', at: 'OPERATION_COMPLETED#1' };
    await stage.control('PUT', 'exploration', {
      verdict: 'FAILED',
      seed: 1,
      baseline: { events: ['OPERATION_REQUESTED#1', 'OPERATION_COMPLETED#1'], writes: [], deviations: [late] },
      tried: { singles: [14, 14], pairs: [3, 91], triples: 0 },
      ended: 'BUDGET',
      sequences: 12,
      resetMs: 0,
      notOccurred: [],
      unstable: [],
      failures: [
        {
          deviations: [late],
          shrunkFrom: [late],
          schedules: 2,
          stability: { kind: 'STABLE', runs: [3, 3] },
          point: 'AFTER_DELIVERY',
          differences: [{ path: 'payment.status', expected: 'COMPLETED', found: 'REQUESTED' }],
          effects: [],
          money: [],
          evidence: [],
          how: 'Your endpoint could not be reached once.',
          savedAs: null,
        },
      ],
    });
    const page = await stage.open('default/findings');
    await page.waitForSelector('section:has-text("Last exploration") :text("Your endpoint could not be reached once.")');
    const text = await page.locator('section:has-text("Last exploration")').last().innerText();
    expect(text).toContain('tried 14 of 14 single deviations, 3 of 91 pairs');
    expect(text).toContain('OPERATION_REQUESTED arrives after OPERATION_COMPLETED');
    expect(text).toContain('2 schedules');
  });

  it('finds ids, worlds, scenarios and faults in the command palette, with the arrow keys', async () => {
    const { id } = await stage.client.withdraw();
    await stage.control('POST', 'worlds', { name: 'ci-7' });
    await stage.control('POST', 'faults', { on: 'REQUEST', times: 1, effect: { status: 503 } });
    const page = await stage.open('default/timeline');
    const chosen = () => page.innerText('.commands [aria-selected=true]');
    const find = async (text: string) => {
      await page.keyboard.press('Control+k');
      await page.fill('[role=combobox]', text);
    };
    await find('advance by 1');
    await page.waitForSelector('.commands li:nth-child(4)');
    expect(await chosen()).toBe('Advance by 1 second');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect(await chosen()).toBe('Advance by 1 minute');
    expect(await page.getAttribute('[role=combobox]', 'aria-activedescendant')).toBe(
      await page.getAttribute('.commands [aria-selected=true]', 'id'),
    );
    await page.keyboard.press('Enter');
    await page.waitForSelector('.notice:has-text("Advanced 1 minute")');
    await find(id.slice(0, 4));
    await page.waitForSelector(`.commands li:has-text("Show ${id}: operation")`);
    await page.click(`.commands li:has-text("Show ${id}: operation")`);
    await page.waitForSelector('.inspector h2:has-text("withdrawal")');
    await find('remove the fault');
    await page.waitForSelector('.commands li:has-text("Remove the fault: any call fails with 503")');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.notice:has-text("Removed the fault")');
    expect((await stage.control<{ data: unknown[] }>('GET', 'faults')).data).toEqual([]);
    await find('scenario manual');
    await page.waitForSelector('.commands li:has-text("Use the scenario manual")');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.notice:has-text("The scenario manual is active")');
    await find('world ci-7');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/ci-7/**');
    await stage.control('DELETE', 'worlds/ci-7');
  }, 60_000);

  it('exports the state of a world, rejects a file that is not a state, and can undo an import', async () => {
    await stage.client.withdraw('1.00');
    const page = await stage.open('default/worlds');
    const [name, state] = await saveFile(page, 'button:text-is("Export the state")');
    expect(name).toBe('default.json');
    await stage.client.withdraw('2.00');
    const choose = (file: string, text: string) =>
      page.setInputFiles('input[type=file]', { name: file, mimeType: 'application/json', buffer: Buffer.from(text) });
    const count = async () => (await stage.control<{ data: unknown[] }>('GET', 'operations?limit=100')).data.length;
    const before = await count();
    await choose('notes.json', 'Dear diary');
    await page.waitForSelector('.notice[role=alert]:has-text("notes.json is not JSON")');
    await choose('default.json', state);
    await page.fill('dialog[open] input', 'default');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.notice:has-text("Imported default.json into default.")');
    expect(await count()).toBe(before - 1);
    await page.click('.notice button:text-is("Undo")');
    await page.waitForSelector('.notice:has-text("Undone.")');
    expect(await count()).toBe(before);
  }, 60_000);

  it('adds a fault for one operation or for all operations, which the token request of "Try it" does not use up', async () => {
    const page = await stage.open('default/timeline');
    await page.click('nav a:has-text("Faults")');
    await page.selectOption('[aria-label=Operation]', 'createWithdrawal');
    await page.selectOption('[aria-label="What goes wrong"]', { label: 'fails with 503' });
    await page.click('button:text-is("Add the fault")');
    await page.waitForSelector('.notice:has-text("Added: createWithdrawal fails with 503, once.")');
    await page.goto(`${stage.server.url}/_sandbox/console/default/try?operation=listAccounts`);
    await page.click('main button[type=submit]');
    await page.waitForSelector('main .section .status.ok:has-text("200")');
    const { data } = await stage.control<{ data: { hits: number; when: unknown }[] }>('GET', 'faults');
    expect(data).toMatchObject([{ hits: 0, when: { operationId: 'createWithdrawal' } }]);
    const { status } = await stage.client.api('POST', '/api/operations/withdrawal', {});
    expect(status).toBe(503);
    // A fault on every operation meets the request, because its token is from the control API.
    await stage.control('POST', 'faults', { on: 'REQUEST', times: 1, effect: { status: 500 } });
    await page.reload();
    await page.click('main button[type=submit]');
    await page.waitForSelector('main .section .status:has-text("500")');
  }, 60_000);

  it('suggests names and values while a scenario is typed, tries the scenario on past requests, and saves it for all worlds', async () => {
    const { id } = await stage.client.withdraw('20.00');
    await stage.client.withdraw('7.00');
    const page = await stage.open('default/scenarios');
    const text = page.locator('#scenario-text');
    await text.fill('scenario: tried\nsummary: Tried.\nrules:\n  - name: twenty\n    on: ');
    await text.pressSequentially('OPER');
    await page.waitForSelector('#scenario-words li:text-is("OPERATION")');
    expect(await accessibilityProblems(page, '.completing')).toEqual([]);
    await page.keyboard.press('ArrowDown');
    expect(await text.getAttribute('aria-activedescendant')).toBe('scenario-word-0');
    await page.keyboard.press('Enter');
    await text.pressSequentially('\n    wh');
    await page.click('#scenario-words li:text-is("when")');
    await text.pressSequentially(': { sourceAmount.value: { eq: 20 } }\n    steps: [{ after: 1s, to: ON');
    await page.waitForSelector('#scenario-words li:text-is("ON_HOLD")');
    await page.keyboard.press('Escape');
    await page.waitForSelector('#scenario-words', { state: 'hidden' });
    await text.pressSequentially('_HOLD }]');
    await page.waitForSelector('p:has-text("Without errors")');
    await page.click('button[aria-disabled=false]:text-is("Use in this world")');
    await page.waitForSelector('.notice:has-text("The scenario is active in default only.")');
    expect(await stage.control('GET', 'scenario')).toMatchObject({ name: 'tried', rules: [{ name: 'twenty', on: 'OPERATION' }] });
    await stage.control('PUT', 'scenario', { name: 'default' });
    await page.click('button:text-is("Try on past requests")');
    await page.waitForSelector('p:text-matches("^Rules of tried would have matched 1 of ")');
    await page.check('label:has-text("Show the others too") input');
    await page.waitForSelector('.trials tr:has-text("withdrawal of 7.00 BRL"):has-text("no rule")');
    await page.click('.trials tr:has-text("twenty") a:has-text("withdrawal of 20.00 BRL")');
    await page.waitForSelector('.inspector h2:has-text("Withdrawal")');
    expect(new URL(page.url()).searchParams.get('show')).toBe(`operations/${id}`);
    await page.keyboard.press('Escape');
    await page.click('button[aria-disabled=false]:text-matches("^Save in ")');
    await page.waitForSelector('.notice:has-text("tried.yaml. Every world can use it.")');
    expect(readFileSync(join(scenarios, 'tried.yaml'), 'utf8')).toBe(await text.inputValue());
    await page.click('button[aria-disabled=false]:text-matches("^Save in ")');
    await page.click('dialog[aria-label="Replace the scenario tried"] button:text-is("Replace it")');
    await page.waitForSelector('.notice:has-text("tried.yaml. Every world can use it.")');
    await page.click('button[aria-label="Use tried"]');
    await page.waitForSelector('.notice:has-text("The scenario tried is active.")');
    if (isLong) expect(await accessibilityProblems(page, 'main')).toEqual([]);
  }, 60_000);

  it('saves the replay file of the world next to the requests of an operation', async () => {
    const { id } = await stage.client.withdraw('31.00');
    const page = await stage.open(`default/operations/${id}`);
    const [name, text] = await saveFile(page, '.inspector button:text-is("Save the replay file")');
    expect(name).toBe('default.replay.json');
    await page.waitForSelector('.notice:has-text("Saved default.replay.json: the requests and webhook attempts of this world")');
    const { steps } = ReplaySchema.parse(JSON.parse(text));
    const withdrawals = steps.filter((step) => step.kind === 'CALL' && step.operationId === 'createWithdrawal');
    expect(withdrawals.at(-1)).toMatchObject({ method: 'POST', response: { status: 201 } });
  }, 60_000);

  it('shows the differences between a snapshot and the present state of a world, and the true totals of lists', async () => {
    const { id } = await stage.client.withdraw();
    await stage.control('POST', 'snapshots', { name: 'earlier' });
    await stage.control('POST', `operations/${id}/process`, {});
    await Promise.all(Array.from({ length: 100 }, () => stage.client.transfer()));
    const page = await stage.open('default/worlds');
    await page.selectOption('label:has-text("From") select', 'snapshot:earlier');
    await page.click('button:text-is("Compare")');
    await page.waitForSelector('tr:has(td:text-is("operations")) td.number:text-is("100")');
    await page.click(`summary:has-text("changed operations ${id}")`);
    await page.waitForSelector('details[open] p:has-text("states.1: absent → ")');
    await page.selectOption('label:has-text("To") select', 'snapshot:earlier');
    expect(await page.getAttribute('button:text-is("Compare")', 'aria-disabled')).toBe('true');
    if (isLong) expect(await accessibilityProblems(page, 'main')).toEqual([]);
    const { total } = await stage.control<{ total: number }>('GET', 'counts/operations');
    await page.click('nav a:has-text("Operations")');
    await page.waitForSelector(`.bar .dim:text-is("100 of ${total}")`);
    expect(total).toBeGreaterThan(100);
    await page.click('.bar button:text-is("More")');
    await page.waitForSelector(`.bar .dim:text-is("${total}")`);
    // A newer operation moves the rows between the pages: all pages are loaded again.
    await stage.client.transfer();
    await page.waitForSelector(`.bar .dim:text-is("${total + 1}")`);
    await stage.control('POST', `operations/${id}/complete`, {});
    await page.focus('.list [tabindex="0"]');
    await page.keyboard.press('End');
    await page.waitForSelector(`.row:has-text("${id.slice(0, 8)}") .status:has-text("COMPLETED")`);
  }, 60_000);

  it('copies a request as TypeScript and Python programs that send identical bytes', async () => {
    const page = await stage.open('default/timeline');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await stage.client.api('POST', '/api/quotes', { note: `"quoted", it's \u{1F600}` });
    const sent = async () =>
      (
        await stage.control<{ data: { id: string; status: number; idempotencyKey: string; body: { text: string } }[] }>(
          'GET',
          `requests?limit=100&filters=${encodeURIComponent('operationId[eq]=createQuote')}`,
        )
      ).data;
    const [first] = await sent();
    await page.goto(`${stage.server.url}/_sandbox/console/default/calls/${first!.id}`);
    const env = { ...process.env, TOKEN: await tokenFor(stage.server.url) };
    for (const [language, program, args] of [
      ['Copy as TypeScript', process.execPath, ['--input-type=module', '-e']],
      ['Copy as Python', 'python3', ['-c']],
    ] as const) {
      await page.click(`.inspector button:text-is("${language}")`);
      await page.waitForSelector('.inspector button:text-is("Copied")');
      const text = await page.evaluate<string>('navigator.clipboard.readText()');
      const { stdout } = await run(program, [...args, text], { env });
      expect(stdout).toMatch(/^400 .*INVALID_DATA/);
      await page.waitForSelector(`.inspector button:text-is("${language}")`);
    }
    const all = await sent();
    expect(all.map(({ status, idempotencyKey, body }) => [status, idempotencyKey, body.text])).toEqual(
      Array.from({ length: 3 }, () => [400, first!.idempotencyKey, first!.body.text]),
    );
  }, 60_000);

  it('loads the script of rarely used screens when the first of them is opened, and lets the browser cache the script', async () => {
    const script = /assets\/console-on-demand-.*\.js$/;
    const page = await stage.open('default/timeline');
    const asked = page.waitForResponse(script);
    await page.click('nav a:has-text("Worlds")');
    expect((await asked).headers()['cache-control']).toContain('immutable');
    await page.waitForSelector('h2:has-text("Worlds")');
    const other = await stage.open('default/timeline');
    await other.route(script, (route) => route.abort());
    await other.click('nav a:has-text("Ledger")');
    await other.waitForSelector('.notice[role=alert]:has-text("Reload the page.")');
  }, 60_000);
});
