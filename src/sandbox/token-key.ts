import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JWK } from 'jose';
import { createTokenKey } from './tokens.js';
import { nodeFiles, syncDirectory, type Files } from '../storage/file/files.js';

/**
 * The key for tokens: made at the first start, and kept beside the state, so that tokens outlive a restart and a power loss.
 * Nothing waits for one to be made but the tokens themselves.
 * @param data the directory of the state; null when nothing is kept
 */
export function tokenKey(data: string | null, files: Files = nodeFiles): JWK | Promise<JWK> {
  if (data === null) return createTokenKey();
  const path = join(data, 'token-key.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as JWK) : keepTokenKey(path, createTokenKey(), files);
}

async function keepTokenKey(path: string, made: Promise<JWK>, files: Files): Promise<JWK> {
  const key = await made;
  const directory = dirname(path);
  await files.mkdir(directory, { recursive: true });
  const handle = await files.open(`${path}.new`, 'w', 0o600);
  try {
    await handle.appendFile(JSON.stringify(key));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await files.rename(`${path}.new`, path);
  await syncDirectory(files, directory);
  return key;
}
