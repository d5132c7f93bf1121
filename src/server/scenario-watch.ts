import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { mistakeText } from '../contract/control/scenario-files.js';
import { isScenarioFile, scenarioReading, type ScenarioDirectory } from '../fixtures/scenario-files.js';
import type { ScenarioCatalogue } from '../scenario/catalogue.js';
import type { ReadFile } from '../scenario/versions.js';
import { runInSlices } from '../world/turns.js';

/** Interval in milliseconds between checks of the directories. A check takes 0.1 ms with the shipped files, 4 ms with a thousand more. */
const lookMs = 250;

/** Returns a string that changes when scenario files are changed, added or removed. Does not read them. */
export function scenarioFilesMark(directories: readonly ScenarioDirectory[]): string {
  return directories.map(({ path }) => directoryMark(path)).join('\n\n');
}

/** Returns the mark of one directory. Reading it reports errors. */
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

/** Reads scenario files in time slices, and warns of other files. @throws Error if a directory cannot be read */
export async function scenarioFiles(directories: readonly ScenarioDirectory[], log: Logger): Promise<readonly ReadFile[]> {
  const { files, strays } = await runInSlices(scenarioReading(directories));
  if (strays.length > 0) log.warn(`Ignored as scenarios, because they do not end with .yaml, .yml or .json: ${strays.join(', ')}`);
  return files;
}

/** Logs a warning for each error in the files of a catalogue. */
export function warnOfMistakes({ files }: ScenarioCatalogue, log: Logger): void {
  for (const { loadedAt, errors: mistakes } of files) {
    const inForce = loadedAt === null ? 'the file is not in use' : `the version of ${loadedAt} stays in use`;
    for (const mistake of mistakes) log.warn(`${mistakeText(mistake)} (${inForce})`);
  }
}

/**
 * Calls back when a scenario file has changed since `mark`. Polls, because file system events miss replaced or shared directories, and
 * their number is limited.
 * @param mark from {@link scenarioFilesMark} before the scenarios were read
 * @param changed not called again before it has ended
 * @returns a function that stops the watch
 */
export function watchScenarios(directories: readonly ScenarioDirectory[], mark: string, changed: () => Promise<void>): () => Promise<void> {
  let reported = mark;
  let seen = mark;
  let telling: Promise<void> | undefined;
  let hasEnded = false;
  // Not setInterval: tests around the sandbox may fake it and advance it by hours.
  const lookLater = () => AbortSignal.timeout(lookMs).addEventListener('abort', () => void look());
  const look = async () => {
    if (hasEnded) return;
    const now = scenarioFilesMark(directories);
    // Wait until two checks are equal, because an editor may write in several steps.
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
