import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '../index.js';
import { connect } from '../client/sandbox.js';
import { controlRoutes } from '../contract/control/routes.js';
import { publicRoutes } from '../contract/public/routes.js';
import { clientOf, livelyWorld, runCommandLine as typed } from '../testing/command-line.js';
import { startReceiver, temporaryDirectory, tokenFor } from '../testing/process.js';
import { documentCall } from './public-document.js';
import { verbs } from './verbs.js';

let sandbox: RunningSandbox;
let locked: RunningSandbox;
beforeAll(async () => {
  [sandbox, locked] = await Promise.all([startSandbox(), startSandbox({ controlToken: 'open-sesame' })]);
  await livelyWorld(connect({ url: sandbox.url }));
});
afterAll(() => Promise.all([sandbox.close(), locked.close()]));

const here = () => ({ SANDBOX_URL: sandbox.url });
const there = () => ({ SANDBOX_URL: locked.url });
const run = (line: string, environment: Record<string, string> = here()) => typed(`crossborder-sandbox ${line}`, { environment });

it.each([
  ['report --world nowhere', 'No world has this name.'],
  ['report --world default --worlds nowhere', 'No world has this name.'],
  ['report --profile profiles/payouts.yaml --fail-on never', 'requirements not covered: P-01'],
  ['report --profile @profiles/payouts.yaml --fail-on never', 'requirements not covered: P-01'],
])('%s is inconclusive: %s', async (line, why) => {
  const { code, stdout } = await run(line);
  expect(code).toBe(4);
  expect(stdout).toContain(why);
});

describe('the exit code of the command', () => {
  it.each<[string, number, RegExp, (() => Record<string, string>)?]>([
    ['status', 0, /^$/],
    ['why 00000000-0000-4000-8000-000000000000', 1, /RESOURCE_NOT_FOUND/],
    ['hold @last', 1, /Possible: PROCESSING, COMPLETED, FAILED/],
    ['status --world nowhere', 1, /nowhere/],
    ['clock --world nowhere', 1, /nowhere/],
    ['clock', 2, /token/i, there],
    ['clock --token open-says-me', 2, /token/i, there],
    ['clock --token open-sesame', 0, /^$/, there],
    ['clock', 0, /^$/, () => ({ ...there(), SANDBOX_CONTROL_TOKEN: 'open-sesame' })],
    ['clock', 2, /SANDBOX_URL is "localhost:4010"; expected a URL/, () => ({ SANDBOX_URL: 'localhost:4010' })],
    ['clock --url here', 2, /--url is "here"; expected a URL/],
    ['clock', 2, /SANDBOX_PORT is "many"/, () => ({ SANDBOX_PORT: 'many' })],
    ['clock --timeout soon', 2, /--timeout is "soon"; expected a duration/],
    ['clock --jsn', 2, /--jsn.*--json/],
    ['clock stop', 2, /The mode is "stop"; expected one of freeze, run/],
    ['complete', 2, /^Missing required argument 'id'\. .*complete --help/],
    ['complete @last @last', 2, /^Too many arguments/],
    ['complete @latest', 2, /"@latest" is not an id\. Use @last for the newest operation/],
    ['complete --version', 0, /^$/],
    ['inbox orders --follow --await 1', 2, /--await and --follow cannot be combined/],
    ['inbox orders --count 1', 2, /--count requires --follow/],
    ['state import state.json', 2, /is not valid JSON: .*Use @file to read a file/],
    ['report --out /nowhere/report.json', 2, /Cannot write \/nowhere\/report.json/],
    ['report --profile package.json', 1, /INVALID_DATA/],
    ['report --profile README.yaml', 2, /Cannot read README.yaml/],
    ['report --profile @LICENSE', 2, /--profile is neither YAML nor JSON/],
    ['verify createWithdrawl', 2, /did you mean "createWithdrawal"/],
    ['listen --forward-to ftp://localhost', 2, /--forward-to is "ftp:/],
    ['listen --forward-to localhost:1 --events NOTHING', 1, /expected one of OPERATION_REQUESTED/],
    ['listen --forward-to localhost:1 --subscription x --name y', 2, /--subscription cannot be combined with --name or --events/],
    ['fail @last --message Why.', 2, /--message and --details require --reason/],
    ['advance', 2, /exactly one of.*got none/],
    ['trigger OPERATION_FAILED --set currentState.raeson.code=X', 2, /OPERATION_FAILED has no field currentState.raeson.code/],
    [
      'inbox orders --follow --event operation_faled --timeout 1s',
      2,
      /"OPERATION_FALED" is not an event type; did you mean "OPERATION_FAILED"\?$/m,
    ],
    ['trigger OPERATION_FALED --set id=X', 2, /is not an event type; did you mean "OPERATION_FAILED"/],
    ['logs --follow --operation createWithdrawl', 2, /did you mean "createWithdrawal"/],
    ['worlds creat', 2, /did you mean "create"/],
    ['scenario', 2, /scenario list, scenario show/],
    ['fault add --data {', 2, /--data is not valid JSON/],
    ['fault add --data @nowhere.json', 2, /Cannot read nowhere.json/],
    ['settings set quoteTtl', 2, /expected path=text/],
    ['settings set quoteTtl=never', 1, /quoteTtl/],
    ['inbox orders --respond often', 2, /--respond is "often"/],
    ['inbox nobody --await 1 --timeout 1ms', 4, /WAIT_TIMEOUT/],
    ['resend @last --world empty', 1, /empty/],
    ['verify', 2, /Give either an operation/],
    ['verify createSwap --count 7', 1, /VERIFICATION_FAILED/],
    ['verify createSwap --count few', 2, /--count is "few"/],
    ['listen', 2, /--forward-to is missing/],
    ['listen --forward-to http://', 2, /--forward-to is "http:.."/],
    ['listen --forward-to localhost:1 --header none', 2, /--header is "none"/],
    ['listen --forward-to localhost:1 --exec "exit 7"', 7, /READY/],
    ['findings expect money.json-numbre', 2, /did you mean "money.json-number"/],
    ['scenario check package.json', 1, /^$/],
    ['status', 3, /No sandbox responds at/, () => ({ SANDBOX_URL: 'http://127.0.0.1:9' })],
    ['wait --timeout 1ms', 3, /No sandbox responds at/, () => ({ SANDBOX_URL: 'http://127.0.0.1:9' })],
    ['await @last COMPLETED --timeout 1ms', 4, /WAIT_TIMEOUT/],
    ['logs --follow --count 1 --kind WORLD --timeout 1ms', 4, /Timed out after 0 of 1 items/],
  ])('%s is %i, and standard error matches %s', async (line, code, stderr, environment = here) => {
    const ran = await run(line, environment());
    expect({ code: ran.code, stderr: ran.stderr.trimEnd() }).toEqual({ code, stderr: expect.stringMatching(stderr) });
    if (code > 1) expect(ran.stdout).toBe('');
  });
});

it('a command exits with 5 if the sandbox fails', async () => {
  const failing = await startReceiver(0, () => 500);
  try {
    expect(await run('clock', { SANDBOX_URL: new URL(failing.url).origin })).toMatchObject({ code: 5, stdout: '' });
  } finally {
    await failing.close();
  }
});

it('get requests lists rejected requests with their error codes', async () => {
  const api = await clientOf(await connect({ url: sandbox.url }).createWorld({ name: 'refused' }));
  await expect(api('GET', '/api/accounts?limit=0')).rejects.toThrow('INVALID_DATA');
  const { stdout } = await run('get requests --world refused --filter status[gte]=400');
  expect(stdout).toMatch(/^ID +METHOD +PATH .*\nreq_\S+ +GET +\/api\/accounts +listAccounts +\S+ +INVALID_DATA +400\n$/);
});

it('report adds its summary to a GitHub Actions job once, and prints failing findings as errors', async () => {
  const world = await connect({ url: sandbox.url }).createWorld({ name: 'job' });
  const token = await tokenFor(sandbox.url, await world.credentials());
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-idempotency-key': randomUUID() };
  await fetch(`${sandbox.url}/api/quotes`, { method: 'POST', headers, body: '{"sourceAmount": 10.5}' });
  const summary = join(temporaryDirectory(), 'summary.md');
  const inJob = { ...here(), GITHUB_STEP_SUMMARY: summary };
  const { stderr } = await run('report --world job', inJob);
  expect(stderr).toMatch(/^::error title=money\.json-number \(CERTAIN\)::.+%0A.+$/m);
  const markdown = readFileSync(summary, 'utf8');
  expect(markdown).toContain('money.json-number');
  const printed = await run('report --world job --format markdown', inJob);
  // The end of the validity is counted from the report.
  const timeless = (text: string) => text.replace(/Valid until \S+/, 'Valid until later').trim();
  expect([timeless(printed.stdout), readFileSync(summary, 'utf8')]).toEqual([timeless(markdown), markdown]);
  rmSync(dirname(summary), { recursive: true });
});

describe('errors', () => {
  it.each([
    ['hold @last --json', 'INVALID_STATUS_CHANGE'],
    ['clock --json --url here', 'INVALID_OPTION'],
    ['clock stop --json', 'INVALID_OPTION'],
    ['complte --json', 'INVALID_OPTION'],
  ])('have the format of the API with --json: %s', async (line, code) => {
    const { stderr } = await run(line);
    expect(JSON.parse(stderr)).toEqual({ code, message: expect.any(String), details: expect.any(Object) });
  });
});

describe('colours', () => {
  const escape = '\u001B[';
  it.each<[string, boolean, Record<string, string>, boolean]>([
    ['account @last', true, { TERM: 'xterm' }, true],
    ['account @last', false, { TERM: 'xterm' }, false],
    ['account @last', true, { TERM: 'dumb' }, false],
    ['account @last', true, { NO_COLOR: '1' }, false],
    ['account @last', true, { NO_COLOR: '' }, true],
    ['account @last --no-color', true, {}, false],
    ['account @last --json', true, {}, false],
  ])('in the output of "%s", with terminal: %s and the environment %j, are used: %s', async (line, isTTY, environment, isColoured) => {
    const { stdout } = await typed(`crossborder-sandbox ${line}`, { environment: { ...here(), ...environment }, isTTY });
    expect(stdout.includes(escape)).toBe(isColoured);
  });
});

describe('commands', () => {
  const calls = new Map(
    [...controlRoutes, ...publicRoutes].map(({ method, path, operationId }) => [`${method.toUpperCase()} ${path}`, operationId]),
  );

  it('list only API requests that exist', () => {
    const made = verbs.flatMap((verb) => verb.calls);
    expect(made.filter((each) => each !== documentCall && !calls.has(each))).toEqual([]);
  });

  it('have three different examples each', () => {
    for (const { name, examples } of verbs) {
      expect(new Set(examples).size, name).toBe(3);
      expect(examples.filter((each) => !each.includes(`crossborder-sandbox ${name}`))).toEqual([]);
    }
  });

  it.each(verbs.map(({ name }) => name))('have help: %s', async (name) => {
    const { code, stdout } = await run(`${name} --help`);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^[A-Z].*\.\n\nUsage: crossborder-sandbox [\s\S]*Examples:[\s\S]*--url <url>[\s\S]*SANDBOX_URL[\s\S]*Exit codes:[\s\S]*API requests/,
    );
    expect(stdout).not.toContain('undefined');
  });
});
