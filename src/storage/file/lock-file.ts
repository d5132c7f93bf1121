import type { FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { nanoid } from 'nanoid';
import { Stopwatch } from '../stopwatch.js';
import { ignoreMissing, isMissing, naming, type Files } from './files.js';
import { livesHere, ownSpace, parseHolder, processOf, type Holder } from './lock-holder.js';

/** Number of intervals without a touch after which a lock is taken over, if its holder cannot be checked. */
const staleBeats = 3;
/** Time for which a lock file without a valid holder counts as still being written, in milliseconds. */
const writeMs = 50;

/** Thrown if the lock belongs to another process, or if the lock or the journal is gone. */
export class LockLost extends Error {
  readonly code = 'LOCK_LOST';
}

export interface LockOptions {
  /** Name of this machine, to recognise locks of other machines. Default: the host name. */
  readonly host?: string;
  /** Interval at which the holder touches the lock, in milliseconds; the same for all processes. Default: 1000. */
  readonly beatMs?: number;
}

/**
 * Takes the lock of a directory. Takes over the lock of a dead process. On this machine, process id and start time show that the holder is
 * dead. Elsewhere (another machine or container, a system without start times), a holder counts as dead when it stops touching the file.
 * @throws Error naming the process that holds the lock
 */
export async function lockDirectory(directory: string, files: Files, options: LockOptions = {}): Promise<DirectoryLock> {
  const { host = hostname(), beatMs = 1000 } = options;
  const path = join(directory, 'lock');
  const born = processOf(process.pid)?.born ?? null;
  const mine: Holder = { pid: process.pid, born, host, space: ownSpace(), token: nanoid() };
  const draft = `${path}.${mine.token}`;
  let formerMayWrite = false;
  let since = new Stopwatch();
  try {
    await files.writeFile(draft, JSON.stringify(mine)).catch((error: unknown) => {
      throw naming(draft, error);
    });
    while (!(await link(files, draft, path))) {
      formerMayWrite = (await removeStale(files, path, mine, beatMs)) || formerMayWrite;
      since = new Stopwatch();
    }
  } finally {
    await files.unlink(draft).catch(ignoreMissing);
  }
  const handle = await files.open(path, 'r+');
  return new DirectoryLock({ path, text: JSON.stringify(mine), handle, files, held: since, formerMayWrite, beatMs });
}

interface TakenLock {
  readonly path: string;
  /** The contents of the lock file. */
  readonly text: string;
  readonly handle: FileHandle;
  readonly files: Files;
  /** Stopwatch that was started before the lock was taken. */
  readonly held: Stopwatch;
  readonly formerMayWrite: boolean;
  readonly beatMs: number;
}

/**
 * The lock of a directory, which one process holds at a time. A process that was paused may have lost the lock unnoticed, so it confirms
 * the lock before it acknowledges a commit.
 */
export class DirectoryLock {
  /** Whether the previous holder may only be paused, for example on another machine, and may still write to its files. */
  readonly formerMayWrite: boolean;
  /** Resolves if the lock is lost. */
  readonly lost: Promise<LockLost>;
  #lose: (why: LockLost) => void = () => undefined;
  readonly #taken: TakenLock;
  readonly #beats: NodeJS.Timeout;
  #beat: Promise<void> | null = null;
  #alsoLook: () => Promise<void> = () => Promise.resolve();
  /** Stopwatch that was started at the last touch after which the lock was still held. */
  #held: Stopwatch;

  constructor(taken: TakenLock) {
    this.#taken = taken;
    this.#held = taken.held;
    this.formerMayWrite = taken.formerMayWrite;
    this.lost = new Promise((resolve) => (this.#lose = resolve));
    this.#beats = setInterval(() => void (this.#beat ??= this.#touch()), taken.beatMs).unref();
    void this.lost.then(() => clearInterval(this.#beats));
  }

  /**
   * Resolves if this process held the lock during all writes so far. Accesses the file only after a pause.
   * @throws LockLost, or the error that prevented the check
   */
  async confirm(): Promise<void> {
    if (this.#held.ms > (staleBeats * this.#taken.beatMs) / 2) await this.look();
  }

  /** Adds a check to {@link look}. @param look throws LockLost if the files that the lock protects are gone */
  alsoLook(look: () => Promise<void>): void {
    this.#alsoLook = look;
  }

  /** Checks the lock and the files that it protects. @throws LockLost if they are lost, or the error that prevented the check */
  async look(): Promise<void> {
    await this.#lookAtLock();
    try {
      await this.#alsoLook();
    } catch (error) {
      if (error instanceof LockLost) this.#lose(error);
      throw error;
    }
  }

  async #lookAtLock(): Promise<void> {
    const { path, text, handle, files } = this.#taken;
    try {
      const [own, there] = await Promise.all([handle.stat(), files.stat(path)]);
      const found = await files.readFile(path, 'utf8');
      if (own.ino === there.ino && own.dev === there.dev && found === text) return;
      const holder = found === text ? null : parseHolder(found);
      throw new LockLost(
        `${path} ${holder ? `now belongs to process ${holder.pid} on ${holder.host}` : 'is not the file that this process created'}`,
      );
    } catch (error) {
      const isGone = /^ENO(ENT|TDIR)$/.test((error as NodeJS.ErrnoException).code ?? '');
      const lost = isGone ? new LockLost(`${path} is gone: its directory was removed, moved or replaced`) : error;
      if (lost instanceof LockLost) this.#lose(lost);
      throw lost;
    }
  }

  /** Whether the lock can be read and is still held. */
  isHeld(): Promise<boolean> {
    return this.#lookAtLock().then(
      () => true,
      () => false,
    );
  }

  async release(): Promise<void> {
    clearInterval(this.#beats);
    await this.#beat;
    const isHeld = await this.isHeld();
    await this.#taken.handle.close();
    if (isHeld) await this.#taken.files.unlink(this.#taken.path);
  }

  /** Touches the file that this process created, even if it was moved. Then checks that this file is still the lock. */
  async #touch(): Promise<void> {
    const since = new Stopwatch();
    const now = new Date();
    try {
      await this.#taken.handle.utimes(now, now);
      await this.look();
      this.#held = since;
    } catch {
      // Ignored: `lost` has reported a lost lock. After any other error the lock is unconfirmed, so no commit is acknowledged.
    }
    this.#beat = null;
  }
}

/** Creates the lock from a draft, atomically if the file system has hard links; false if a lock exists. */
async function link(files: Files, draft: string, path: string): Promise<boolean> {
  const isMade = (made: Promise<unknown>) =>
    made.then(
      () => true,
      (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      },
    );
  try {
    return await isMade(files.link(draft, path));
  } catch (error) {
    // exFAT has no hard links, and shared folders of virtual machines or networks often have none.
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return isMade(files.writeFile(path, await files.readFile(draft), { flag: 'wx' }));
  }
}

/** Removes the lock of a dead holder. @returns whether the holder may only be paused @throws Error if the holder is alive */
async function removeStale(files: Files, path: string, mine: Holder, beatMs: number): Promise<boolean> {
  try {
    const text = await files.readFile(path, 'utf8');
    const holder = parseHolder(text);
    const { mtimeMs } = await files.stat(path);
    const isElsewhere = holder !== null && (holder.host !== mine.host || (holder.space ?? mine.space) !== mine.space);
    const isAsFound = async (at: string) => (await files.readFile(at, 'utf8')) === text && (await files.stat(at)).mtimeMs === mtimeMs;
    const known = holder === null || isElsewhere ? null : await livesHere(holder);
    if (known === null) await wait(holder === null ? writeMs : staleBeats * beatMs);
    const lives = known ?? !(await isAsFound(path));
    if (lives && holder === null) return false; // Its holder was still writing the file.
    if (lives) {
      throw new Error(
        `Process ${holder!.pid} on ${holder!.host} uses this directory (${path}). Stop it, or set SANDBOX_DATA to another directory.`,
      );
    }
    const aside = `${path}.stale.${mine.token}`;
    await files.rename(path, aside);
    const isSame = await isAsFound(aside);
    // Another process was faster and this is its lock, or the holder has just resumed.
    if (!isSame) await link(files, aside, path);
    await files.unlink(aside);
    return isSame && known === null && holder !== null;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
