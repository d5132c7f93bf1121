import { clientErrorCodes, SandboxError } from '../error.js';
import type { ExploredWorld } from './explored-world.js';
import type { ExploreOptions, JourneyContext } from './options.js';
import type { ExplorationResult } from './result.js';
import { Exploration } from './search.js';
import { textOf } from './text.js';

/** Thrown if an exploration finds a schedule that breaks the client, or cannot try any schedule. The message describes the result. */
export class ExplorationError extends Error {
  override readonly name = 'ExplorationError';
  readonly result: ExplorationResult;

  constructor(result: ExplorationResult) {
    super(textOf(result));
    this.result = result;
  }
}

/**
 * Searches for schedules of deviations that break a client.
 * @throws ExplorationError if the verdict is not PASSED, unless `throws` is false; SandboxError INVALID_OPTION, JOURNEY_FAILED, or if a
 * control request fails
 */
export async function explore<T>(
  world: ExploredWorld,
  journey: (context: JourneyContext) => T | Promise<T>,
  options: ExploreOptions<T>,
): Promise<ExplorationResult> {
  checkOptions(options);
  const parent = await world.scenario.get();
  let result: ExplorationResult;
  try {
    result = await new Exploration(world, journey, options, parent.name).result();
  } finally {
    await world.endTest();
    await world.scenario.use(parent.name);
  }
  await world.putExploration(result);
  if (result.verdict !== 'PASSED' && options.throws !== false) throw new ExplorationError(result);
  return result;
}

const limits = { schedules: 100_000, seconds: 86_400, patience: 600_000, shards: 1000 } as const;

/** @throws SandboxError INVALID_OPTION */
function checkOptions({ budget = {}, deviations = 1, patience = 1, seed = 1, shard = [1, 1] }: ExploreOptions<never>): void {
  const { schedules = 1, seconds = 1 } = budget;
  const isWhole = (value: number, least: number, most: number) => Number.isSafeInteger(value) && value >= least && value <= most;
  const check = (isValid: boolean, name: string, expected: string) => {
    if (!isValid) throw new SandboxError({ code: clientErrorCodes.invalidOption, serverMessage: `${name}: expected ${expected}.` });
  };
  check(isWhole(schedules, 1, limits.schedules), 'budget.schedules', `a whole number from 1 to ${limits.schedules}, for example 200`);
  check(seconds > 0 && seconds <= limits.seconds, 'budget.seconds', `a number up to ${limits.seconds}, for example 60`);
  check(isWhole(deviations, 1, 3), 'deviations', '1, 2 or 3');
  check(patience > 0 && patience <= limits.patience, 'patience', `milliseconds up to ${limits.patience}, for example 2000`);
  check(isWhole(seed, 0, 2 ** 32 - 1), 'seed', 'a whole number from 0 to 4294967295');
  const [part, parts] = shard;
  check(
    isWhole(parts, 1, limits.shards) && isWhole(part, 1, parts),
    'shard',
    'the number of a part and the number of parts, for example [2, 4]',
  );
}
