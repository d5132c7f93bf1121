import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../root.js';
import type { Place } from './integrator.js';

/** The payroll program in each language, with its command. */
const programs = {
  node: [process.execPath, 'payroll.mjs'],
  python: ['python3', '-B', 'payroll.py'],
  php: ['php', 'payroll.php'],
} as const;
export type Language = keyof typeof programs;
export const languages = Object.keys(programs) as Language[];
/** Returns whether a command exists. CI must have them all. */
export const hasLanguage = (language: Language): boolean =>
  Boolean(process.env['CI']) || spawnSync(programs[language][0], ['--version']).status === 0;

/** A payment of the payroll program. */
export interface Payment {
  readonly name: string;
  readonly amount: string;
  /** Default: `transfer`. */
  readonly kind?: 'withdrawal';
  readonly purpose?: string;
  readonly payee?: object;
  /** Format of the idempotency key: `v4` (default), `v5`, `v7`, `v8`, or `upper` for a v4 in capital letters. */
  readonly keys?: string;
}

/** The task of one process of the payroll program. */
export interface Task {
  readonly payments: readonly Payment[];
  /** Number of payments at the same time. Default: 1. The PHP program has one process for each. */
  readonly workers?: number;
  /** How it connects: `keep` (default) uses connections again, `close` and `http10` do not. */
  readonly connection?: 'keep' | 'close' | 'http10';
  /** How it recovers a lost payment: by its key (default), or by the list of webhook deliveries. */
  readonly recovery?: 'deliveries';
  readonly subscription?: string;
  /** Whether it reads each payment until its end. Default: true. */
  readonly reads?: boolean;
  /** Whether all processes share one token. Default: false. */
  readonly sharesToken?: boolean;
  /** Kills the process once, after it has `stored` a payment, `sent` its request, or `received` the response. */
  readonly killed?: { readonly payment: string; readonly moment: 'stored' | 'sent' | 'received' };
  /** Base URL. Default: that of the sandbox. */
  readonly url?: string;
}

/** The knowledge of the payroll program about a payment. */
export interface KnownOutcome {
  readonly operation?: string;
  readonly outcome?: string;
  readonly refusal?: string;
}

/** Runs the payroll program with one memory for all its processes. */
export class Payroll {
  readonly #place: Place;
  readonly #language: Language;
  readonly #state = mkdtempSync(join(tmpdir(), 'crossborder-payroll-'));

  constructor(place: Place, language: Language) {
    this.#place = place;
    this.#language = language;
  }

  /** Runs a task to its end, with one more process if the first one is killed. */
  async run(task: Task): Promise<KnownOutcome[]> {
    const { workers = 1, payments } = task;
    if (this.#language === 'php' && workers > 1) {
      const shares = Array.from({ length: workers }, (_, worker) => payments.filter((_each, index) => index % workers === worker));
      const known = await Promise.all(shares.map((share) => this.run({ ...task, workers: 1, payments: share })));
      return known.flat();
    }
    const output = await this.#process(task);
    if (output !== null) return JSON.parse(output) as KnownOutcome[];
    if (task.killed === undefined) throw new Error('The payroll program was killed.');
    const { killed: _killed, ...rest } = task;
    return this.run(rest);
  }

  /** Runs one process. @returns its output; null if it was killed */
  async #process(task: Task): Promise<string | null> {
    const { url, account, otherAccount, payee, credentials } = this.#place;
    const [command, ...words] = programs[this.#language];
    const script = join(root, 'src/testing/independent', words.at(-1)!);
    const whole = { url, ...credentials, account, other: otherAccount, payee, state: this.#state, ...task };
    const child = spawn(command, [...words.slice(0, -1), script], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TASK: JSON.stringify(whole) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const texts = { out: '', error: '' };
    child.stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (texts.error += chunk.toString()));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    if (signal === 'SIGKILL') return null;
    if (code !== 0) throw new Error(`The payroll program ended with ${code ?? signal}: ${texts.error}`);
    return texts.out;
  }

  /** Deletes what the program knows, as an old backup does. */
  forget(): void {
    this.end();
    mkdirSync(this.#state);
  }

  end(): void {
    rmSync(this.#state, { recursive: true, force: true });
  }
}
