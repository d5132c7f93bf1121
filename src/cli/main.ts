#!/usr/bin/env node
import { containerFlags, isReady } from './health.js';
import { startServer } from '../server/server.js';
import { tokenCommand } from '../web/start-page.js';
import { defaultWorld } from '../world/identity.js';
import manifest from '../../package.json' with { type: 'json' };
import { describeSettings, readSettings, SettingError, variableWarnings, type Settings } from '../server/options.js';

/** What `--help` prints. */
const help = () => `crossborder-sandbox: a sandbox of a cross-border payments API

Usage: crossborder-sandbox [options]

Options, each also as an environment variable; an option wins:
${describeSettings()}
  --health                                                Say by the exit code whether the sandbox with these settings is ready.
  --version                                               Print the version.
  --help                                                  Print this.
`;

function settingsOrExit(): Settings {
  try {
    return readSettings(process.argv.slice(2), process.env);
  } catch (error) {
    console.error(`${(error as Error).message}\n\ncrossborder-sandbox --help lists the settings.`);
    process.exit(2);
  }
}

function welcome(url: string, data: string | null): string {
  return `crossborder-sandbox is ready

  Base URL     ${url}
  Credentials  clientId ${defaultWorld.clientId}, clientSecret ${defaultWorld.clientSecret}
  Contract     ${url}/docs for people, ${url}/openapi.json for programs
  Data         ${data ?? 'in memory, gone at the end'}

Try it:

${tokenCommand(url, defaultWorld).replaceAll(/^/gm, '  ')}
`;
}

/** Starts the sandbox and keeps it until it is told to stop. */
export async function run(): Promise<void> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    console.log(help());
  } else if (process.argv.includes('--version')) {
    console.log(manifest.version);
  } else if (process.argv.includes('--health')) {
    const flags = process.argv.slice(2).filter((each) => each !== '--health');
    const isUp = await isReady(readSettings([...containerFlags(), ...flags], process.env));
    if (!isUp) console.error('The sandbox is not ready.');
    process.exitCode = isUp ? 0 : 1;
  } else {
    const settings = settingsOrExit();
    for (const warning of variableWarnings(process.env)) console.error(`Warning: ${warning}`);
    try {
      const server = await startServer(settings);
      console.log(welcome(server.url, server.data));
      let stopping = false;
      const stop = () => {
        if (stopping) return;
        stopping = true;
        server.close().then(
          () => process.exit(0),
          (error: unknown) => {
            console.error(error);
            process.exit(1);
          },
        );
      };
      process.on('SIGTERM', stop);
      process.on('SIGINT', stop);
    } catch (error) {
      console.error(`The sandbox did not start: ${(error as Error).message}`);
      process.exit(error instanceof SettingError ? 2 : 1);
    }
  }
}

// The build makes CommonJS of this, so that whoever requires it starts nothing.
if (require.main === module) void run();
