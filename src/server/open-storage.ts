import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { FileStorage } from '../storage/file/file-storage.js';
import { PostgresStorage } from '../storage/postgres/postgres-storage.js';
import { memoryStorage, type Storage } from '../storage/storage.js';
import { seldom } from './log.js';
import type { Settings } from './options.js';

/** Where worlds are kept, and how that is shown to people: null where nothing is. */
export interface OpenedStorage {
  readonly storage: Storage;
  /** The storage where several nodes may share it; else null. */
  readonly hosted: PostgresStorage | null;
  readonly shownAs: string | null;
  /** How many bytes are free where it keeps them; null where that is not a disk of this machine. */
  readonly freeBytes: () => Promise<number | null>;
}

/** Opens the storage that the settings name. @param appended told how long each append to a database took, in seconds @throws Error when it cannot be used */
export async function openStorage(
  { DATA, DURABILITY }: Settings,
  log: Logger,
  appended: (seconds: number) => void,
): Promise<OpenedStorage> {
  if (DATA === 'memory') return { storage: memoryStorage, hosted: null, shownAs: null, freeBytes: nowhere };
  const warn = (message: string) => log.error(message);
  if (/^postgres(ql)?:/.test(DATA)) {
    const storage = await PostgresStorage.open(DATA, { warn: seldom(warn), appended });
    return { storage, hosted: storage, shownAs: storage.shownAs, freeBytes: nowhere };
  }
  const directory = resolve(DATA);
  const storage = await FileStorage.open(directory, { durability: DURABILITY, warn });
  return { storage, hosted: null, shownAs: directory, freeBytes: () => freeBytesAt(directory) };
}

const nowhere = () => Promise.resolve(null);

/** How many bytes may still be written to the disk of a directory; null when the system does not say. */
async function freeBytesAt(directory: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  } catch {
    return null;
  }
}
