import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { FileStorage } from '../storage/file/file-storage.js';
import { PostgresStorage } from '../storage/postgres/postgres-storage.js';
import { memoryStorage, type Storage } from '../storage/storage.js';
import { seldom } from './log.js';
import type { Settings } from './options.js';

/** The storage of worlds and its name for people. */
export interface OpenedStorage {
  readonly storage: Storage;
  /** The same storage if several nodes may share it; else null. */
  readonly hosted: PostgresStorage | null;
  readonly shownAs: string | null;
  /** Returns the free bytes on its disk; null if it is not on a disk of this machine. */
  readonly freeBytes: () => Promise<number | null>;
}

/** Opens the storage of the settings. @param appended called with the seconds of each database append @throws Error if it cannot be used */
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

/** Returns the free bytes on the disk of a directory; null if the system does not report them. */
async function freeBytesAt(directory: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  } catch {
    return null;
  }
}
