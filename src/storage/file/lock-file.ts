import type { FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { nanoid } from 'nanoid';
import { Stopwatch } from '../stopwatch.js';
import { ignoreMissing, isMissing, naming, type Files } from './files.js';
import { livesHere, ownSpace, parseHolder, processOf, type Holder } from './lock-holder.js';

/** How often the holder of a lock shows that it lives, in milliseconds. */
const beatMs = 1000;
/** How long a lock has to be untouched before it is taken over from somebody of whom nothing else tells, in milliseconds. */
const lockMs = 3 * beatMs;
/** How long a lock that names nobody is taken for one that is just being written, in milliseconds. */
const writeMs = 50;

/** A lock that is another's by now, or gone with its directory; or a journal that is. */
export class LockLost extends Error {
  readonly code = 'LOCK_LOST';
}

/**
 * Takes the lock of a directory. The lock of a process that no longer lives is taken over: on this machine its id and time of birth tell,
 * elsewhere (another machine or container on the same volume, a system that does not say when a process began) that it has stopped
 * touching the file.
 * @param host what this machine is called
 * @throws Error naming the process that holds it
 */
export async function lockDirectory(directory: string, files: Files, host = hostname()): Promise<DirectoryLock> {
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
      formerMayWrite = (await removeStale(files, path, mine)) || formerMayWrite;
      since = new Stopwatch();
    }
  } finally {
    await files.unlink(draft).catch(ignoreMissing);
  }
  return new DirectoryLock({ path, text: JSON.stringify(mine), handle: await files.open(path, 'r+'), files, held: since, formerMayWrite });
}

interface TakenLock {
  readonly path: string;
  /** What stands in it. */
  readonly text: string;
  readonly handle: FileHandle;
  readonly files: Files;
  /** Begun when it was not yet taken. */
  readonly held: Stopwatch;
  readonly formerMayWrite: boolean;
}

/**
 * A directory's lock, which one process holds at a time. Whoever was paused for long may have lost it without knowing:
 * what is acknowledged has to be confirmed first.
 */
export class DirectoryLock {
  /** Whether who held it before may only have been paused, on another machine for one, and may still write where it wrote. */
  readonly formerMayWrite: boolean;
  /** Resolves when the lock turns out to be lost. */
  readonly lost: Promise<LockLost>;
  #lose: (why: LockLost) => void = () => undefined;
  readonly #taken: TakenLock;
  readonly #beats: NodeJS.Timeout;
  #beat: Promise<void> | null = null;
  #alsoLook: () => Promise<void> = () => Promise.resolve();
  /** Begun when it was last touched and then seen to be held still. */
  #held: Stopwatch;

  constructor(taken: TakenLock) {
    this.#taken = taken;
    this.#held = taken.held;
    this.formerMayWrite = taken.formerMayWrite;
    this.lost = new Promise((resolve) => (this.#lose = resolve));
    this.#beats = setInterval(() => void (this.#beat ??= this.#touch()), beatMs).unref();
    void this.lost.then(() => clearInterval(this.#beats));
  }

  /**
   * Resolves when all that was written up to this call was written by the holder of the lock. It costs nothing, but after a pause.
   * @throws LockLost, or what keeps the lock from being looked at
   */
  async confirm(): Promise<void> {
    if (this.#held.ms > lockMs / 2) await this.look();
  }

  /** Adds a check to every look at the lock. @param look throws LockLost if what the lock guards is gone */
  alsoLook(look: () => Promise<void>): void {
    this.#alsoLook = look;
  }

  /** Looks at the lock and at what it guards. @throws LockLost when it is not held any more, or what keeps it from being looked at */
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
        `${path} is ${holder ? `that of process ${holder.pid} on ${holder.host} now` : 'no longer the one that was taken'}`,
      );
    } catch (error) {
      const isGone = /^ENO(ENT|TDIR)$/.test((error as NodeJS.ErrnoException).code ?? '');
      const lost = isGone ? new LockLost(`${path} is gone: its directory was removed, moved or replaced`) : error;
      if (lost instanceof LockLost) this.#lose(lost);
      throw lost;
    }
  }

  /** Whether the lock can be looked at and is held still. */
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

  /** Touches the file that was taken, wherever it is by now, and never another one; then looks whether it still is the lock. */
  async #touch(): Promise<void> {
    const since = new Stopwatch();
    const now = new Date();
    try {
      await this.#taken.handle.utimes(now, now);
      await this.look();
      this.#held = since;
    } catch {
      // A loss was told. Anything else keeps the lock from being confirmed, so nothing is acknowledged until it passes.
    }
    this.#beat = null;
  }
}

/** Makes the lock of a draft, complete from its first instant where the file system has hard links; false when there is one already. */
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
    // exFAT has none, and folders that a virtual machine or a network shares often not.
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return isMade(files.writeFile(path, await files.readFile(draft), { flag: 'wx' }));
  }
}

/** Removes the lock of a holder that does not live. @returns whether it may only have been paused @throws Error when it lives */
async function removeStale(files: Files, path: string, mine: Holder): Promise<boolean> {
  try {
    const text = await files.readFile(path, 'utf8');
    const holder = parseHolder(text);
    const { mtimeMs } = await files.stat(path);
    const isElsewhere = holder !== null && (holder.host !== mine.host || (holder.space ?? mine.space) !== mine.space);
    const isAsFound = async (at: string) => (await files.readFile(at, 'utf8')) === text && (await files.stat(at)).mtimeMs === mtimeMs;
    const known = holder === null || isElsewhere ? null : await livesHere(holder);
    if (known === null) await wait(holder === null ? writeMs : lockMs);
    const lives = known ?? !(await isAsFound(path));
    if (lives && holder === null) return false; // It was about to be written.
    if (lives) {
      throw new Error(
        `${path} says that process ${holder!.pid} on ${holder!.host} works with this directory. Stop it, or choose another directory with SANDBOX_DATA.`,
      );
    }
    const aside = `${path}.stale.${mine.token}`;
    await files.rename(path, aside);
    const isSame = await isAsFound(aside);
    // Another process was quicker, and this is its lock; or the holder has come back just now.
    if (!isSame) await link(files, aside, path);
    await files.unlink(aside);
    return isSame && known === null && holder !== null;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
