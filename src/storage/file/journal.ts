import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing, isMissing, makeDirectory, naming, privately, syncDirectory, type Files } from './files.js';
import { LockLost } from './lock-file.js';
import { JournalDamage, jsonOfLine, LineBuffer, readLines, type JournalLine, type SegmentContent } from './journal-line.js';

/** A journal file with its inode, and the sequence number of its last commit. */
interface Segment {
  readonly path: string;
  readonly inode: number;
  lastSequence: number;
}

/** Approximate size of one write, in bytes. */
const writeBytes = 1024 * 1024;

const segmentName = /^([0-9]{6})\.log$/;

/** The commits since the last checkpoint, as lines in segment files. Only one caller at a time may append. */
export class Journal {
  readonly directory: string;
  readonly #files: Files;
  readonly #segments: Segment[] = [];
  readonly #lines = new LineBuffer();
  #number = 0;
  #handle: FileHandle | null = null;
  /** Acknowledged length of the open segment in bytes. */
  #length = 0;
  #bytes = 0;

  constructor(directory: string, files: Files) {
    this.directory = directory;
    this.#files = files;
  }

  /** Bytes appended since the start of the oldest segment. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Reads all segments, oldest first, and cuts off an interrupted write at the end of the last one.
   * @throws Error naming file and byte of damage
   */
  async read(): Promise<{ at: string; line: JournalLine }[]> {
    await makeDirectory(this.directory, this.#files, privately.directory);
    const names = (await this.#files.readdir(this.directory)).filter((name) => segmentName.test(name)).toSorted();
    const all: { at: string; line: JournalLine }[] = [];
    for (const [index, name] of names.entries()) {
      const path = join(this.directory, name);
      const bytes = await this.#files.readFile(path);
      const { lines, length, endsOpen } = this.#readSegment(path, bytes);
      if (length < bytes.length && !endsOpen && index < names.length - 1) {
        throw new Error(damageText(path, length, 'its last line is incomplete, but there is a later segment'));
      }
      const inode = await this.#settle(path, length, endsOpen);
      this.#segments.push({ path, inode, lastSequence: lines.reduce((last, { line }) => Math.max(last, line.s), 0) });
      this.#number = Number(segmentName.exec(name)![1]);
      this.#bytes += length;
      for (const { offset, line } of lines) all.push({ at: `${path}, byte ${offset}`, line });
    }
    return all;
  }

  /** Cuts a segment after its last line and syncs it, before a later segment continues it. @returns its inode */
  async #settle(path: string, length: number, endsOpen: boolean): Promise<number> {
    const handle = await this.#files.open(path, 'r+');
    try {
      await handle.truncate(length);
      if (endsOpen) await handle.write('\n', length);
      await handle.datasync();
      return (await handle.stat()).ino;
    } finally {
      await handle.close();
    }
  }

  #readSegment(path: string, bytes: Buffer): SegmentContent {
    try {
      return readLines(bytes);
    } catch (error) {
      if (error instanceof JournalDamage) throw new Error(damageText(path, error.offset, error.message), { cause: error });
      throw error;
    }
  }

  /** Starts a new segment. Its first line contains the checksum of the checkpoint. */
  async rotate(base: string | null, sequence: number): Promise<void> {
    this.#number += 1;
    const path = join(this.directory, `${String(this.#number).padStart(6, '0')}.log`);
    await this.#handle?.datasync(); // A later segment on disk then proves that the earlier segments are complete.
    const handle = await this.#files.open(path, 'ax', privately.file);
    const { ino } = await handle.stat();
    await this.#handle?.close();
    this.#handle = handle;
    this.#length = 0;
    this.#segments.push({ path, inode: ino, lastSequence: sequence });
    await this.append([jsonOfLine({ s: sequence, base })], sequence, true);
    await syncDirectory(this.#files, this.directory);
  }

  /**
   * Appends all lines, or none if one cannot be written.
   * @param lines JSON
   * @param sync true to survive a power loss
   * @throws the error of the file system, after trying to truncate the file to its old length
   */
  async append(lines: Iterable<string>, lastSequence: number, sync: boolean): Promise<void> {
    const handle = this.#handle;
    const segment = this.#segments.at(-1);
    if (!handle || !segment) throw new Error('The journal has no open segment.');
    let written = 0;
    const flush = async (): Promise<void> => {
      const bytes = this.#lines.take();
      // Several times faster than appendFile.
      for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten;
      written += bytes.length;
    };
    try {
      for (const line of lines) {
        this.#lines.add(line);
        if (this.#lines.length >= writeBytes) await flush();
      }
      if (this.#lines.length > 0) await flush();
      if (sync) await handle.datasync();
    } catch (error) {
      this.#lines.take();
      await handle.truncate(this.#length).catch(() => undefined);
      throw naming(segment.path, error);
    }
    this.#length += written;
    this.#bytes += written;
    segment.lastSequence = Math.max(segment.lastSequence, lastSequence);
  }

  /** Checks that all segments are still at their paths: a start would not find writes to a deleted file. @throws LockLost */
  async look(): Promise<void> {
    const segments = [...this.#segments]; // A checkpoint may delete one while this waits.
    for (const segment of segments) {
      const found = await this.#files.stat(segment.path).catch((error: unknown) => {
        if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
        throw error;
      });
      // A checkpoint may have deleted the segment meanwhile.
      if (found?.ino === segment.inode || !this.#segments.includes(segment)) continue;
      throw new LockLost(
        `${segment.path} is gone: the journal was removed, moved or replaced, and all changes after the last checkpoint are lost`,
      );
    }
  }

  /** Deletes closed segments whose lines are in a checkpoint. */
  async dropThrough(sequence: number): Promise<void> {
    while (this.#segments.length > 1 && this.#segments[0]!.lastSequence <= sequence) {
      const { path } = this.#segments.shift()!;
      await this.#files.unlink(path).catch(ignoreMissing);
    }
    if (this.#segments.length === 1) this.#bytes = this.#length;
  }

  /** Closes the open segment without changing files. */
  async release(): Promise<void> {
    await this.#handle?.close();
    this.#handle = null;
  }

  /**
   * Closes the journal. If a checkpoint contains all lines, keeps only a segment with its checksum, which proves to the next start that
   * this program wrote the checkpoint.
   */
  async close(base: string | null, sequence: number): Promise<void> {
    if (!this.#handle) return;
    const isHeld = base !== null && this.#segments.every(({ lastSequence }) => lastSequence <= sequence);
    try {
      if (isHeld) await this.rotate(base, sequence);
    } finally {
      await this.release();
    }
    if (isHeld) await this.dropThrough(sequence);
    await syncDirectory(this.#files, this.directory);
  }
}

function damageText(path: string, offset: number, what: string): string {
  return `${path} is damaged at byte ${offset}: ${what}. Restore a copy of the data directory, or cut the file at that byte to lose all later commits.`;
}
