import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { environmentOf } from '../../client/environment.js';
import { SandboxClient } from '../../client/sandbox.js';
import { withUsedCommand } from '../command-name.js';
import { whyText } from '../../client/why-text.js';
import type { FirstDifference } from '../../server/replay/follower.js';
import type { Player } from '../../server/replay/player.js';
import type { Replay, ReplayStep } from '../../contract/control/analysis/replay.js';
import { exitCodeOf } from '../commands-of-client.js';
import { failureText, UsageError } from '../failure.js';
import type { Output } from '../output.js';
import { toFile, wholeNumber } from '../values.js';
import type { Invocation, Verb } from '../verb.js';

const group = 'verdict';

const save: Verb = {
  name: 'replay save',
  group,
  summary: 'Save a file that repeats the latest test, or the present generation of the world, on another machine.',
  args: [{ name: 'file', meaning: 'Output file. Default: standard output.', isOptional: true }],
  options: [{ name: 'test', value: 'name', meaning: 'Name of the test, which must be the latest marked one.' }],
  examples: [
    'crossborder-sandbox replay save > pays-out.replay.json',
    'crossborder-sandbox replay save | crossborder-sandbox replay -',
    'crossborder-sandbox replay save | crossborder-sandbox replay - --check',
  ],
  calls: ['GET /_sandbox/replay'],
  run: async ({ world, args: [file], given, out, command, signal }) => {
    const text = JSON.stringify(await world.replay({ test: given.text('test'), signal }));
    if (file === undefined) return out.line(text);
    toFile(file, (at) => writeFileSync(at, `${text}\n`));
    out.remark(withUsedCommand(`Saved ${file}. To repeat it: npx crossborder-sandbox replay ${file}`, command));
  },
};

/** Whether a file name is that of a replay file. */
const isReplayFile = (name: string) => /\.replay\.json(\.gz)?$/.test(name);

/** Returns the replay files of an argument: a file, all files of a directory, or standard input. @throws UsageError */
function filesIn(path: string): string[] {
  if (path === '-' || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const names = readdirSync(path).filter(isReplayFile).toSorted();
  if (names.length === 0) throw new UsageError(`The directory ${path} has no file with a name like pays-out.replay.json.`);
  return names.map((name) => join(path, name));
}

async function bytesOf(file: string, { readInput }: Invocation): Promise<Buffer> {
  if (file === '-') return Buffer.from(await readInput());
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** Loads the server, which other commands do not need. */
const server = () => import('../start.js');

/** Reads a replay file. @throws UsageError with the error and its position */
async function read(file: string, invocation: Invocation): Promise<Replay> {
  const { readReplay } = await server();
  try {
    return readReplay(await bytesOf(file, invocation), file === '-' ? 'Standard input' : file);
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplayFileError') throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

function stepLine(step: ReplayStep, number: number): string {
  const place = `${String(number).padStart(4)}  ${step.at.slice(11, 23)}`;
  const effect = step.effect === null ? '' : `  ${JSON.stringify(step.effect)}`;
  const { status } = step.response;
  if (step.kind === 'ATTEMPT')
    return `${place}  ${step.eventType} attempt ${step.number} → ${status === 0 ? step.response.error : status}${effect}`;
  const { code, outcome } = step.response;
  return `${place}  ${step.method} ${step.url}  ${status}${code === null ? '' : ` ${code}`}${outcome === 'DELIVERED' ? '' : ` ${outcome}`}${effect}`;
}

/** Returns the content of a replay file as lines. */
function linesOf({ world, test, madeBy, steps, ends, complete, cutFrom }: Replay): string[] {
  const facts: (readonly [string, string | null | undefined])[] = [
    ['test', test.name],
    ['file', test.file],
    ['failure', test.failure],
    ['commit', test.commit],
    ['run', test.runUrl],
    ['world', `${world.name}, seed ${world.seed}, scenario ${world.scenario}${world.base === 'created' ? '' : ', from an exported state'}`],
    ['made by', `crossborder-sandbox ${madeBy.version}`],
    ['complete', complete ? 'yes' : `no: step ${cutFrom ?? 1} and the later ones are missing`],
  ];
  return [
    ...facts.flatMap(([name, value]) => (value === null || value === undefined ? [] : [`${name}: ${value}`])),
    ...steps.map((step, index) => stepLine(step, index + 1)),
    ...ends.findings.map(({ id, rule, title, count }) => `finding ${id} ${rule} (${count}): ${title}`),
    ...ends.failedVerifications.map((line) => `failed verification: ${line}`),
  ];
}

/** Repeats a file and compares the results. @returns true if there was no difference */
async function check(file: string, invocation: Invocation): Promise<boolean> {
  const { out, signal } = invocation;
  const recorded = await read(file, invocation);
  const { Player } = await server();
  const player = await Player.start(recorded);
  let difference: Awaited<ReturnType<typeof player.check>>;
  try {
    difference = await player.check();
  } finally {
    await player.close();
  }
  signal.throwIfAborted();
  const { steps, complete, cutFrom } = recorded;
  const upTo = complete ? '' : ` The file is not complete: repeated up to step ${(cutFrom ?? 1) - 1}.`;
  if (!difference) {
    out.item({ file, same: true, steps: steps.length, difference: null }, `${file}: no difference in ${steps.length} steps.${upTo}`, file);
    return true;
  }
  const { step, field, recorded: before, now } = difference;
  const shown = step === null ? undefined : steps[step - 1];
  const place = step === null ? 'the end' : `step ${step}`;
  const line = `${file}: differs at ${place}.${shown ? `\n${stepLine(shown, step!)}` : ''}\n  ${field}\n    recorded  ${String(before)}\n    now       ${String(now)}`;
  out.item({ file, same: false, steps: steps.length, difference }, line, file);
  return false;
}

/** Serves the state after a step until the command is interrupted. */
async function stand(file: string, until: number | undefined, invocation: Invocation): Promise<void> {
  const { out, given, signal } = invocation;
  const recorded = await read(file, invocation);
  const last = until ?? recorded.steps.length;
  if (last > recorded.steps.length) throw new UsageError(`--until is ${last}; the file has ${recorded.steps.length} steps.`);
  const { Player } = await server();
  const port = given.text('port');
  const player = await Player.start(recorded, port === undefined ? {} : { port: wholeNumber(port, '--port', 65_535) });
  try {
    const stopped = await player.play(last);
    if (stopped)
      throw new UsageError(`Step ${stopped.step} cannot be repeated: ${stopped.field}: ${String(stopped.now)}. Use --check to compare.`);
    await player.stand();
    const { url, controlUrl } = player.server;
    const { name } = recorded.world;
    const variables = environmentOf(url, name, player.credentials);
    out.show(
      variables,
      Object.entries(variables).map(([variable, value]) => `${variable}=${value}`),
    );
    out.remark(
      `State after step ${last} of ${recorded.steps.length}. Console: ${controlUrl}/_sandbox/console/${name}. Ctrl-C ends the sandbox.`,
    );
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  } finally {
    await player.close();
  }
}

/** Returns a difference as lines. */
function departureLines({ step, now, same }: FirstDifference, { steps }: Replay): string[] {
  const until = `${same.calls} requests and ${same.attempts} webhooks as recorded; then`;
  const keyed = (key: string | null | undefined) => (key === null || key === undefined ? '' : `  key ${key.slice(0, 4)}…`);
  const recorded = step === null ? undefined : steps[step - 1]!;
  const before = recorded
    ? `${stepLine(recorded, step!)}${recorded.kind === 'ATTEMPT' ? '' : keyed(recorded.headers['x-idempotency-key'])}`
    : 'nothing';
  let after = 'the command ended';
  if (now?.kind === 'ATTEMPT') after = `${now.eventType} attempt ${now.number} → ${now.status === 0 ? now.error : now.status}`;
  else if (now) {
    const { method, url, key, keyOf, status, code, isReplay } = now;
    const origin = keyOf === null ? '' : ` (that of step ${keyOf})`;
    after = `${method} ${url}${keyed(key)}${origin}  ${status}${code === null ? '' : ` ${code}`}${isReplay ? ' replayed' : ''}`;
  }
  return [until, `  recorded  ${before.trimStart()}`, `  now       ${after}`];
}

/** Says before a live replay that faults and scenarios by the control API are repeated only by the command itself. */
function warnOfControlSteps({ steps }: Replay, out: Output): void {
  const numbers = steps.flatMap((step, index) =>
    step.kind === 'CONTROL' && steering.has(step.operationId ?? '') && step.response.status < 300 ? [index + 1] : [],
  );
  if (numbers.length === 0) return;
  const shown = numbers.slice(0, maxShownSteps).join(', ');
  const more = numbers.length > maxShownSteps ? `, and ${numbers.length - maxShownSteps} more` : '';
  out.remark(
    `Steps ${shown}${more} changed faults or the scenario by the control API. They are repeated only if the command sends these requests again; otherwise use --check.`,
  );
}

/** The control requests that change which rules and faults apply. */
const steering: ReadonlySet<string> = new Set(['createFault', 'deleteFault', 'putScenario']);
const maxShownSteps = 10;

/** Runs a command with a live client in the world of a file. @returns the exit code of the command */
async function live(file: string, command: readonly string[], invocation: Invocation): Promise<number> {
  const { out, signal, given, environment } = invocation;
  const [program, ...rest] = command;
  if (program === undefined) throw new UsageError('--live needs a command after --, for example replay FILE --live -- npm test.');
  const recorded = await read(file, invocation);
  warnOfControlSteps(recorded, out);
  const { LiveReplay } = await server();
  const port = given.text('port');
  const replayed = await LiveReplay.start(recorded, port === undefined ? {} : { port: wholeNumber(port, '--port', 65_535) });
  try {
    const { url, controlUrl } = replayed.server;
    const { name } = recorded.world;
    const own = { ...environmentOf(url, name, replayed.credentials), SANDBOX_CONTROL_URL: controlUrl, SANDBOX_REPLAY_WORLD: name };
    // On Windows, npm and npx are scripts, which only a shell runs.
    const shell = process.platform === 'win32';
    let exitCode: number;
    try {
      exitCode = await exitCodeOf(program, rest, { shell, stdin: 'ignore', environment: { ...environment, ...own }, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw new UsageError(`The command ${program} cannot be run: ${(error as Error).message}`, { cause: error });
    }
    replayed.ended();
    const { departure, same } = replayed;
    const lines = departure
      ? departureLines(departure, recorded)
      : [`No difference: the client sent ${same.calls} requests and got ${same.attempts} webhooks as recorded.`];
    out.show({ same, departure, exitCode }, lines);
    return exitCode;
  } finally {
    await replayed.close();
  }
}

/** Explains the latest step of a replay: the resource, message or request that it is about. */
async function explained(player: Player, { name }: Replay['world'], step: ReplayStep): Promise<string> {
  const { url, controlUrl } = player.server;
  const world = new SandboxClient({ url, controlUrl, token: null, timeoutMs: 10_000, fetch: (request) => fetch(request) }).world(name);
  try {
    if (step.kind === 'ATTEMPT') return whyText(await world.why(step.messageId));
    const latest = await world.requests.list({ sortOrder: 'DESCENDING' }).first();
    return latest ? whyText(await world.why(latest.id)) : 'No request is recorded.';
  } catch (error) {
    return `No explanation: ${(error as Error).message}`;
  }
}

/** Replays one step for each line of the input. */
async function stepThrough(file: string, invocation: Invocation): Promise<number> {
  const { out, protocol } = invocation;
  if (file === '-') throw new UsageError('--step reads the keys from standard input, so the replay file needs a path.');
  const recorded = await read(file, invocation);
  const { steps, world } = recorded;
  if (steps.length === 0) throw new UsageError(`${file} has no steps to repeat.`);
  const { Player } = await server();
  const player = await Player.start(recorded);
  const lines = createInterface({ input: protocol().input });
  invocation.signal.addEventListener('abort', () => lines.close(), { once: true });
  try {
    let number = 0;
    let code = 0;
    let isOver = false;
    out.remark(`${steps.length} steps. Enter: next step; w: why; q: quit.`);
    for await (const line of lines) {
      if (line.trim() === 'q') break;
      if (line.trim() === 'w') {
        out.line(number === 0 ? 'No step was repeated yet.' : await explained(player, world, steps[number - 1]!));
        continue;
      }
      if (isOver) {
        out.remark('w: why; q: quit.');
        continue;
      }
      const step = steps[number]!;
      number += 1;
      const stopped = (await player.play(number)) ?? (await player.difference());
      out.item({ number, step, difference: stopped }, stepLine(step, number), String(number));
      if (stopped) {
        out.remark(`Differs at step ${stopped.step}: ${stopped.field}: recorded ${String(stopped.recorded)}, now ${String(stopped.now)}`);
        code = 1;
      }
      isOver = stopped !== null || number === steps.length;
      if (isOver) out.remark(`${stopped ? 'No later step is repeated.' : 'This was the last step.'} w: why; q: quit.`);
    }
    invocation.signal.throwIfAborted();
    return code;
  } finally {
    lines.close();
    await player.close();
  }
}

const replay: Verb = {
  name: 'replay',
  group,
  summary: 'Show a replay file, repeat and compare it, run your client against it, or start a sandbox in the state after a step.',
  args: [
    { name: 'file', meaning: 'A replay file, a directory of them for --check, or - for standard input.' },
    { name: 'command', meaning: 'After --live --: the command that runs your client or its test.', isOptional: true, isMany: true },
  ],
  options: [
    { name: 'check', meaning: 'Repeat all steps in this process and compare the results. Exit code 1: a step differs.' },
    { name: 'until', value: 'step', meaning: 'Start a sandbox in the state after this step, with a frozen clock.' },
    { name: 'at-failure', meaning: 'Start a sandbox in the state after the last step, with a frozen clock.' },
    { name: 'live', meaning: 'Run the command after -- with a sandbox at step 0, and show where it first differs from the recording.' },
    { name: 'step', meaning: 'Repeat one step for each Enter; w explains the latest step, q quits. Exit code 1: a step differs.' },
    { name: 'port', value: 'port', meaning: 'Port of the sandbox of --until, --at-failure and --live.', usual: 'a free port' },
  ],
  examples: [
    'crossborder-sandbox replay save | crossborder-sandbox replay -',
    'crossborder-sandbox replay save | crossborder-sandbox replay - --check',
    'crossborder-sandbox replay save | crossborder-sandbox replay - --json',
  ],
  exits: { 0: 'done; with --check: no difference', 1: 'differs from the recording; with --live: the exit code of the command' },
  calls: ['GET /_sandbox/replay'],
  run: async (invocation) => {
    const { args, given, out } = invocation;
    const [path = '', ...command] = args;
    const ways = ['check', 'until', 'at-failure', 'live', 'step'].filter((each) => given.has(each) || given.text(each) !== undefined);
    if (ways.length > 1) throw new UsageError(`Give only one of ${ways.map((each) => `--${each}`).join(' and ')}.`);
    if (command.length > 0 && !given.has('live'))
      throw new UsageError(`"${command[0]}" is not expected: only --live takes a command, after --.`);
    if (given.has('live')) return live(path, command, invocation);
    if (given.has('step')) return stepThrough(path, invocation);
    if (given.has('check')) return checkAll(filesIn(path), invocation);
    const until = given.text('until');
    if (until !== undefined || given.has('at-failure'))
      return stand(path, until === undefined ? undefined : wholeNumber(until, '--until', 1_000_000), invocation);
    const recorded = await read(path, invocation);
    out.show(recorded, linesOf(recorded));
  },
};

/** Checks files one after the other. An unreadable file does not stop the checks of the other files. @returns the exit code */
async function checkAll(files: readonly string[], invocation: Invocation): Promise<number> {
  if (files.length === 1) return (await check(files[0]!, invocation)) ? 0 : 1;
  let code = 0;
  for (const file of files) {
    try {
      if (!(await check(file, invocation))) code = Math.max(code, 1);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      invocation.out.remark(failureText(error, false));
      code = 2;
    }
  }
  return code;
}

export const replayVerbs: readonly Verb[] = [save, replay];
