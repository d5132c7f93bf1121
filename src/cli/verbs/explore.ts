import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { explore as search } from '../../client/explore/explore.js';
import type { ExploreOptions, ExploreProgress, JourneyContext } from '../../client/explore/options.js';
import type { ExplorationResult } from '../../client/explore/result.js';
import { ClientProgram, dataIn, outputOf } from '../commands-of-client.js';
import { formatExploration, exploreFormats } from '../explore-formats.js';
import { UsageError } from '../failure.js';
import type { Output } from '../output.js';
import { duration, oneOf, toFile, wholeNumber } from '../values.js';
import type { OptionValues, Invocation, Verb } from '../verb.js';

const group = 'verdict';

const exits = {
  0: 'no schedule breaks the client',
  1: 'a schedule breaks the client',
  4: 'the journey is unstable, no webhook arrived in it, or there is nothing to explore',
};
const codes: Readonly<Record<ExplorationResult['verdict'], number>> = {
  PASSED: 0,
  FAILED: 1,
  INCONCLUSIVE: 4,
  UNSTABLE: 4,
  NOTHING_TO_EXPLORE: 4,
};
const interrupted = 130;

const formatOption = { name: 'format', value: exploreFormats.join('|'), meaning: 'Output format.', usual: 'text' } as const;

/** Returns `i/n` as numbers. @throws UsageError */
function shardOf(text: string): [number, number] {
  const [, part = '', parts = ''] = /^([0-9]{1,4})\/([0-9]{1,4})$/.exec(text) ?? [];
  const shard: [number, number] = [Number(part), Number(parts)];
  if (part === '' || shard[0] < 1 || shard[0] > shard[1])
    throw new UsageError(`--shard is "${text}"; expected the number of a part and the number of parts, for example 2/4.`);
  return shard;
}

function required(given: OptionValues, name: string, example: string): string {
  const value = given.text(name);
  if (value === undefined || value.trim() === '') throw new UsageError(`--${name} is missing; expected a command, for example ${example}.`);
  return value;
}

function resultLines(out: Output, given: OptionValues, result: ExplorationResult): void {
  const format = given.text('format');
  const asked = format === undefined ? (out.isJson ? 'json' : 'text') : oneOf(format, '--format', exploreFormats);
  for (const line of formatExploration(asked, result).trimEnd().split('\n')) out.line(line);
}

/** Interval between two lines of progress outside of a terminal, in milliseconds. */
const progressMs = 5000;

/** Returns a function that shows progress. */
function progressOf(out: Output): (progress: ExploreProgress) => void {
  let shownMs = -Infinity;
  return ({ done, of, failures, leftMs }) => {
    const now = performance.now();
    if (!out.isLive && now - shownMs < progressMs) return;
    shownMs = now;
    out.progress(`${done} of at most ${of} schedules, ${failures} failures, ${Math.ceil(leftMs / 1000)} s left`);
  };
}

const explore: Verb = {
  name: 'explore',
  group,
  summary: 'Search for an order of events that breaks your client.',
  options: [
    { name: 'journey', value: 'command', meaning: 'Runs a journey of your client. Its exit code is part of the result.' },
    { name: 'observe', value: 'command', meaning: 'Prints the state of your client about the journey in $SANDBOX_JOURNEY_REF, as JSON.' },
    { name: 'recover', value: 'command', meaning: 'Lets your client find missed events. Lost events are tried only with this option.' },
    { name: 'reconcile', value: 'command', meaning: 'Prints the records of your client, for POST /_sandbox/reconcile.' },
    { name: 'reset', value: 'command', meaning: 'Resets your client before each run. Its duration is not part of the budget.' },
    { name: 'schedules', value: 'number', meaning: 'Maximum number of schedules.', usual: '200' },
    { name: 'seconds', value: 'number', meaning: 'Maximum duration of the search.', usual: '60' },
    { name: 'deviations', value: '1|2|3', meaning: 'Maximum number of deviations in a schedule.', usual: '2' },
    { name: 'seed', value: 'number', meaning: 'Chooses the order of the schedules.', usual: '1' },
    { name: 'patience', value: 'duration', meaning: 'How long to wait for the expected state.', usual: '2s' },
    { name: 'ignore', value: 'path,…', meaning: 'Paths that are not compared; * stands for any name.' },
    { name: 'shard', value: 'i/n', meaning: 'Try only part i of n, for a job that runs in parts.' },
    { name: 'save', value: 'directory', meaning: 'Save each failing schedule there, as a scenario file and a replay file.' },
    { name: 'exec', value: 'command', meaning: 'Starts your program before the search, and ends it afterwards.' },
    { name: 'ready', value: 'url', meaning: 'Responds with 2xx when that program is ready.' },
    { name: 'crash', meaning: 'Also kill and restart that program at each crash point.' },
    formatOption,
  ],
  examples: [
    "crossborder-sandbox explore --journey 'node docs/recipes/explore/pay.mjs' --schedules 2",
    "crossborder-sandbox explore --journey 'node docs/recipes/explore/pay.mjs' --schedules 2 --format junit > explore.xml",
    "crossborder-sandbox explore --journey 'node docs/recipes/explore/pay.mjs' --shard 1/2 --schedules 2 --json > part-1.json",
  ],
  exits,
  calls: [
    'GET /_sandbox/worlds/{worldName}',
    'GET /_sandbox/scenario',
    'PUT /_sandbox/scenario',
    'PUT /_sandbox/test',
    'DELETE /_sandbox/test',
    'GET /_sandbox/clock',
    'POST /_sandbox/clock/advance',
    'GET /_sandbox/requests',
    'GET /_sandbox/replay',
    'GET /_sandbox/findings',
    'GET /_sandbox/ledger',
    'GET /_sandbox/operations',
    'POST /_sandbox/accounts/{accountId}/credit',
    'PUT /_sandbox/exploration',
  ],
  run: async (invocation) => {
    const { world, given, out, signal } = invocation;
    const journey = required(given, 'journey', `'curl -sf -XPOST localhost:3000/test/pay'`);
    const isCrash = given.has('crash');
    const [exec, readyUrl] = [given.text('exec'), given.text('ready')];
    if ((exec === undefined) !== (readyUrl === undefined)) throw new UsageError('--exec and --ready need each other.');
    if (isCrash && exec === undefined)
      throw new UsageError('--crash needs --exec and --ready: only a program that the command started is killed.');
    const environment = { ...invocation.environment, ...(await world.env({ signal })) };
    const options = optionsOf(invocation, environment);
    const program = exec === undefined ? undefined : new ClientProgram(exec, readyUrl!, environment, signal);
    try {
      await program?.start();
      const run = ({ ref, signal: ending }: JourneyContext) => outputOf(journey, { ...environment, SANDBOX_JOURNEY_REF: ref }, ending);
      const result = await search(world, run, { ...options, ...(isCrash ? { process: program } : {}) });
      out.endProgress();
      resultLines(out, given, result);
      return result.ended === 'INTERRUPTED' ? interrupted : codes[result.verdict];
    } finally {
      await program?.kill();
    }
  },
};

/** Returns the options of the exploration. @throws UsageError if an option is invalid */
function optionsOf({ given, out, signal }: Invocation, environment: Invocation['environment']): ExploreOptions<string> {
  const command = (name: string, read: (text: string) => unknown) => {
    const text = given.text(name);
    if (text === undefined) return undefined;
    return async (_value: string, { ref, signal: ending }: JourneyContext) =>
      read(await outputOf(text, { ...environment, SANDBOX_JOURNEY_REF: ref }, ending));
  };
  const number = (name: string, most: number) => {
    const text = given.text(name);
    return text === undefined ? undefined : wholeNumber(text, `--${name}`, most);
  };
  const reset = given.text('reset');
  const [patience, shard, ignore, directory] = ['patience', 'shard', 'ignore', 'save'].map((name) => given.text(name));
  return {
    observe: command('observe', dataIn),
    recover: command('recover', () => undefined),
    reconcile: command('reconcile', dataIn),
    reset: reset === undefined ? undefined : () => outputOf(reset, environment, signal),
    budget: { schedules: number('schedules', 100_000), seconds: number('seconds', 86_400) },
    seed: number('seed', 2 ** 32 - 1),
    deviations: number('deviations', 3),
    patience: patience === undefined ? undefined : duration(patience, '--patience'),
    ignore: ignore?.split(',').map((each) => each.trim()),
    shard: shard === undefined ? undefined : shardOf(shard),
    throws: false,
    signal,
    onProgress: progressOf(out),
    save:
      directory === undefined
        ? undefined
        : ({ scenario: name, ...rest }, replay) => {
            const file = join(directory, `${name}.yaml`);
            const text = `# Found by crossborder-sandbox explore.\n${stringify({ scenario: name, ...rest })}`;
            toFile(file, (at) => {
              mkdirSync(directory, { recursive: true });
              writeFileSync(at, text);
              if (replay) writeFileSync(join(directory, `${name}.replay.json`), `${JSON.stringify(replay)}\n`);
            });
            return file;
          },
  };
}

/** A short exploration, for the examples of the other commands. */
const once = "crossborder-sandbox explore --journey 'node docs/recipes/explore/pay.mjs' --schedules 1";

const show: Verb = {
  name: 'explore show',
  group,
  summary: 'Show the result of the latest exploration of a world.',
  options: [formatOption],
  examples: [
    `${once} && crossborder-sandbox explore show`,
    `${once} && crossborder-sandbox explore show --format html > exploration.html`,
    `${once} && crossborder-sandbox explore show --json`,
  ],
  exits: { ...exits, 1: 'a schedule breaks the client, or there is no result' },
  calls: ['GET /_sandbox/exploration'],
  run: async ({ world, out, given, signal }) => {
    const result = await world.exploration({ signal });
    resultLines(out, given, result);
    return codes[result.verdict];
  },
};

export const exploreVerbs: readonly Verb[] = [explore, show];
