import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { watch } from 'chokidar';
import type { Sandbox } from '../sandbox/sandbox.js';
import { isScenarioFile, loadScenarios } from '../fixtures/scenario-files.js';

/** How long a directory has to be quiet before it is read, in milliseconds: an editor writes in several strokes. */
const quietMs = 100;

/** What is told of reloads. */
export interface ReloadListener {
  reloaded(count: number): void;
  /** The files as they are now cannot be used; the last good ones stay in force. */
  failed(error: Error): void;
  /** Some changes will go unnoticed. */
  blind(error: Error): void;
}

/** What the scenario files of a directory are by, without reading them: it differs when one of them was changed, brought or taken away. */
export function scenarioFilesMark(directory: string): string {
  const marks = readdirSync(directory)
    .filter(isScenarioFile)
    .map((name) => {
      const stat = statSync(join(directory, name), { throwIfNoEntry: false });
      return `${name} ${stat?.ctimeMs} ${stat?.size}`;
    });
  return marks.toSorted().join('\n');
}

/**
 * Reads the scenarios anew when a file of their directory changes, or has changed since it had that mark.
 * Resolves when changes are noticed; the value ends the watch.
 * @param mark of the directory before the scenarios were read, from {@link scenarioFilesMark}
 */
export async function watchScenarios(
  directory: string,
  mark: string,
  sandbox: Sandbox,
  listener: ReloadListener,
): Promise<() => Promise<void>> {
  let timer: NodeJS.Timeout | undefined;
  const reload = () => {
    try {
      const scenarios = loadScenarios(directory);
      sandbox.replaceScenarios(scenarios);
      listener.reloaded(scenarios.length);
    } catch (error) {
      listener.failed(error as Error);
    }
  };
  const changed = () => {
    try {
      return scenarioFilesMark(directory) !== mark;
    } catch {
      return true; // What is wrong with the directory is for the reload to tell.
    }
  };
  const watcher = watch(directory, { depth: 0, ignoreInitial: true, persistent: false });
  watcher.on('all', (_event, path) => {
    if (!isScenarioFile(basename(path))) return;
    clearTimeout(timer);
    timer = setTimeout(reload, quietMs);
  });
  watcher.on('error', (error) => listener.blind(error as Error));
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  if (changed()) reload();
  return async () => {
    clearTimeout(timer);
    await watcher.close();
  };
}
