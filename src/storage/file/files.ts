import fs from 'node:fs/promises';
import { dirname } from 'node:path';

/** The file system functions that the storage uses. Tests replace some of them with failing functions. */
export type Files = Pick<typeof fs, 'open' | 'rename' | 'unlink' | 'mkdir' | 'readdir' | 'readFile' | 'stat' | 'link' | 'writeFile'>;

export const nodeFiles: Files = fs;

/** Permissions of files and directories that contain secrets: only the owner may read them. */
export const privately = { file: 0o600, directory: 0o700 } as const;

/**
 * Creates a directory and its missing parents; does nothing if it exists. The recursive `mkdir` of Node.js never ends in a directory that
 * reports ENOENT for every name, for example `/proc`.
 * @param mode permissions of the directory itself. Default: those of the process
 */
export async function makeDirectory(path: string, files: Files = nodeFiles, mode?: number): Promise<void> {
  try {
    await files.mkdir(path, { mode }).catch(async (error: unknown) => {
      if (!isMissing(error) || dirname(path) === path) throw error;
      await makeDirectory(dirname(path), files);
      await files.mkdir(path, { mode });
    });
  } catch (error) {
    const found = await files.stat(path).catch(() => null);
    if (!found?.isDirectory()) throw error;
  }
}

/** Makes creations, renames and deletions in a directory survive a power loss. */
export async function syncDirectory(files: Files, path: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot open directories.
  const handle = await files.open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Adds the file path to an error, because errors of a write do not contain the path. */
export function naming(path: string, error: unknown): unknown {
  if (error instanceof Error && !error.message.includes(path)) error.message += ` '${path}'`;
  return error;
}

/** Whether an error means that a file does not exist. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Ignores an error about a missing file. @throws any other error */
export function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}
