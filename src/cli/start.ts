import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { withUsedCommand, commandOf } from './command-name.js';
import { escapedOutput } from './gate.js';
import { otherPort, portHolder } from './port-holder.js';
import { noteStart, setVariable } from './started-here.js';
import type { OutputTarget } from './gate.js';
import { isContainer } from '../server/listen.js';
import { startServer, type RunningServer } from '../server/server.js';
import { defaultWorld } from '../world/identity.js';
import { tokenCommand } from '../api/plane/start-page.js';
import { describeSettings, readSettings, SettingError, variableWarnings, type Settings } from '../server/options.js';

export { LiveReplay } from '../server/replay/live.js';
export { Player } from '../server/replay/player.js';
export { readReplay } from '../server/replay/read-file.js';
export { checkFile } from '../server/check-file.js';
export { startInProcess } from '../server/in-process.js';

/** Writes a line with control characters escaped. */
const say = (target: OutputTarget, text: string) => escapedOutput(target, process.env).write(`${text}\n`);

const ownCommand = () => commandOf(process.argv[1] ?? '', process.cwd(), process.env);

/** Returns the `--help` text of the server. */
export const help = () => withUsedCommand(helpText(), ownCommand());

const helpText = () => `A sandbox of a cross-border payments API

Usage: crossborder-sandbox start [options]     The word start may be left out.

Options (each has an environment variable; the option takes precedence):
${describeSettings()}
  --version                                               Print the version.
  --help                                                  Print this help.
`;

/** Returns a hint about npm, which takes flags before `--` for itself. */
const npmHint = () => (process.env['npm_lifecycle_event'] === 'start' ? ' With npm: npm start -- --name value.' : '');

function settingsOrExit(args: readonly string[]): Settings {
  try {
    return readSettings(args, process.env);
  } catch (error) {
    const hint = `crossborder-sandbox --help lists the commands, and --help server the settings. Write a command before its options.${npmHint()}`;
    say(process.stderr, withUsedCommand(`${(error as Error).message}\n\n${hint}`, ownCommand()));
    process.exit(2);
  }
}

/** Returns lines about the default world if its clock is frozen, or its scenario is not the configured one. */
function worldLines({ sandbox, credentials }: RunningServer, { SCENARIO }: Settings): string {
  const world = credentials && sandbox.worlds.get(defaultWorld.name);
  if (!world) return '';
  const { clock } = world;
  const scenario = world.read((view) => view.require('scenario', 'scenario', 'scenario').name);
  const command = ownCommand();
  return [
    ...(clock.mode === 'FROZEN' ? [`  Clock        frozen at ${clock.at}; start it with: ${command} clock run`] : []),
    ...(scenario === SCENARIO ? [] : [`  Scenario     ${scenario}; use the configured one with: ${command} scenario use ${SCENARIO}`]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Returns a line about the access to an open control API in a container; empty without a container, where the log has a warning. */
const accessLine = ({ isOpen }: RunningServer) =>
  isOpen && isContainer() ? '  Access       without a token: publish the port as 127.0.0.1:4010:4010, or set SANDBOX_CONTROL_TOKEN\n' : '';

/** Returns lines with the variables that commands need to find this sandbox; empty on the default port. */
function addressLine({ url, controlUrl }: RunningServer): string {
  const variables = { SANDBOX_URL: url, ...(controlUrl === url ? {} : { SANDBOX_CONTROL_URL: controlUrl }) };
  if (new URL(url).port === '4010' && controlUrl === url) return '';
  const lines = Object.entries(variables).map(([name, value]) => setVariable(name, value));
  return lines.map((line, index) => `  ${index === 0 ? 'Commands ' : '         '}    ${line}\n`).join('');
}

function welcome(server: RunningServer, settings: Settings): string {
  const { url, controlUrl, data, credentials } = server;
  return `crossborder-sandbox is ready

  Base URL     ${url}
  Credentials  ${credentials ? `clientId ${credentials.clientId}, clientSecret ${credentials.clientSecret}` : 'each world has its own; create one with POST /_sandbox/worlds'}
  Contract     ${url}/docs for people, ${url}/openapi.json for programs
  Console      ${controlUrl}/_sandbox/console
  Data         ${data ?? 'in memory, lost when the sandbox stops'}
${addressLine(server)}${accessLine(server)}${worldLines(server, settings)}${credentials ? `\nTry it:\n\n${tokenCommand(url, credentials).replaceAll(/^/gm, '  ')}\n` : ''}`;
}

async function answersAsSandbox(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/_sandbox`, { signal: AbortSignal.timeout(1000) })).headers.has('x-request-id');
  } catch {
    return false;
  }
}

/** Returns what uses the port that a start needs, and another port; empty for any other error. */
async function portHint(error: unknown): Promise<string> {
  const { code, port, address } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code !== 'EADDRINUSE' || port === undefined || !(error instanceof SettingError)) return '';
  const host = address?.includes(':') ? `[${address}]` : (address ?? '127.0.0.1');
  const origin = `http://${host.replace(/^(0\.0\.0\.0|\[::\])$/, '127.0.0.1')}:${port}`;
  const isSandbox = await answersAsSandbox(origin);
  const holder = portHolder(port);
  const by = holder === null ? '' : ` (${holder.replace(/^P/, 'p')})`;
  const what = isSandbox ? `A sandbox already runs at ${origin}${by}; you can use it.` : `Another program${by} uses ${origin}.`;
  return `. ${what} To start one on another port: crossborder-sandbox start ${error.flag} ${otherPort(port)}`;
}

/** Maximum milliseconds to finish starting after a stop signal. Exiting during a start is safe: stored data is always consistent. */
const startingMs = 1000;

/** Runs the sandbox until `stop` resolves, then exits the process. @param args the settings, as flags */
export async function start(args: readonly string[], stop: Promise<void>): Promise<void> {
  const settings = settingsOrExit(args);
  for (const warning of variableWarnings(process.env)) say(process.stderr, `Warning: ${warning}`);
  // Otherwise the next log line blocks the sandbox while a terminal is paused with Ctrl-S or a pipe has no reader.
  (process.stderr as { _handle?: { setBlocking?: (isBlocking: boolean) => void } })._handle?.setBlocking?.(false);
  // The default of V8, which src/cli/main.ts changed: reading many rows with so little memory for new objects takes twice as long.
  setFlagsFromString('--semi-space-growth-factor=2');
  let server: RunningServer | undefined;
  void stop.then(() => setTimeout(() => server ?? process.exit(0), startingMs).unref());
  try {
    server = await startServer(settings);
  } catch (error) {
    say(process.stderr, withUsedCommand(`The sandbox did not start: ${(error as Error).message}${await portHint(error)}`, ownCommand()));
    process.exit(error instanceof SettingError ? 2 : 1);
  }
  setFlagsFromString('--heap-growing-percent=50'); // Otherwise V8 lets the heap grow to several times what the worlds need.
  const removeNote = noteStart(server.url, settings.DATA);
  process.once('exit', removeNote);
  say(process.stdout, welcome(server, settings));
  await stop;
  try {
    await server.close();
  } catch (error) {
    say(process.stderr, inspect(error));
    process.exit(1);
  }
  process.exit(0);
}
