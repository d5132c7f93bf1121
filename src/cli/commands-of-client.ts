import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClientProcess } from '../client/explore/options.js';
import { endOf, startOf } from '../contract/shared/messages/cut.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Maximum number of characters: of the output of a command to read, and of its errors to show. */
const limits = { output: 1024 * 1024, errors: 500 } as const;
/** Time for a program to become ready, and the interval between two checks, in milliseconds. */
const ready = { withinMs: 60_000, everyMs: 50 } as const;

/** Starts a shell command in its own process group, so that all its processes can be killed. */
function start(command: string, environment: Environment): ChildProcess {
  return spawn(command, {
    shell: true,
    detached: process.platform !== 'win32',
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Kills a command with all its processes. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // The command has already ended.
  }
}

/**
 * Runs a shell command to its end.
 * @returns its standard output
 * @throws Error if the exit code is not 0; the reason of `signal` if it aborts
 */
export async function outputOf(command: string, environment: Environment, signal: AbortSignal): Promise<string> {
  const child = start(command, environment);
  let output = '';
  let errors = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (output = startOf(`${output}${chunk}`, limits.output)));
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (errors = endOf(`${errors}${chunk}`, limits.errors)));
  const stop = () => killGroup(child);
  signal.addEventListener('abort', stop);
  try {
    const [code, killedBy] = (await once(child, 'close')) as [number | null, string | null];
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`"${command}" ended with ${code ?? killedBy}. ${errors.trim()}`.trim());
    return output;
  } finally {
    signal.removeEventListener('abort', stop);
    killGroup(child);
  }
}

/** Options of {@link exitCodeOf}. */
interface RunOptions {
  /** True to let a shell run the command, which may then be a whole command line. */
  readonly shell: boolean;
  readonly stdin: 'inherit' | 'ignore';
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/**
 * Runs a command to its end, with the output of this process.
 * @returns its exit code; 128 plus the number of the signal that ended it
 * @throws the reason of `signal` if it aborts, which ends the command with all its processes; Error if the command cannot be started
 */
export async function exitCodeOf(
  command: string,
  args: readonly string[],
  { shell, stdin, environment, signal }: RunOptions,
): Promise<number> {
  // Ctrl-C at a terminal reaches all processes. Without a terminal, a separate process group stops the command and its children together.
  const detached = process.platform !== 'win32' && !process.stdin.isTTY;
  const child = spawn(command, args, { shell, stdio: [stdin, 'inherit', 'inherit'], detached, env: { ...environment } });
  const stop = () => {
    try {
      if (detached && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      else child.kill();
    } catch {
      // The process group has already ended.
    }
  };
  signal.addEventListener('abort', stop);
  try {
    const [code, endedBy] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    signal.throwIfAborted();
    return code ?? 128 + constants.signals[endedBy!];
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Parses the output of a command as JSON; returns its lines if it is not valid JSON. */
export function dataIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.split('\n').filter((line) => line.trim() !== '');
  }
}

/** The program of a client, started by a shell command. */
export class ClientProgram implements ClientProcess {
  readonly #command: string;
  readonly #readyUrl: string;
  readonly #environment: Environment;
  readonly #signal: AbortSignal;
  #child: ChildProcess | undefined;
  #errors = '';

  /** @param readyUrl responds with 2xx when the program is ready */
  constructor(command: string, readyUrl: string, environment: Environment, signal: AbortSignal) {
    this.#command = command;
    this.#readyUrl = readyUrl;
    this.#environment = environment;
    this.#signal = signal;
  }

  /** Starts the program and waits until it is ready. @throws Error if it ends, or is not ready within a minute */
  async start(): Promise<void> {
    const child = start(this.#command, this.#environment);
    this.#child = child;
    child.stdout!.resume();
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (this.#errors = endOf(`${this.#errors}${chunk}`, limits.errors)));
    let isOver = false;
    child.once('close', () => (isOver = true));
    child.once('error', () => (isOver = true));
    for (const end = performance.now() + ready.withinMs; performance.now() < end;) {
      this.#signal.throwIfAborted();
      if (isOver) throw new Error(`"${this.#command}" ended before it was ready. ${this.#errors.trim()}`.trim());
      const response = await fetch(this.#readyUrl, { signal: AbortSignal.timeout(ready.withinMs) }).catch(() => null);
      await response?.body?.cancel();
      if (response?.ok) return;
      await wait(ready.everyMs);
    }
    throw new Error(`"${this.#command}" was not ready within a minute: ${this.#readyUrl} does not respond with 2xx.`);
  }

  /** Kills the program with all its processes. Does nothing if the program does not run. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return;
    const isRunning = child.exitCode === null && child.signalCode === null;
    const closed = isRunning ? once(child, 'exit') : undefined;
    killGroup(child);
    await closed;
  }
}
