import { writeFileSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import type { WorldClient } from '../client/world.js';
import type { SandboxClient } from '../client/sandbox.js';
import { runVerb } from '../cli/program.js';
import { connect } from './process.js';
import { pixBeneficiary } from './withdrawals.js';

/** Result of a command line. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Splits a command line into words; a quoted part is one word. */
const wordsOf = (text: string) =>
  [...text.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare!);

/**
 * Runs a command line: commands with `&&` and `|` between them, and `> file` after the last.
 * @param options default: empty environment and input, no terminal
 */
export async function runCommandLine(
  line: string,
  options: {
    environment?: Record<string, string>;
    input?: string;
    signal?: AbortSignal;
    isTTY?: boolean;
    /** Called with each output to stdout or stderr. */
    tell?: (text: string) => void;
    /** Results of commands that run a journey, by command; such a command runs only if it is not among them. */
    earlier?: Map<string, CommandResult>;
  } = {},
): Promise<CommandResult> {
  const all: CommandResult = { code: 0, stdout: '', stderr: '' };
  for (const sequence of line.split(' && ')) {
    let stdin = options.input ?? '';
    let ran = all;
    const [piped = '', file] = sequence.split(' > ');
    for (const command of piped.split(' | ')) {
      const [program, ...args] = wordsOf(command);
      if (program !== 'crossborder-sandbox') throw new Error(`${command} is not a crossborder-sandbox command.`);
      ran = options.earlier?.get(command) ?? (await runOne(args, stdin, options));
      if (args.includes('--journey')) options.earlier?.set(command, ran);
      if (ran.code !== 0) return ran;
      stdin = ran.stdout;
    }
    if (file !== undefined) writeFileSync(file, ran.stdout);
    Object.assign(all, ran);
  }
  return all;
}

async function runOne(
  args: readonly string[],
  stdin: string,
  { environment = {}, signal, isTTY, tell }: Parameters<typeof runCommandLine>[1] & {},
): Promise<CommandResult> {
  const [out, errors]: [string[], string[]] = [[], []];
  const code = await runVerb(args, {
    stdout: { isTTY, write: (text) => (tell?.(text), out.push(text)) },
    stderr: { isTTY, write: (text) => (tell?.(text), errors.push(text)) },
    environment,
    signal: signal ?? new AbortController().signal,
    readInput: () => Promise.resolve(stdin),
    protocol: () => ({ input: Readable.from([Buffer.from(stdin)]), output: new PassThrough() }),
  });
  return { code, stdout: out.join(''), stderr: errors.join('') };
}

/** Returns a client of the payments API in a world. @throws Error with the error response */
export async function clientOf(world: WorldClient) {
  const send = await connect(world.url, await world.credentials());
  return async (method: string, path: string, body?: unknown) => {
    const { status, body: answered, text } = await send(method, path, body);
    if (status >= 400) throw new Error(`${method} ${path}: ${text}`);
    return answered as Record<string, never> & { id: string };
  };
}

/** Fills the default world with data of every kind. The newest operation is a pending withdrawal. */
export async function livelyWorld(sandbox: SandboxClient): Promise<WorldClient> {
  const world = await sandbox.replaceWorld('default', { fixtures: 'default', clock: { mode: 'FROZEN', now: '2100-01-01T12:00:00Z' } });
  const api = await clientOf(world);
  await api('POST', '/api/subscriptions', { url: await world.inbox('orders').url(), includeAll: true });
  const { data } = (await api('GET', '/api/accounts?limit=1&sortOrder=ASCENDING')) as unknown as { data: { id: string }[] };
  const accountId = data[0]!.id;
  const quote = async () =>
    (await api('POST', '/api/quotes', { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '99.00' })).id;
  await api('POST', '/api/operations/deposit', { accountId, quoteId: await quote(), fundingInstruction: { rail: 'PIX_KEY' } });
  const [approved] = await world.beneficiaries({ filters: 'status[eq]=APPROVED' }).all(1);
  const paymentInstruction = { type: 'REFERENCE', id: approved!.paymentInstructions[0]!.id };
  await api('POST', '/api/beneficiaries', pixBeneficiary());
  const beneficiary = { type: 'REFERENCE', id: approved!.id, paymentInstruction };
  await api('POST', '/api/operations/withdrawal', { accountId, quoteId: await quote(), beneficiary });
  await quote();
  return world;
}
