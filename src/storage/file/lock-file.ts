import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isMissing, type Files } from './files.js';

/** How often the holder of a lock shows that it lives, in milliseconds. */
const beatMs = 1000;

interface Holder {
  readonly pid: number;
  /** What tells a process from a later one of the same id; null where the system does not say. */
  readonly born: string | null;
  readonly host: string;
}

/** A directory's lock, which one process holds at a time. */
export interface DirectoryLock {
  release(): Promise<void>;
}

/**
 * Takes the lock of a directory. The lock of a process that no longer lives is taken over: on this machine its id tells,
 * elsewhere (another container on the same volume) that it has stopped touching the file.
 * @throws Error naming the process that holds it
 */
export async function lockDirectory(directory: string, files: Files): Promise<DirectoryLock> {
  const path = join(directory, 'lock');
  const mine: Holder = { pid: process.pid, born: bornOf(process.pid), host: hostname() };
  const text = JSON.stringify(mine);
  const draft = `${path}.${mine.host}.${mine.pid}`;
  await files.writeFile(draft, text);
  try {
    while (!(await link(files, draft, path))) await removeStale(files, path, mine);
  } finally {
    await files.unlink(draft);
  }
  const beat = setInterval(() => {
    const now = new Date();
    files.utimes(path, now, now).catch(() => undefined);
  }, beatMs).unref();
  return {
    async release() {
      clearInterval(beat);
      const held = await files.readFile(path, 'utf8').catch(() => null);
      if (held === text) await files.unlink(path);
    },
  };
}

/** Makes the lock of a draft, complete from its first instant; false when there is one already. */
async function link(files: Files, draft: string, path: string): Promise<boolean> {
  try {
    await files.link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** @throws Error when the holder lives */
async function removeStale(files: Files, path: string, mine: Holder): Promise<void> {
  try {
    const text = await files.readFile(path, 'utf8');
    const holder = parseHolder(text);
    if (holder && (await isAlive(files, path, holder, mine))) {
      throw new Error(
        `${path} says that process ${holder.pid} on ${holder.host} works with this directory. Stop it, or choose another directory with SANDBOX_DATA.`,
      );
    }
    const aside = `${path}.stale.${mine.host}.${mine.pid}`;
    await files.rename(path, aside);
    const moved = await files.readFile(aside, 'utf8');
    if (moved !== text) await link(files, aside, path); // Another process was quicker, and this is its lock.
    await files.unlink(aside);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function isAlive(files: Files, path: string, holder: Holder, mine: Holder): Promise<boolean> {
  if (holder.host !== mine.host) {
    const { mtimeMs } = await files.stat(path);
    await wait(beatMs * 3);
    return (await files.stat(path)).mtimeMs !== mtimeMs;
  }
  // A container's first process always has the same id; without its time of birth it is taken for an earlier one.
  if (holder.pid === mine.pid) return holder.born !== null && holder.born === mine.born;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return holder.born === null || holder.born === bornOf(holder.pid);
}

/** When a process began, in the kernel's ticks, with the boot that they count from. */
function bornOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return null;
  }
}

function parseHolder(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null;
    return typeof holder?.pid === 'number' && typeof holder.host === 'string' ? (holder as Holder) : null;
  } catch {
    return null; // Never complete, so never a lock.
  }
}
