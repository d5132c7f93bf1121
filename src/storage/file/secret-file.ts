import { dirname } from 'node:path';
import { isMissing, privately, syncDirectory, type Files } from './files.js';

/**
 * Returns the secret in a file. Creates the file if it is missing, readable only by its owner, and syncs it.
 * @throws Error naming the file, never its content
 */
export async function keptSecret(path: string, make: () => Promise<string>, files: Files): Promise<string> {
  try {
    return await files.readFile(path, 'utf8');
  } catch (error) {
    if (!isMissing(error)) throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const secret = await make();
  try {
    await write(path, secret, files);
  } catch (error) {
    throw new Error(`${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
  return secret;
}

async function write(path: string, secret: string, files: Files): Promise<void> {
  const handle = await files.open(`${path}.new`, 'w', privately.file);
  try {
    await handle.appendFile(secret);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await files.rename(`${path}.new`, path);
  await syncDirectory(files, dirname(path));
}
