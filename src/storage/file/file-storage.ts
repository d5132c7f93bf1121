import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DomainError } from '../../domain/errors.js';
import { CheckpointPace } from './checkpoint-pace.js';
import { allLines, newGroup, type Group } from './commit-group.js';
import { makeDirectory, nodeFiles, privately, type Files } from './files.js';
import { Journal } from './journal.js';
import { jsonOfLine, linesOf, type Commit } from './journal-line.js';
import { replayJournal } from './journal-replay.js';
import { failureText } from './failure-text.js';
import { lockDirectory, LockLost, type DirectoryLock } from './lock-file.js';
import { SnapshotFile } from './snapshot-file.js';
import type { Snapshot } from './snapshot-text.js';
import type { WorldLog } from '../../world/commit.js';
import type { WorldRows } from '../../world/state.js';
import type { OpenedWorld, Storage, WorldHead } from '../storage.js';
import type { durabilities, FileStorageOptions } from './options.js';
import { keptSecret } from './secret-file.js';
import { logOf } from './world-log.js';
import { StoredWorld } from '../stored-world.js';

/** Time without commits before a checkpoint, in milliseconds. */
const idleMs = 1000;
/**
 * Stores all worlds in a directory: `db.json`, a readable checkpoint, and a journal of the commits after it. Commits of one event loop turn
 * share one write. Commits that arrive during a write share the next one.
 */
export class FileStorage implements Storage {
  readonly #durability: (typeof durabilities)[number];
  readonly #pace: CheckpointPace;
  readonly #warn: (message: string) => void;
  readonly #lock: DirectoryLock;
  readonly #journal: Journal;
  readonly #snapshots: SnapshotFile;
  readonly #stopMs: number;
  readonly #directory: string;
  readonly #files: Files;
  /** The worlds after the last accepted commit. */
  #worlds = new Map<string, StoredWorld>();
  /** Sequence number of the last accepted commit. */
  #sequence = 0;
  /** Sequence number of the last commit in `db.json`. */
  #checkpointed = 0;
  #group: Group | null = null;
  #writing: Promise<void> | null = null;
  #checkpoint: Promise<void> | null = null;
  #secrets: Promise<unknown> = Promise.resolve();
  #isCheckpointWanted = false;
  #idle: NodeJS.Timeout | null = null;
  #failure: DomainError | null = null;
  #isClosing = false;
  #closed: Promise<void> | null = null;

  private constructor(
    directory: string,
    lock: DirectoryLock,
    { durability = 'os', warn = () => undefined, files = nodeFiles, minJournalBytes = 4 * 1024 * 1024, stopMs = 1500 }: FileStorageOptions,
  ) {
    this.#directory = directory;
    this.#files = files;
    this.#lock = lock;
    this.#pace = new CheckpointPace(minJournalBytes);
    this.#durability = durability;
    this.#warn = warn;
    this.#stopMs = stopMs;
    this.#journal = new Journal(join(directory, 'journal'), files);
    this.#snapshots = new SnapshotFile(directory, {
      files,
      warn,
      // Synced, so that the journal always contains the checksum of the current file.
      beforeSwap: (checksum, sequence) => this.#enqueue({ sequence, lines: [jsonOfLine({ s: sequence, base: checksum })] }, true),
      mayWrite: () => lock.look(),
    });
    lock.alsoLook(() => this.#journal.look());
    void lock.lost.then((why) => this.#fail(why, null));
  }

  /** Opens the storage and creates the directory if needed. @throws Error if another process uses the directory, or it is not writable */
  static async open(directory: string, options: FileStorageOptions = {}): Promise<FileStorage> {
    const { files = nodeFiles } = options;
    try {
      await makeDirectory(directory, files, privately.directory);
      const storage = new FileStorage(directory, await lockDirectory(directory, files, options), options);
      await storage.#load();
      return storage;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      const what = `The data directory ${directory} cannot be used: ${error.message}.`;
      throw new Error(`${what} Set SANDBOX_DATA to another directory, or use SANDBOX_DATA=memory to store nothing.`, { cause: error });
    }
  }

  get isReadOnly(): boolean {
    return this.#failure !== null;
  }

  /** @throws Error naming file and position of damage, or why `db.json` and the journal do not match */
  async #load(): Promise<void> {
    try {
      const journal = await this.#journal.read();
      const bases = journal.flatMap(({ line }) => ('base' in line && line.base !== null ? [line.base] : []));
      const loaded = await this.#snapshots.load(new Set(bases));
      this.#worlds = loaded?.worlds ?? new Map();
      this.#checkpointed = loaded?.sequence ?? 0;
      const base = { path: this.#snapshots.path, checksum: this.#snapshots.checksum, sequence: this.#checkpointed };
      this.#sequence = replayJournal(this.#worlds, journal, base, this.#journal.directory);
      await this.#journal.dropThrough(this.#checkpointed);
      await this.#journal.rotate(this.#snapshots.checksum, this.#checkpointed);
      await Promise.all((loaded?.repaired ?? []).map((commit) => this.#commit(commit)));
      if (this.#lock.formerMayWrite) await this.#leaveOldSegments();
      if (this.#sequence > this.#checkpointed) this.#awaitIdle();
    } catch (error) {
      await this.#journal.release();
      await this.#lock.release();
      throw error;
    }
  }

  /** Writes a checkpoint and deletes the segments of the previous lock holder, which may still write to them. */
  async #leaveOldSegments(): Promise<void> {
    if (this.#sequence > this.#checkpointed) {
      this.#wantCheckpoint();
      await this.#untilWritten();
      if (this.#failure) throw this.#failure;
      if (this.#sequence > this.#checkpointed)
        throw new Error(
          `${this.#snapshots.path} could not be written. This is required after taking over a directory from another machine.`,
        );
    }
    await this.#journal.dropThrough(this.#checkpointed);
  }

  async #untilWritten(): Promise<void> {
    while (this.#writing ?? this.#checkpoint) await (this.#writing ?? this.#checkpoint);
  }

  *heads(): Generator<WorldHead> {
    for (const { identity } of this.#worlds.values()) if (identity) yield identity;
  }

  find(by: { readonly name: string } | { readonly clientId: string }): Promise<WorldHead | null> {
    for (const head of this.heads()) if ('name' in by ? head.name === by.name : head.clientId === by.clientId) return Promise.resolve(head);
    return Promise.resolve(null);
  }

  async create({ name }: WorldHead, rows: WorldRows): Promise<WorldLog> {
    if (this.#worlds.has(name))
      throw new DomainError('RESOURCE_ALREADY_EXISTS', `World ${name} already exists.`, { resource: 'World', name });
    await this.#commit({ world: name, rows });
    return this.#logOf(name);
  }

  open(name: string): Promise<OpenedWorld | null> {
    const stored = this.#worlds.get(name);
    return Promise.resolve(stored ? { log: this.#logOf(name), sequence: 0, rows: stored } : null);
  }

  secret(name: string, make: () => Promise<string>): Promise<string> {
    const kept = keptSecret(join(this.#directory, `${name}.json`), make, this.#files);
    this.#secrets = Promise.allSettled([this.#secrets, kept]);
    return kept;
  }

  #logOf(name: string): WorldLog {
    return logOf(name, {
      keep: (commit) => this.#commit(commit),
      isReadOnly: () => this.isReadOnly,
      heldBy: (rows) => this.#worlds.get(name)?.heldBy(rows),
    });
  }

  #commit(commit: Commit): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    this.#sequence += 1;
    if ('dropped' in commit) this.#worlds.delete(commit.world);
    else if ('rows' in commit) this.#put(commit.world, commit.rows);
    else this.#worlds.get(commit.world)?.apply(commit.changes);
    return this.#enqueue({ sequence: this.#sequence, lines: linesOf(this.#sequence, commit) });
  }

  #put(world: string, rows: WorldRows): void {
    const stored = this.#worlds.get(world);
    if (stored) stored.replace(rows);
    else this.#worlds.set(world, StoredWorld.of(rows));
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#isClosing = true;
    if (this.#idle) clearTimeout(this.#idle);
    const giveUp = setTimeout(() => this.#snapshots.cancel(), this.#stopMs);
    await Promise.all([this.#untilWritten(), this.#secrets]);
    if (!this.#failure && this.#sequence > this.#checkpointed) this.#wantCheckpoint();
    await this.#untilWritten();
    clearTimeout(giveUp);
    try {
      if (await this.#isWhole()) await this.#journal.close(this.#snapshots.checksum, this.#checkpointed);
      else await this.#journal.release();
    } finally {
      await this.#lock.release();
    }
  }

  /** Whether the lock is held and the journal is in place. */
  #isWhole(): Promise<boolean> {
    return this.#lock.look().then(
      () => true,
      () => false,
    );
  }

  #enqueue(item: Group['items'][number], mustSync = false): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    this.#group ??= newGroup();
    this.#group.items.push(item);
    this.#group.mustSync ||= mustSync;
    this.#startWriting();
    return this.#group.kept;
  }

  #startWriting(): void {
    this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    await nextTurn();
    while ((this.#group || (this.#isCheckpointWanted && !this.#checkpoint)) && !this.#failure) {
      const group = this.#group;
      this.#group = null;
      // Between two turns, the worlds contain exactly the accepted commits.
      const snapshot = this.#isCheckpointDue() ? this.#takeSnapshot() : null;
      try {
        if (group) {
          await this.#lookForJournal();
          await this.#append(group);
          await this.#lock.confirm(); // If another process has taken the lock meanwhile, it has not read this commit.
          group.resolve();
        }
        if (snapshot) await this.#lock.look();
        if (snapshot) await this.#journal.rotate(this.#snapshots.checksum, this.#checkpointed);
      } catch (error) {
        this.#fail(error as NodeJS.ErrnoException, group);
      }
      if (snapshot && !this.#failure) this.#checkpoint = this.#save(snapshot);
    }
    this.#writing = null; // Reset in the same turn as the check of the group, so that every group is written.
    if (!this.#failure && !this.#isClosing && this.#sequence > this.#checkpointed) this.#awaitIdle();
  }

  /** Checks, before a write, that a start would find it. @throws LockLost if a file of the journal, or the directory, was removed or replaced */
  async #lookForJournal(): Promise<void> {
    try {
      await this.#journal.look();
    } catch (error) {
      await this.#lock.look(); // If the whole directory is gone, the error says so.
      throw error;
    }
  }

  #append({ items, mustSync }: Group): Promise<void> {
    const last = items.reduce((highest, { sequence }) => Math.max(highest, sequence), 0);
    return this.#journal.append(allLines(items), last, mustSync || this.#durability === 'fsync');
  }

  /** Stops storing. Rejects all waiting commits, so that the worlds return to their stored state. */
  #fail(error: NodeJS.ErrnoException, group: Group | null): void {
    if (!this.#failure) {
      if (!this.#isClosing || !(error instanceof LockLost)) this.#warn(failureText(error, this.#journal.directory));
      const message = 'The sandbox cannot store changes any more and is read-only. See its log for the reason.';
      this.#failure = new DomainError('SERVICE_UNAVAILABLE', message, { cause: error.code ?? error.message });
    }
    group?.reject(this.#failure);
    this.#group?.reject(this.#failure);
    this.#group = null;
  }

  #takeSnapshot(): Snapshot {
    this.#isCheckpointWanted = false;
    return { sequence: this.#sequence, worlds: new Map([...this.#worlds].map(([name, stored]) => [name, stored.capture()])) };
  }

  #isCheckpointDue(): boolean {
    if (this.#checkpoint) return false;
    return this.#isCheckpointWanted || this.#pace.isDue(this.#journal.bytes, this.#snapshots.size);
  }

  #wantCheckpoint(): void {
    this.#isCheckpointWanted = true;
    this.#startWriting();
  }

  #awaitIdle(): void {
    if (this.#idle) this.#idle.refresh();
    else this.#idle = setTimeout(() => this.#beIdle(), idleMs).unref();
  }

  #beIdle(): void {
    if (this.#checkpoint || this.#isClosing || this.#sequence === this.#checkpointed) return;
    if (!this.#pace.isRested) this.#awaitIdle();
    else this.#wantCheckpoint();
  }

  /** Writes a checkpoint. If it fails, no commit is lost: the journal continues, and the next try starts when the journal has grown. */
  async #save(snapshot: Snapshot): Promise<void> {
    const startedMs = performance.now();
    try {
      await this.#snapshots.save(snapshot);
      this.#pace.saved(startedMs);
      this.#checkpointed = snapshot.sequence;
      await this.#journal.dropThrough(snapshot.sequence);
    } catch (error) {
      this.#pace.failed(this.#journal.bytes);
      if (!this.#isClosing)
        this.#warn(`The checkpoint of ${this.#snapshots.path} failed: ${(error as Error).message}. The journal continues.`);
    }
    this.#checkpoint = null;
    // A checkpoint was requested during this one.
    if (this.#isCheckpointWanted) this.#startWriting();
    else if (!this.#failure && !this.#isClosing && this.#sequence > this.#checkpointed) this.#awaitIdle();
  }
}
