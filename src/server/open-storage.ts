import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { FileStorage } from '../storage/file/file-storage.js';
import { PostgresStorage } from '../storage/postgres/postgres-storage.js';
import { memoryStorage, type Storage } from '../storage/storage.js';
import { limitRepeats } from './log.js';
import type { Settings } from './options.js';

/** The open storage of the worlds. */
export interface OpenedStorage {
  readonly storage: Storage;
  /** This storage as PostgreSQL storage, which several nodes may share; null for any other storage. */
  readonly hosted: PostgresStorage | null;
  readonly shownAs: string | null;
  /** Returns the number of free bytes on the disk of the storage; null if unknown or not on a disk of this machine. */
  readonly freeBytes: () => Promise<number | null>;
}

/** Opens the storage of the settings. @param appended called with the seconds that each database append took @throws Error if unusable */
export async function openStorage(
  { DATA, DURABILITY }: Settings,
  log: Logger,
  appended: (seconds: number) => void,
): Promise<OpenedStorage> {
  if (DATA === 'memory') return { storage: memoryStorage, hosted: null, shownAs: null, freeBytes: nowhere };
  const warn = (message: string) => log.error(message);
  if (/^postgres(ql)?:/.test(DATA)) {
    const storage = await PostgresStorage.open(DATA, { warn: limitRepeats(warn), appended });
    return { storage, hosted: storage, shownAs: storage.shownAs, freeBytes: nowhere };
  }
  const directory = resolve(DATA);
  const storage = await FileStorage.open(directory, { durability: DURABILITY, warn });
  return { storage, hosted: null, shownAs: directory, freeBytes: () => freeBytesAt(directory) };
}

const nowhere = () => Promise.resolve(null);

/** Returns the number of free bytes on the disk of a directory; null if the system does not report it. */
async function freeBytesAt(directory: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  } catch {
    return null;
  }
}
