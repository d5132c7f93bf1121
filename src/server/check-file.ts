import { dirname, join } from 'node:path';
import type { ScenarioCheck } from '../contract/control/scenario-files.js';
import { checkScenario } from '../api/control/scenario-check.js';
import { readScenarios } from '../fixtures/scenario-files.js';
import { packageRoot } from './directories.js';
import { ScenarioCatalogue } from '../scenario/catalogue.js';

/**
 * Checks the text of a scenario file without a running sandbox. The scenario can extend those of the same directory, whose errors do not count.
 * @param file path of the file; `-` for standard input
 * @throws Error if its directory cannot be read
 */
export function checkFile(text: string, file: string): Promise<ScenarioCheck> {
  const own = dirname(file);
  const { files } = readScenarios([
    { path: join(packageRoot(), 'scenarios'), shownAs: 'scenarios' },
    ...(file === '-' ? [] : [{ path: own, shownAs: own }]),
  ]);
  return checkScenario(new ScenarioCatalogue(files, ''), text, file);
}
