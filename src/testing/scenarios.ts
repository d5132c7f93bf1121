import { join } from 'node:path';
import { mistakeText } from '../contract/control/scenario-files.js';
import { readScenarios, type ScenarioDirectory } from '../fixtures/scenario-files.js';
import { ScenarioCatalogue } from '../scenario/catalogue.js';

/** The directory of the shipped scenarios. */
export const shippedScenarios: ScenarioDirectory = { path: join(import.meta.dirname, '../../scenarios'), shownAs: 'scenarios' };

/** Returns the scenarios of directories. Default: the shipped scenarios. */
export function scenariosOf(directories: readonly ScenarioDirectory[] = [shippedScenarios]): ScenarioCatalogue {
  return new ScenarioCatalogue(readScenarios(directories).files, '2026-11-21T12:00:00.000Z');
}

/** Returns the errors in the files of a directory, without its path. */
export function mistakesIn(directory: string): string[] {
  return scenariosOf([{ path: directory, shownAs: '' }]).files.flatMap(({ errors }) => errors.map(mistakeText));
}
