import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { FileStorage } from '../storage/file/file-storage.js';
import { PostgresStorage } from '../storage/postgres/postgres-storage.js';
import { memoryStorage, type Storage } from '../storage/storage.js';
import type { Settings } from './options.js';

/** Where worlds are kept, and how that is shown to people: null where nothing is. */
export interface OpenedStorage {
  readonly storage: Storage;
  /** The storage where several nodes may share it; else null. */
  readonly hosted: PostgresStorage | null;
  readonly shownAs: string | null;
}

/** Opens the storage that the settings name. @throws Error when it cannot be used */
export async function openStorage({ DATA, DURABILITY }: Settings, log: Logger): Promise<OpenedStorage> {
  if (DATA === 'memory') return { storage: memoryStorage, hosted: null, shownAs: null };
  const warn = (message: string) => log.error(message);
  if (/^postgres(ql)?:/.test(DATA)) {
    const storage = await PostgresStorage.open(DATA, { warn });
    return { storage, hosted: storage, shownAs: storage.shownAs };
  }
  const directory = resolve(DATA);
  return { storage: await FileStorage.open(directory, { durability: DURABILITY, warn }), hosted: null, shownAs: directory };
}
