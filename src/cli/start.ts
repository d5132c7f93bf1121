import { inspect } from 'node:util';
import { gated } from './gate.js';
import type { Sink } from './output.js';
import { startServer, type RunningServer } from '../server/server.js';
import { tokenCommand } from '../web/start-page.js';
import { describeSettings, readSettings, SettingError, variableWarnings, type Settings } from '../server/options.js';

export { startInProcess } from '../server/in-process.js';

/** Writes a line through the gate of the command. */
const say = (sink: Sink, text: string) => gated(sink, process.env).write(`${text}\n`);

/** What `--help` prints. */
export const help = () => `crossborder-sandbox: a sandbox of a cross-border payments API

Usage: crossborder-sandbox [start] [options]

Options, each also as an environment variable; an option wins:
${describeSettings()}
  --version                                               Print the version.
  --help                                                  Print this.
`;

function settingsOrExit(args: readonly string[]): Settings {
  try {
    return readSettings(args, process.env);
  } catch (error) {
    const hint = 'crossborder-sandbox --help lists the settings, and the verbs, which stand before their options.';
    say(process.stderr, `${(error as Error).message}\n\n${hint}`);
    process.exit(2);
  }
}

function welcome({ url, controlUrl, data, credentials }: RunningServer): string {
  return `crossborder-sandbox is ready

  Base URL     ${url}
  Credentials  ${credentials ? `clientId ${credentials.clientId}, clientSecret ${credentials.clientSecret}` : 'each world has its own; POST /_sandbox/worlds makes one'}
  Contract     ${url}/docs for people, ${url}/openapi.json for programs
  Console      ${controlUrl}/_sandbox/console
  Data         ${data ?? 'in memory, gone at the end'}
${credentials ? `\nTry it:\n\n${tokenCommand(url, credentials).replaceAll(/^/gm, '  ')}\n` : ''}`;
}

/** How long a start goes on that is told to stop, in milliseconds. It may be cut off anywhere: what is kept is whole at any time. */
const startingMs = 1000;

/** Starts the sandbox and keeps it until it is told to stop. @param args the settings, as flags @param stop resolves when it is told to */
export async function start(args: readonly string[], stop: Promise<void>): Promise<void> {
  const settings = settingsOrExit(args);
  for (const warning of variableWarnings(process.env)) say(process.stderr, `Warning: ${warning}`);
  // Else a terminal that somebody has stopped with Ctrl-S, or that nobody reads, stops the sandbox with the next line of its log.
  (process.stderr as { _handle?: { setBlocking?: (isBlocking: boolean) => void } })._handle?.setBlocking?.(false);
  let server: RunningServer | undefined;
  void stop.then(() => setTimeout(() => server ?? process.exit(0), startingMs).unref());
  try {
    server = await startServer(settings);
  } catch (error) {
    say(process.stderr, `The sandbox did not start: ${(error as Error).message}`);
    process.exit(error instanceof SettingError ? 2 : 1);
  }
  say(process.stdout, welcome(server));
  await stop;
  try {
    await server.close();
  } catch (error) {
    say(process.stderr, inspect(error));
    process.exit(1);
  }
  process.exit(0);
}
