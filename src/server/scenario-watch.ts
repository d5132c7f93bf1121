import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { watch } from 'chokidar';
import type { Logger } from 'pino';
import { mistakeText } from '../contract/control/scenario-files.js';
import { isScenarioFile, scenarioReading, type ScenarioDirectory } from '../fixtures/scenario-files.js';
import type { ScenarioCatalogue } from '../scenario/catalogue.js';
import type { ReadFile } from '../scenario/versions.js';
import { inTurns } from '../world/turns.js';

/** How long directories have to be quiet before they are read, in milliseconds: an editor writes in several strokes. */
const quietMs = 100;

/** What the scenario files of directories are by, without reading them: it differs when one of them was changed, brought or taken away. */
export function scenarioFilesMark(directories: readonly ScenarioDirectory[]): string {
  const marks = directories.flatMap(({ path }) =>
    readdirSync(path)
      .filter(isScenarioFile)
      .map((name) => `${join(path, name)} ${stampOf(join(path, name))}`),
  );
  return marks.toSorted().join('\n');
}

/** What a file is by; that of one that cannot be looked at is told by whoever reads it. */
function stampOf(path: string): string {
  try {
    const { ctimeMs, size } = statSync(path);
    return `${ctimeMs} ${size}`;
  } catch {
    return '';
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

/** What is told of changes. */
export interface WatchListener {
  /** Some file was changed, brought or taken away. Not told of more until it is done with this. */
  changed(): void | Promise<void>;
  /** Some changes will go unnoticed. */
  blind(error: Error): void;
}

/**
 * Tells when a scenario file of the directories changes, or has changed since they had that mark.
 * Resolves when changes are noticed; the value ends the watch.
 * @param mark of the directories before the scenarios were read, from {@link scenarioFilesMark}
 */
export async function watchScenarios(
  directories: readonly ScenarioDirectory[],
  mark: string,
  listener: WatchListener,
): Promise<() => Promise<void>> {
  let timer: NodeJS.Timeout | undefined;
  let isTold = true;
  let telling: Promise<void> | undefined;
  const tellAll = async () => {
    for (; !isTold; await listener.changed()) isTold = true;
    telling = undefined;
  };
  const tell = () => {
    isTold = false;
    telling ??= tellAll();
  };
  const hasChanged = () => {
    try {
      return scenarioFilesMark(directories) !== mark;
    } catch {
      return true; // What is wrong with a directory is for the reader to tell.
    }
  };
  const paths = directories.map(({ path }) => path);
  const watcher = watch(paths, { depth: 0, ignoreInitial: true, persistent: false });
  watcher.on('all', (_event, path) => {
    if (!isScenarioFile(basename(path))) return;
    clearTimeout(timer);
    timer = setTimeout(tell, quietMs);
  });
  watcher.on('error', (error) => listener.blind(error as Error));
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  if (hasChanged()) tell();
  return async () => {
    clearTimeout(timer);
    await watcher.close();
    await telling;
  };
}
