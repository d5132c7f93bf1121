import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { mistakeText } from '../contract/control/scenario-files.js';
import { isScenarioFile, scenarioReading, type ScenarioDirectory } from '../fixtures/scenario-files.js';
import type { ScenarioCatalogue } from '../scenario/catalogue.js';
import type { ReadFile } from '../scenario/versions.js';
import { inTurns } from '../world/turns.js';

/** How often directories are looked at, in milliseconds. A look takes 0.1 ms with the shipped files, 4 with a thousand more. */
const lookMs = 250;

/** What the scenario files of directories are by, without reading them: it differs when one of them was changed, brought or taken away. */
export function scenarioFilesMark(directories: readonly ScenarioDirectory[]): string {
  return directories.map(({ path }) => directoryMark(path)).join('\n\n');
}

/** What the scenario files of a directory are by. What cannot be looked at is told by whoever reads it. */
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

/** Reads scenario files while others have their turns, and warns of those that are none. @throws Error when a directory cannot be read */
export async function scenarioFiles(directories: readonly ScenarioDirectory[], log: Logger): Promise<readonly ReadFile[]> {
  const { files, strays } = await inTurns(scenarioReading(directories));
  if (strays.length > 0) log.warn(`Not read as scenarios, being neither .yaml, .yml nor .json: ${strays.join(', ')}`);
  return files;
}

/** Warns of each mistake in the files of a catalogue. */
export function warnOfMistakes({ files }: ScenarioCatalogue, log: Logger): void {
  for (const { loadedAt, mistakes } of files) {
    const inForce = loadedAt === null ? 'nothing of the file is in force' : `the version of ${loadedAt} stays in force`;
    for (const mistake of mistakes) log.warn(`${mistakeText(mistake)} (${inForce})`);
  }
}

/**
 * Tells when a scenario file of the directories changes, or has changed since they had that mark. It looks instead of being told by the
 * system, which says nothing of a directory that is replaced or shared with another machine, and may have no watch left to give.
 * @param mark of the directories before the scenarios were read, from {@link scenarioFilesMark}
 * @param changed not told of more until it is done
 * @returns what ends the watch
 */
export function watchScenarios(directories: readonly ScenarioDirectory[], mark: string, changed: () => Promise<void>): () => Promise<void> {
  let told = mark;
  let seen = mark;
  let telling: Promise<void> | undefined;
  let hasEnded = false;
  // Not setInterval: a test around the sandbox may fake that one, and then move it on by hours at once.
  const lookLater = () => AbortSignal.timeout(lookMs).addEventListener('abort', () => void look());
  const look = async () => {
    if (hasEnded) return;
    const now = scenarioFilesMark(directories);
    // The same twice, since an editor writes in several strokes.
    if (now !== told && now === seen) {
      told = now;
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
