import { join } from 'node:path';
import { mistakeText } from '../contract/control/scenario-files.js';
import { readScenarios, type ReadScenarios, type ScenarioDirectory } from '../fixtures/scenario-files.js';
import { ScenarioCatalogue } from '../scenario/catalogue.js';

/** The directory of the shipped scenarios. */
export const shippedScenarios: ScenarioDirectory = { path: join(import.meta.dirname, '../../scenarios'), shownAs: 'scenarios' };

const catalogueOf = (files: ReadScenarios['files']) => new ScenarioCatalogue(files, '2026-11-21T12:00:00.000Z');

let shipped: ReadScenarios['files'] | undefined;

/** Returns the shipped scenarios and those of further directories. The shipped files are read once for all tests of a process. */
export function scenariosOf(directories: readonly ScenarioDirectory[] = []): ScenarioCatalogue {
  shipped ??= readScenarios([shippedScenarios]).files;
  return catalogueOf([...shipped, ...readScenarios(directories).files]);
}

/** Returns the errors in the files of a directory, without its path. */
export function mistakesIn(directory: string): string[] {
  const { files } = readScenarios([{ path: directory, shownAs: '' }]);
  return catalogueOf(files).files.flatMap(({ errors }) => errors.map(mistakeText));
}
