import { settingsOf, type StartOptions } from './options.js';
import { startServer, type RunningServer } from './server.js';

/**
 * Starts a sandbox within another program: it takes no signals and never ends the process.
 * @throws Error with one line for each setting that is wrong, or that does not exist
 */
export async function startInProcess(options: StartOptions): Promise<RunningServer> {
  return startServer(settingsOf(options), { isGuest: true });
}
