import { text } from 'node:stream/consumers';
import { withUsedCommand, commandOf } from './command-name.js';
import { containerSettings } from './container.js';
import { Interrupted } from './failure.js';
import { programHelp } from './help.js';
import { runVerb } from './program.js';
import { startedHere } from './started-here.js';
import { verbs } from './verbs.js';

const ownCommand = () => commandOf(process.argv[1] ?? '', process.cwd(), process.env);

/** Returns the `--help` text of the program, with the command as it was run. @param isAll true to list all commands */
export const help = (isAll: boolean) => withUsedCommand(programHelp(verbs, isAll), ownCommand());

/** Runs a command with the streams, signals and exit code of this process. @param args starting with the command */
export async function runProcess(args: readonly string[]): Promise<void> {
  const leaving = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => leaving.abort(new Interrupted(signal)));
  // A reader such as `head` may close the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 5));
  const { stdout, stderr } = process;
  const environment = { ...process.env, ...containerSettings() };
  process.exitCode = await runVerb(args, {
    stdout,
    stderr,
    environment,
    signal: leaving.signal,
    command: ownCommand(),
    readInput: () => text(process.stdin),
    startedHere,
  });
}
