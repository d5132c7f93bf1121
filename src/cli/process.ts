import { text } from 'node:stream/consumers';
import { containerSettings } from './container.js';
import { Interrupted } from './failure.js';
import { verbList } from './help.js';
import { runVerb } from './program.js';
import { verbs } from './verbs.js';

/** What `--help` says of the verbs. */
export const listVerbs = () => `Verbs, which call a sandbox that runs; crossborder-sandbox <verb> --help says more:\n\n${verbList(verbs)}`;

/** Runs a verb as this process: with its streams, its signals and its exit code. @param args with the verb as the first */
export async function runProcess(args: readonly string[]): Promise<void> {
  const leaving = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => leaving.abort(new Interrupted(signal)));
  // Whoever reads may have enough, as `head` has.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 5));
  const { stdout, stderr } = process;
  const environment = { ...process.env, ...containerSettings() };
  process.exitCode = await runVerb(args, { stdout, stderr, environment, signal: leaving.signal, readInput: () => text(process.stdin) });
}
