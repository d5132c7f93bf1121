import { flagOf, readSettings } from './options.js';
import { startServer, type RunningServer } from './server.js';

/** What a sandbox within another program is unless told otherwise: on a free port, in memory, silent, whatever the environment says. */
const usual = ['--port=0', '--data=memory', '--log-level=silent'];

/**
 * Starts a sandbox within another program: it takes no signals and never ends the process.
 * @param options settings by their names in camel case: `scenariosDir`
 * @throws Error with one line for each setting that is wrong, or that does not exist
 */
export function startInProcess(options: Readonly<Record<string, string | number | boolean | undefined>>): Promise<RunningServer> {
  const flags = Object.entries(options).flatMap(([name, value]) => {
    const setting = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    return value === undefined ? [] : [`${flagOf(setting)}=${value}`];
  });
  return startServer(readSettings([...usual, ...flags], {}), undefined, undefined, true);
}
