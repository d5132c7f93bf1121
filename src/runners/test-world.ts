import { createHash, randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { connect, startSandbox, type OwnedWorld, type WorldClient } from '../index.js';

/** Options for the world of a test. */
export interface TestWorldOptions {
  /** World time of the frozen clock. Default: the real time, so that tokens are valid for clients that check them by their own clock. */
  readonly at?: string | Date | undefined;
  readonly scenario?: string | undefined;
  readonly seed?: string | number | undefined;
  readonly fixtures?: 'default' | 'empty' | undefined;
  /** True for a test that misuses the API on purpose: what it provokes fails no report, except for money that moved twice. */
  readonly negative?: boolean | undefined;
}

/** Id of the test run, set if the sandbox is shared. */
const runVariable = 'CROSSBORDER_SANDBOX_RUN';

/** Key for the function that ends a run, for runners with separate setup and teardown modules. */
export const endOfRun = Symbol.for('crossborder-sandbox.end-of-run');

/** Lifetime of a world in a shared sandbox if its test does not delete it. */
const sharedTtl = '1h';

/** A test by its file and its full name, with suites. */
export interface TestPlace {
  readonly file: string;
  readonly name: string;
  /** The project of the test, for runs with several. */
  readonly project?: string | undefined;
}

/** URL of the sandbox that this process started for its tests. */
let ownUrl: string | undefined;

/**
 * Provides a sandbox for a test run: the one in SANDBOX_URL, or a new one with the scenarios of SANDBOX_SCENARIOS_DIR. Sets SANDBOX_URL,
 * which `connect()` reads.
 * @returns a function that ends the run
 */
export async function beginRun(): Promise<() => Promise<void>> {
  if (process.env['SANDBOX_URL']) {
    if (process.env['SANDBOX_URL'] === ownUrl) return async () => {}; // Each project of a run calls this.
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

/** The line of the configuration that starts a sandbox before the tests, by runner. */
const setups = {
  vitest: "vitest.config.js needs: test: { globalSetup: 'crossborder-sandbox/vitest/setup' }",
  jest: "jest.config.js needs: globalSetup: 'crossborder-sandbox/jest/setup', globalTeardown: 'crossborder-sandbox/jest/teardown'",
} as const;

/** Creates the world of a test, or replaces it when the test runs again. Concurrent tests with the same name get one each. @throws Error if no sandbox was started for the run */
export async function makeTestWorld(
  runner: keyof typeof setups,
  place: TestPlace,
  { at, scenario, seed, fixtures, negative = false }: TestWorldOptions = {},
): Promise<OwnedWorld> {
  // Without the setup, a sandbox that happens to run on the default port would be used.
  if (!process.env['SANDBOX_URL']) throw new Error(`No sandbox was started for the tests. ${setups[runner]}. Or set SANDBOX_URL.`);
  const run = process.env[runVariable];
  let name = worldName(place, run);
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

/** Whether the sandbox continues after the tests, so that the world of a failed test can be inspected. */
const isShared = () => process.env[runVariable] !== undefined;

/** Deletes the world of a test. A shared sandbox keeps the worlds of failed tests. */
export async function endTestWorld(world: OwnedWorld, hasFailed: boolean): Promise<void> {
  try {
    if (!hasFailed || !isShared()) await world.delete();
  } finally {
    underWay.delete(world.name); // Only now: else a new test of this name could lose its world.
  }
}

/** Returns a timeline of the world of a failed test, with a console link if the world is kept. */
export async function story(world: WorldClient): Promise<string> {
  const kept = isShared() ? ` is kept for an hour: ${connect().controlUrl}/_sandbox/console/${world.name}` : '';
  const timeline = await world.timeline().catch((error: unknown) => `The timeline is not available: ${(error as Error).message}`);
  return `World ${world.name}${kept}: ${timeline}`;
}

/** Returns the name for the world of a test. It is unique, and the same in each run and on every system, so results repeat. */
export function worldName({ file, name, project = '' }: TestPlace, run?: string): string {
  const path = file.replaceAll('\\', '/'); // Jest uses backslashes on Windows.
  const place = [path, name, ...(project === '' ? [] : [project])].join('\n');
  const hash = createHash('sha256').update(place).digest('hex').slice(0, 8);
  const words = [basename(path).replace(/\.(test|spec)\.[a-z]+$|\.[a-z]+$/, ''), name].map(slug).filter(Boolean);
  const readable = [...(run === undefined ? [] : [run]), ...words].join('-').slice(0, 63 - hash.length - 1);
  return `${readable.replace(/-$/, '')}-${hash}`;
}

/** Returns a name as a test marker accepts it. */
const testName = (name: string) => name.replaceAll(/[^ -~\u00a0-\uffff]/g, ' ').slice(0, 200) || 'test';

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
