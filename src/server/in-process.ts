import { flagOf, noSetting, optionOf, readSettings, settingNames } from './options.js';
import { startServer, type RunningServer } from './server.js';

/** What a sandbox within another program is unless told otherwise: on a free port, in memory, silent, whatever the environment says. */
const usual = ['--port=0', '--data=memory', '--log-level=silent'];

/**
 * Starts a sandbox within another program: it takes no signals and never ends the process.
 * @param options settings by their names in camel case: `scenariosDir`
 * @throws Error with one line for each setting that is wrong, or that does not exist
 */
export async function startInProcess(options: Readonly<Record<string, string | number | boolean | undefined>>): Promise<RunningServer> {
  const unknown = Object.keys(options).filter((name) => !settingNames.some((setting) => optionOf(setting) === name));
  if (unknown.length > 0) throw new Error(unknown.map((name) => noSetting(name, optionOf)).join('\n'));
  const flags = settingNames.flatMap((setting) => {
    const value = options[optionOf(setting)];
    return value === undefined ? [] : [`${flagOf(setting)}=${value}`];
  });
  return startServer(readSettings([...usual, ...flags], {}), { isGuest: true });
}
