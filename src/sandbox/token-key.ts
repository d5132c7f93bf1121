import type { JWK } from 'jose';
import type { Storage } from '../storage/storage.js';
import { checkTokenKey, createTokenKey } from './tokens.js';

/** The key for tokens, which may still be in the making. */
export interface OpenedTokenKey {
  readonly key: Promise<JWK>;
}

/**
 * Opens the key for tokens, which is stored beside the worlds so that tokens outlive a restart. A stored key is checked before this
 * resolves. The first start makes a key, which takes a while: only the tokens wait for that.
 * @throws Error naming the way out if the stored key is damaged
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
      'The key for tokens is damaged: token-key.json in the data directory, or token-key among the secrets of the database. Put it back from a copy, or remove it: the next start makes a new one, and tokens of the old one are refused.',
      { cause: error },
    );
  }
}
