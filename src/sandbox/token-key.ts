import type { JWK } from 'jose';
import type { Storage } from '../storage/storage.js';
import { createTokenKey } from './tokens.js';

/** The key for tokens: made at the first start and kept beside the worlds, so that tokens outlive a restart. Nothing waits for it but the tokens themselves. */
export async function tokenKey(storage: Storage): Promise<JWK> {
  const text = await storage.secret('token-key', async () => JSON.stringify(await createTokenKey()));
  try {
    return JSON.parse(text) as JWK;
  } catch {
    throw new Error(
      'The key for tokens, token-key.json in the data directory or token-key among the secrets of the database, is not JSON. Put it back, or remove it to have a new one made; tokens that are out are void then.',
    );
  }
}
