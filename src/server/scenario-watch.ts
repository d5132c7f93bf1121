import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { mistakeText } from '../contract/control/scenario-files.js';
import { isScenarioFile, readScenariosInSteps, type ScenarioDirectory } from '../fixtures/scenario-files.js';
import type { ScenarioCatalogue } from '../scenario/catalogue.js';
import type { ReadFile } from '../scenario/versions.js';
import { runInSlices } from '../world/turns.js';

/** Returns a mark: a string that changes when scenario files are changed, added or removed. Does not read the files. */
export function scenarioFilesFingerprint(directories: readonly ScenarioDirectory[]): string {
  return directories.map(({ path }) => directoryMark(path)).join('\n\n');
}

/** Returns the mark of one directory. Ignores errors, because the reading of the files reports them. */
function directoryMark(path: string): string {
  try {
    const names = readdirSync(path).filter(isScenarioFile).toSorted();
    return names.map((name) => `${name} ${stampOf(join(path, name))}`).join('\n');
  } catch {
    return 'unreadable';
  }
}

function stampOf(path: string): string {
  try {
    const { ino, ctimeMs, size } = statSync(path);
    return `${ino} ${ctimeMs} ${size}`;
  } catch {
    return 'unreadable';
  }
}

/** Reads scenario files in time slices, and logs a warning about other files. @throws Error if a directory cannot be read */
export async function scenarioFiles(directories: readonly ScenarioDirectory[], log: Logger): Promise<readonly ReadFile[]> {
  const { files, strays } = await runInSlices(readScenariosInSteps(directories));
  if (strays.length > 0)
    log.warn(`Ignored as scenarios, because they do not end with .yaml, .yml or .json, or have no key scenario: ${strays.join(', ')}`);
  return files;
}

/** Logs a warning for each error in the scenario files of a catalogue. */
export function warnOfMistakes({ files }: ScenarioCatalogue, log: Logger): void {
  for (const { loadedAt, errors: mistakes } of files) {
    const inForce = loadedAt === null ? 'the file is not in use' : `the version of ${loadedAt} stays in use`;
    for (const mistake of mistakes) log.warn(`${mistakeText(mistake)} (${inForce})`);
  }
}

/**
 * Calls `changed` when a scenario file has changed since `mark`. Polls, because file system events miss replaced or shared directories,
 * and systems limit the number of watches.
 * @param mark from {@link scenarioFilesFingerprint}, before the scenarios were read
 * @param changed not called again before its promise has settled
 * @param lookMs interval between checks of the directories, in milliseconds. A check takes 0.1 ms with the shipped files, 4 ms with 1,000 more
 * @returns a function that stops the watch
 */
export function watchScenarios(
  directories: readonly ScenarioDirectory[],
  mark: string,
  changed: () => Promise<void>,
  lookMs = 250,
): () => Promise<void> {
  let reported = mark;
  let seen = mark;
  let telling: Promise<void> | undefined;
  let hasEnded = false;
  // Not setInterval: tests that embed the sandbox may fake timers and advance them by hours.
  const lookLater = () => AbortSignal.timeout(lookMs).addEventListener('abort', () => void look());
  const look = async () => {
    if (hasEnded) return;
    const now = scenarioFilesFingerprint(directories);
    // Waits until two checks give equal marks, because an editor may write a file in several steps.
    if (now !== reported && now === seen) {
      reported = now;
      telling = changed();
      await telling;
    }
    seen = now;
    lookLater();
  };
  lookLater();
  return async () => {
    hasEnded = true;
    await telling;
  };
}
