import { join } from 'node:path';
import { mistakeText } from '../contract/control/scenario-files.js';
import { readScenarios } from '../fixtures/scenario-files.js';
import { ScenarioCatalogue } from '../scenario/catalogue.js';

/** Returns the scenarios of a directory. Default: the shipped scenarios. */
export function scenariosOf(path = join(import.meta.dirname, '../../scenarios'), shownAs = 'scenarios'): ScenarioCatalogue {
  return new ScenarioCatalogue(readScenarios([{ path, shownAs }]).files, '2026-11-21T12:00:00.000Z');
}

/** Returns the errors in the files of a directory, without its path. */
export function mistakesIn(directory: string): string[] {
  return scenariosOf(directory, '').files.flatMap(({ errors }) => errors.map(mistakeText));
}
