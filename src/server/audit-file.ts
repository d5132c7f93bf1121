import { createWriteStream, openSync, renameSync, statSync, type WriteStream } from 'node:fs';
import type { AuditEntry } from '../contract/control/audit.js';

/** Size in bytes above which the file gets the suffix `.1` and a new one begins. */
const maxBytes = 64 * 1024 * 1024;

/** Ends a stream, and resolves when all its lines are written or it has failed. */
const ended = (stream: WriteStream) =>
  new Promise<void>((resolve) => {
    stream.once('close', resolve).end();
    if (stream.closed) resolve();
  });

/** Appends entries of the audit log to a file, one line of JSON each. */
export class AuditFile {
  readonly #path: string;
  readonly #failed: (error: Error) => void;
  readonly #maxBytes: number;
  #stream: WriteStream;
  /** Resolves when the files before all rotations are complete. */
  #former: Promise<void> = Promise.resolve();
  #bytes: number;

  private constructor(path: string, failed: (error: Error) => void, most: number) {
    this.#path = path;
    this.#failed = failed;
    this.#maxBytes = most;
    this.#bytes = statSync(path).size;
    this.#stream = this.#begin();
  }

  /** Opens the file and creates it if it is missing. @param failed called if writing fails @throws Error if it cannot be written */
  static async open(path: string, failed: (error: Error) => void, most = maxBytes): Promise<AuditFile> {
    const first = createWriteStream(path, { flags: 'a', mode: 0o600 });
    await new Promise<void>((resolve, reject) => {
      first.once('error', reject);
      first.end(resolve);
    });
    return new AuditFile(path, failed, most);
  }

  readonly write = (entry: AuditEntry): void => {
    const line = `${JSON.stringify(entry)}\n`;
    // A stream ends with its first error, for example on a full disk.
    if (this.#stream.destroyed) this.#stream = this.#begin();
    this.#bytes += Buffer.byteLength(line);
    this.#stream.write(line);
    if (this.#bytes > this.#maxBytes) this.#rotate();
  };

  async close(): Promise<void> {
    await Promise.all([this.#former, ended(this.#stream)]);
  }

  /** Opens the file at once: a stream that opened it later, after another rotation, would write to the file of its successor. */
  #begin(): WriteStream {
    const how = { flags: 'a', mode: 0o600 };
    let fd: number | undefined;
    try {
      fd = openSync(this.#path, how.flags, how.mode);
    } catch {
      // The stream opens the file again, and reports the error.
    }
    return createWriteStream(this.#path, fd === undefined ? how : { ...how, fd }).on('error', this.#failed);
  }

  #rotate(): void {
    // Lines that are still to be written go to the renamed file, because its stream keeps it open.
    const [former, latest] = [this.#former, ended(this.#stream)];
    this.#former = latest.then(() => former);
    try {
      renameSync(this.#path, `${this.#path}.1`);
    } catch (error) {
      this.#failed(error as Error);
    }
    this.#bytes = 0;
    this.#stream = this.#begin();
  }
}
