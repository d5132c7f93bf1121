import fs from 'node:fs/promises';
import { dirname } from 'node:path';

/** What the storage needs of the file system; tests put failing functions in the place of some. */
export type Files = Pick<typeof fs, 'open' | 'rename' | 'unlink' | 'mkdir' | 'readdir' | 'readFile' | 'stat' | 'link' | 'writeFile'>;

export const nodeFiles: Files = fs;

/** Permissions of a file and of a directory with secrets in them, as client secrets are: nobody but their owner reads them. */
export const privately = { file: 0o600, directory: 0o700 } as const;

/**
 * Makes a directory and those above it that are missing; one that is there is left alone. Node's own way of doing so never ends below one
 * that says of every name in it that it is not there, as `/proc` does.
 * @param mode the permissions of the directory itself; default: those that the process gives to every directory
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

/** Makes what was created, renamed or removed in a directory survive a power loss. */
export async function syncDirectory(files: Files, path: string): Promise<void> {
  if (process.platform === 'win32') return; // Directories cannot be opened there.
  const handle = await files.open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Has an error name the file that it is about: that of a write does not by itself. */
export function naming(path: string, error: unknown): unknown {
  if (error instanceof Error && !error.message.includes(path)) error.message += ` '${path}'`;
  return error;
}

/** Whether an error says that a file is not there. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Takes an error that says that a file is not there. @throws any other one */
export function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}
