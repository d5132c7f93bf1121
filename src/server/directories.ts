import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SettingError, type Settings } from './options.js';

/** The directory that holds package.json, and with it the shipped data. */
export function packageRoot(): string {
  let directory = import.meta.dirname;
  while (!existsSync(join(directory, 'package.json'))) {
    const parent = dirname(directory);
    if (parent === directory) throw new Error('The directory of the package was not found.');
    directory = parent;
  }
  return directory;
}

/** The directory that a setting names; undefined when it names none. @throws SettingError when it is no directory */
export function directoryOf(settings: Settings, setting: 'SCENARIOS_DIR' | 'FIXTURES_DIR'): string | undefined {
  const path = settings[setting];
  if (path !== undefined && !statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new SettingError(setting, `there is no directory "${path}".`);
  return path;
}
