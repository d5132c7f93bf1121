import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { maxScenarioFiles, type ScenarioFile } from '../contract/control/scenario-files.js';
import type { ScenarioStore } from '../api/control/plane.js';
import { DomainError } from '../domain/errors.js';
import { oneAtATime } from '../domain/one-at-a-time.js';
import { isScenarioFile, readScenariosInSteps, type ReadScenarios, type ScenarioDirectory } from '../fixtures/scenario-files.js';
import type { ScenarioCatalogue } from '../scenario/catalogue.js';
import { runInSlices } from '../world/turns.js';
import { reasonOf } from './options.js';

/** Returns the name of the file that a scenario is saved in. @throws DomainError if that file is reserved or has another scenario */
function fileNameFor(name: string, text: string, own: ScenarioDirectory, { files, strays }: ReadScenarios): string {
  const present = files.find((each) => each.name === name);
  if (present) return basename(present.file);
  const fileName = `${name}.${text.trimStart().startsWith('{') ? 'json' : 'yaml'}`;
  const file = join(own.shownAs, fileName);
  if (!isScenarioFile(fileName) || strays.includes(file)) {
    throw new DomainError(
      'RESOURCE_ALREADY_EXISTS',
      `The name ${file} is reserved for a file that is not a scenario. Rename the scenario.`,
      {
        resource: 'ScenarioFile',
        file,
      },
    );
  }
  const other = files.find((each) => basename(each.file) === fileName);
  if (!other) return fileName;
  throw new DomainError('RESOURCE_ALREADY_EXISTS', `The file ${other.file} has another scenario: ${other.name}. Rename one of them.`, {
    resource: 'ScenarioFile',
    file: other.file,
    scenario: other.name,
  });
}

/**
 * Returns the directory in which scenarios are saved. A file is replaced as a whole: readers see the old or the new version.
 * @param directories all directories of scenarios; the last one is written
 * @param reload reads all scenario files again
 */
export function scenarioStore(
  directories: readonly ScenarioDirectory[],
  scenarios: ScenarioCatalogue,
  reload: () => Promise<void>,
): ScenarioStore {
  const own = directories.at(-1)!;
  const write = async (name: string, text: string, replace: boolean): Promise<ScenarioFile> => {
    const read = await runInSlices(readScenariosInSteps([own])).catch((error: unknown) => {
      throw new DomainError('SERVICE_UNAVAILABLE', `The scenario directory ${own.shownAs} cannot be read: ${reasonOf(error)}.`, {
        directory: own.shownAs,
      });
    });
    const { files } = read;
    const existing = files.find((each) => each.name === name) ?? scenarios.files.find((each) => each.scenario === name);
    if (existing && !replace)
      throw new DomainError(
        'RESOURCE_ALREADY_EXISTS',
        `The scenario ${name} already exists, in ${existing.file}. Send "replace": true to replace it.`,
        {
          resource: 'Scenario',
          parameters: { name },
          file: existing.file,
        },
      );
    const fileName = fileNameFor(name, text, own, read);
    const file = join(own.shownAs, fileName);
    if (scenarios.files.length >= maxScenarioFiles && !files.some((each) => each.file === file))
      throw new DomainError('RATE_LIMIT_EXCEEDED', `There are already ${maxScenarioFiles} scenario files. Delete some of them.`, {
        limit: maxScenarioFiles,
      });
    // Scenario files do not start with a dot, so an unfinished one is never read.
    const unfinished = join(own.path, `.${fileName}.${randomUUID()}`);
    try {
      await writeFile(unfinished, text);
      await rename(unfinished, join(own.path, fileName));
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw new DomainError('SERVICE_UNAVAILABLE', `The file ${file} cannot be written: ${reasonOf(error)}.`, { file });
    }
    await reload();
    const loaded = scenarios.files.find((each) => each.file === file && each.scenario === name);
    if (loaded) return loaded;
    const message = `The file ${file} was written, but the scenarios cannot be read. The log has the reason.`;
    throw new DomainError('SERVICE_UNAVAILABLE', message, { file });
  };
  return { shownAs: own.shownAs, save: oneAtATime(write) };
}
