import type { JWK } from 'jose';
import type { Storage } from '../storage/storage.js';
import { checkTokenKey, createTokenKey } from './tokens.js';

/** The key that signs tokens. Its creation may still be in progress. */
export interface OpenedTokenKey {
  readonly key: Promise<JWK>;
}

/**
 * Opens the key that signs tokens. The key is stored with the worlds, so that tokens survive a restart. If a key is stored, resolves after
 * checking it. Otherwise resolves before the slow creation of a new key, so that only requests for tokens wait.
 * @throws Error that explains the fix if the stored key is damaged
 */
export async function openTokenKey(storage: Storage): Promise<OpenedTokenKey> {
  let begin!: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const make = async () => {
    begin();
    return JSON.stringify(await createTokenKey());
  };
  const key = storage.secret('token-key', make).then(checked);
  await Promise.race([begun, key]);
  return { key };
}

async function checked(text: string): Promise<JWK> {
  try {
    const key = JSON.parse(text) as JWK;
    await checkTokenKey(key);
    return key;
  } catch (error) {
    throw new Error(
      'The token signing key is damaged (token-key.json in the data directory, or token-key in the database). Restore it. Or delete it to create a new key; existing tokens then become invalid.',
      { cause: error },
    );
  }
}
