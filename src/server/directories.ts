import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { SettingError, type Settings } from './options.js';

/** Returns the directory of this package, with package.json and the shipped data. */
export function packageRoot(): string {
  let directory = import.meta.dirname;
  while (!existsSync(join(directory, 'package.json'))) {
    const parent = dirname(directory);
    if (parent === directory) throw new Error('The directory of the package does not exist.');
    directory = parent;
  }
  return directory;
}

/** Returns the directory in a setting; undefined if not set. @throws SettingError if the directory does not exist or is a file */
export function directoryOf(settings: Settings, setting: 'SCENARIOS_DIR' | 'FIXTURES_DIR'): string | undefined {
  const path = settings[setting];
  if (path === undefined) return undefined;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return path;
  if (found) throw new SettingError(setting, `"${path}" is a file; expected its directory, "${dirname(path)}".`);
  throw new SettingError(setting, `the directory "${path}" does not exist${isAbsolute(path) ? '' : ` in ${process.cwd()}`}.`);
}
