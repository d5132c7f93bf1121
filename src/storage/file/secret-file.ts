import { dirname } from 'node:path';
import { isMissing, privately, syncDirectory, type Files } from './files.js';

/**
 * What a file of its own keeps: made when it is missing, readable by nobody else, and there after a power loss.
 * @throws Error naming the file, never what is in it
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
