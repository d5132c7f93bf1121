import { createHash, randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { connect, startSandbox, type OwnedWorld, type WorldClient } from '../index.js';

/** What the world of a test is to be. */
export interface TestWorldOptions {
  /** Where its clock stands; the real now unless told otherwise, so that tokens are good for clients that look at their own clock. */
  readonly at?: string | Date | undefined;
  readonly scenario?: string | undefined;
  readonly seed?: string | number | undefined;
  readonly fixtures?: 'default' | 'empty' | undefined;
}

/** Which run of tests it is, where the sandbox is not the run's own. */
const runVariable = 'CROSSBORDER_SANDBOX_RUN';

/** Where the end of a run finds what ends its sandbox, in a program whose beginning and end are modules of their own. */
export const endOfRun = Symbol.for('crossborder-sandbox.end-of-run');

/** How long a world of a shared sandbox outlives its test, should that not delete it. */
const sharedTtl = '1h';

/** A test by its file and its name with those of its suites. */
export interface TestPlace {
  readonly file: string;
  readonly name: string;
  /** Of the project that runs it, where a run has several. */
  readonly project?: string | undefined;
}

/** Where the sandbox is that this process has started for its tests. */
let ownUrl: string | undefined;

/**
 * Makes sure that there is a sandbox for a run of tests: the one that SANDBOX_URL names, or one of its own, with the scenarios of
 * SANDBOX_SCENARIOS_DIR. Tests find it in the environment, as `connect()` does.
 * @returns what ends it
 */
export async function beginRun(): Promise<() => Promise<void>> {
  if (process.env['SANDBOX_URL']) {
    if (process.env['SANDBOX_URL'] === ownUrl) return async () => {}; // Each project of a run begins it.
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

/** The worlds of the tests that are under way in this process. */
const underWay = new Set<string>();

/** Makes the world of a test, or makes it anew when the test runs again. A test that runs beside another one of its name has one too. */
export async function makeTestWorld(place: TestPlace, { at, scenario, seed, fixtures }: TestWorldOptions = {}): Promise<OwnedWorld> {
  const run = process.env[runVariable];
  let name = worldName(place, run);
  for (let count = 2; underWay.has(name); count += 1) name = worldName({ ...place, name: `${place.name} ${count}` }, run);
  underWay.add(name);
  try {
    return await connect().renewWorld(name, {
      clock: { mode: 'FROZEN', ...(at === undefined ? {} : { now: new Date(at).toISOString() }) },
      ...(scenario === undefined ? {} : { scenario }),
      ...(seed === undefined ? {} : { seed }),
      ...(fixtures === undefined ? {} : { fixtures }),
      ...(run === undefined ? {} : { ttl: sharedTtl }),
    });
  } catch (error) {
    underWay.delete(name);
    throw error;
  }
}

/** Whether the sandbox goes on after the tests, so that the world of a test that failed can be looked at. */
const isShared = () => process.env[runVariable] !== undefined;

/** Deletes the world of a test that has ended, unless somebody may want to look at it. */
export async function endTestWorld(world: OwnedWorld, hasFailed: boolean): Promise<void> {
  try {
    if (!hasFailed || !isShared()) await world.delete();
  } finally {
    underWay.delete(world.name); // Not before: a test of its name that begins meanwhile would lose its world.
  }
}

/** What happened in the world of a test that failed, and where to look at it as long as it is there. */
export async function story(world: WorldClient): Promise<string> {
  const kept = isShared() ? ` is kept for an hour: ${connect().controlUrl}/_sandbox/console/${world.name}` : '';
  const timeline = await world.timeline().catch((error: unknown) => `What happened cannot be told: ${(error as Error).message}`);
  return `World ${world.name}${kept}: ${timeline}`;
}

/** How the world of a test is called: always the same, on every system, so that its bytes repeat, and as no other one. */
export function worldName({ file, name, project = '' }: TestPlace, run?: string): string {
  const path = file.replaceAll('\\', '/'); // As Jest has it on Windows.
  const place = [path, name, ...(project === '' ? [] : [project])].join('\n');
  const hash = createHash('sha256').update(place).digest('hex').slice(0, 8);
  const words = [basename(path).replace(/\.(test|spec)\.[a-z]+$|\.[a-z]+$/, ''), name].map(slug).filter(Boolean);
  const readable = [...(run === undefined ? [] : [run]), ...words].join('-').slice(0, 63 - hash.length - 1);
  return `${readable.replace(/-$/, '')}-${hash}`;
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
