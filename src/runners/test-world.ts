import { createHash, randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { connect, startSandbox, type OwnedWorld, type WorldClient } from '../index.js';
import { startOf } from '../contract/shared/messages/cut.js';

/** Options for the world of a test. */
export interface TestWorldOptions {
  /** World time of the frozen clock. Default: the real time, so that tokens are valid for clients that check them by their own clock. */
  readonly at?: string | Date | undefined;
  readonly scenario?: string | undefined;
  readonly seed?: string | number | undefined;
  readonly fixtures?: 'default' | 'empty' | undefined;
  /** True for a test that misuses the API on purpose: its findings fail no report, except those about money that moved twice. */
  readonly negative?: boolean | undefined;
}

/** Environment variable with the id of the test run. Set only if the sandbox is shared: it runs before and after the tests. */
const runVariable = 'CROSSBORDER_SANDBOX_RUN';

/** Key of the global property with the function that ends a run, for runners with separate setup and teardown modules. */
export const endRunKey = Symbol.for('crossborder-sandbox.end-of-run');

/** Number of characters of the hash at the end of the name of a test's world. */
const hashLength = 8;

/** Lifetime of a world in a shared sandbox if its test does not delete it. */
const sharedTtl = '1h';

/** Identifies a test by its file and its full name, which includes the names of its suites. */
export interface TestPlace {
  readonly file: string;
  readonly name: string;
  /** Name of the project of the test, if the run has several projects. */
  readonly project?: string | undefined;
}

/** URL of the sandbox that this process started for its tests; undefined without one. */
let ownUrl: string | undefined;

/**
 * Provides a sandbox for a test run: the one at SANDBOX_URL, or a new one with the scenarios in SANDBOX_SCENARIOS_DIR. Sets SANDBOX_URL,
 * which `connect()` reads.
 * @returns a function that ends the run
 */
export async function beginRun(): Promise<() => Promise<void>> {
  if (process.env['SANDBOX_URL']) {
    if (process.env['SANDBOX_URL'] === ownUrl) return async () => {}; // Each project of a run calls this function.
    process.env[runVariable] = randomUUID().slice(0, 6);
    await connect().ready();
    return async () => {};
  }
  const sandbox = await startSandbox({ scenariosDir: process.env['SANDBOX_SCENARIOS_DIR'] || undefined });
  process.env['SANDBOX_URL'] = ownUrl = sandbox.url;
  return async () => {
    delete process.env['SANDBOX_URL'];
    ownUrl = undefined;
    await sandbox.close();
  };
}

/** Names of the worlds of running tests in this process. */
const underWay = new Set<string>();

/** The configuration line that starts a sandbox before the tests, for each runner. */
const setups = {
  vitest: "vitest.config.js needs: test: { globalSetup: 'crossborder-sandbox/vitest/setup' }",
  jest: "jest.config.js needs: globalSetup: 'crossborder-sandbox/jest/setup', globalTeardown: 'crossborder-sandbox/jest/teardown'",
} as const;

/**
 * Creates the world of a test, or replaces it if the test runs again. Concurrent tests with the same name get separate worlds.
 * @throws Error if no sandbox was started for the run
 */
export async function makeTestWorld(
  runner: keyof typeof setups,
  place: TestPlace,
  { at, scenario, seed, fixtures, negative = false }: TestWorldOptions = {},
): Promise<OwnedWorld> {
  // Without SANDBOX_URL, `connect()` would use any sandbox that runs on the default port.
  if (!process.env['SANDBOX_URL']) throw new Error(`No sandbox was started for the tests. ${setups[runner]}. Or set SANDBOX_URL.`);
  const run = process.env[runVariable];
  const own = worldName(place, run);
  let name = replayedName(own) ?? own;
  for (let count = 2; underWay.has(name); count += 1) name = worldName({ ...place, name: `${place.name} ${count}` }, run);
  underWay.add(name);
  try {
    const world = await connect().replaceWorld(name, {
      clock: { mode: 'FROZEN', ...(at === undefined ? {} : { now: new Date(at).toISOString() }) },
      ...(scenario === undefined ? {} : { scenario }),
      ...(seed === undefined ? {} : { seed }),
      ...(fixtures === undefined ? {} : { fixtures }),
      ...(run === undefined ? {} : { ttl: sharedTtl }),
    });
    if (negative) await world.beginTest(testName(place.name), { negative });
    return world;
  } catch (error) {
    underWay.delete(name);
    throw error;
  }
}

/** Returns the recorded name of the world of a test, if the command `replay --live` repeats this test; otherwise undefined. */
function replayedName(own: string): string | undefined {
  const recorded = process.env['SANDBOX_REPLAY_WORLD'];
  return recorded?.slice(-hashLength) === own.slice(-hashLength) ? recorded : undefined;
}

/** Whether the sandbox continues after the tests, so that the world of a failed test can be inspected. */
const isShared = () => process.env[runVariable] !== undefined;

/** Deletes the world of a test. A shared sandbox keeps the worlds of failed tests. */
export async function endTestWorld(world: OwnedWorld, hasFailed: boolean): Promise<void> {
  try {
    if (!hasFailed || !isShared()) await world.delete();
  } finally {
    underWay.delete(world.name); // Only after the deletion, which could otherwise delete the world of a new test with this name.
  }
}

/** A failed test: its runner, its file, and the message of its error. */
export interface FailedTest {
  readonly runner: 'vitest' | 'jest';
  readonly file: string;
  readonly failure: string;
}

/** Directory of the replay files of failed tests; undefined to write none. */
const replayDirectory = () => process.env['SANDBOX_REPLAY_DIR'] || (process.env['CI'] ? '.crossborder/replays' : undefined);

/** Maximum length of a failure in a replay file, in characters. */
const maxFailure = 2000;

/** Returns the start of a failure message without the client secret of the world and without access tokens. */
function withoutSecrets(text: string, secret: string): string {
  const parts = startOf(text, maxFailure)
    .replaceAll(secret, '[secret]')
    .split(/([^A-Za-z0-9._-]+)/);
  return parts.map((part) => (part.startsWith('eyJ') ? '[token]' : part)).join('');
}

/** Returns the tested commit and the URL of the CI run, from the environment variables of GitHub and GitLab. */
function runOfCi(): { commit?: string; runUrl?: string } {
  const { GITHUB_SHA, GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID, CI_COMMIT_SHA, CI_JOB_URL } = process.env;
  const commit = GITHUB_SHA ?? CI_COMMIT_SHA;
  const runUrl = GITHUB_RUN_ID === undefined ? CI_JOB_URL : `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
  return { ...(commit === undefined ? {} : { commit }), ...(runUrl === undefined ? {} : { runUrl }) };
}

/**
 * Writes the replay file of a failed test, if a directory for such files is set.
 * @returns a line with the command that repeats the test, with the error, or how to set a directory
 */
async function replayLine(world: WorldClient, { runner, file, failure }: FailedTest): Promise<string> {
  const directory = replayDirectory();
  if (directory === undefined) return '\n\nTo keep a file that repeats the test, run it with SANDBOX_REPLAY_DIR=replays.';
  const path = join(directory, `${world.name}.replay.json`).replaceAll('\\', '/');
  try {
    const { clientSecret } = await world.credentials();
    const about = { runner, file, failure: withoutSecrets(failure, clientSecret), ...runOfCi() };
    await world.saveReplay(path, { about });
    return `\n\nTo repeat the test: npx crossborder-sandbox replay ${path} --at-failure`;
  } catch (error) {
    return `\n\nThe replay file was not written: ${(error as Error).message}`;
  }
}

/** Returns a timeline of the world of a failed test, a console link if the world is kept, and the command that repeats the test. */
export async function failureReport(world: WorldClient, failed: FailedTest): Promise<string> {
  const kept = isShared() ? ` is kept for an hour: ${connect().controlUrl}/_sandbox/console/${world.name}` : '';
  const timeline = await world.timeline().catch((error: unknown) => `The timeline is not available: ${(error as Error).message}`);
  return `World ${world.name}${kept}: ${timeline}${await replayLine(world, failed)}`;
}

/**
 * Returns the name of the world of a test. The name is unique for each test, and equal in each run and on every operating system, so that
 * results are repeatable.
 * @param run id of the run, which the name begins with in a shared sandbox
 */
export function worldName({ file, name, project = '' }: TestPlace, run?: string): string {
  const path = file.replaceAll('\\', '/'); // Jest uses backslashes on Windows.
  const place = [path, name, ...(project === '' ? [] : [project])].join('\n');
  const hash = createHash('sha256').update(place).digest('hex').slice(0, hashLength);
  const words = [basename(path).replace(/\.(test|spec)\.[a-z]+$|\.[a-z]+$/, ''), name].map(slug).filter(Boolean);
  const readable = startOf([...(run === undefined ? [] : [run]), ...words].join('-'), 63 - hash.length - 1);
  return `${readable.replace(/-$/, '')}-${hash}`;
}

/** Returns the name of a test in the format that test markers accept. */
const testName = (name: string) => startOf(name.replaceAll(/[^ -~\u00a0-\uffff]/g, ' '), 200) || 'test';

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
