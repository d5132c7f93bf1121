import fs from 'node:fs/promises';

/** What the storage needs of the file system; tests put failing functions in the place of some. */
export type Files = Pick<typeof fs, 'open' | 'rename' | 'unlink' | 'mkdir' | 'readdir' | 'readFile' | 'stat' | 'link' | 'writeFile'>;

export const nodeFiles: Files = fs;

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
