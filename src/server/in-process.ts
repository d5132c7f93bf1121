import { settingsOf, type StartOptions } from './options.js';
import { startServer, type RunningServer } from './server.js';

/**
 * Starts a sandbox inside another program. The sandbox handles no signals and never ends the process.
 * @throws Error with one line for each invalid or unknown setting
 */
export async function startInProcess(options: StartOptions): Promise<RunningServer> {
  return startServer(settingsOf(options), { isEmbedded: true });
}
