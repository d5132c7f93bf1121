import { watch } from 'chokidar';
import type { Sandbox } from './sandbox.js';
import { isScenarioFile, loadScenarios } from './world/scenario-files.js';
import { basename } from 'node:path';

/** How long a directory has to be quiet before it is read, in milliseconds: an editor writes in several strokes. */
const quietMs = 100;

/** What is told of reloads. */
export interface ReloadListener {
  reloaded(count: number): void;
  /** The files as they are now cannot be used; the last good ones stay in force. */
  failed(error: Error): void;
}

/**
 * Reads the scenarios anew when a file of their directory changes.
 * Resolves when changes are noticed; the value ends the watch.
 */
export async function watchScenarios(directory: string, sandbox: Sandbox, listener: ReloadListener): Promise<() => Promise<void>> {
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
  const watcher = watch(directory, { depth: 0, ignoreInitial: true, persistent: false });
  watcher.on('all', (_event, path) => {
    if (!isScenarioFile(basename(path))) return;
    clearTimeout(timer);
    timer = setTimeout(reload, quietMs);
  });
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  return async () => {
    clearTimeout(timer);
    await watcher.close();
  };
}
