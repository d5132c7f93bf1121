import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SettingError, type Settings } from './options.js';

/** Returns the directory with package.json and the shipped data. */
export function packageRoot(): string {
  let directory = import.meta.dirname;
  while (!existsSync(join(directory, 'package.json'))) {
    const parent = dirname(directory);
    if (parent === directory) throw new Error('The directory of the package does not exist.');
    directory = parent;
  }
  return directory;
}

/** Returns the directory of a setting; undefined if unset. @throws SettingError if it does not exist */
export function directoryOf(settings: Settings, setting: 'SCENARIOS_DIR' | 'FIXTURES_DIR'): string | undefined {
  const path = settings[setting];
  if (path !== undefined && !statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new SettingError(setting, `the directory "${path}" does not exist.`);
  return path;
}
