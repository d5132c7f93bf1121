import type { Busboy, BusboyInstance } from '@fastify/busboy';
import { fileTypeFromBuffer } from 'file-type';
import type { Context } from 'hono';
import { createHash } from 'node:crypto';
import { maxFileBytes, mediaTypes, type UploadedFile } from '../../../contract/public/documents.js';
import { DomainError, invalidData } from '../../../domain/errors.js';
import { TimeSlicer } from '../../../world/turns.js';
import type { BodyReservation } from './body-budget.js';
import { bindingsOf, headerIn, reservationOf, readChunks } from './body.js';
import { CollectedBytes } from './collected-bytes.js';
import { checkNotCompressed, mediaTypeOf, parseJson, unsupportedMediaType, type JsonBody } from './json-body.js';

/** The largest multipart body, in bytes. */
const maxMultipartBytes = 11_000_000;

/** Limits of a multipart body. Requests need two parts; extra parts are ignored. `headerBytes` counts everything outside of part contents, `fieldBytes` all parts except the file. */
const limits = { parts: 20, headerBytes: 64 * 1024, fieldBytes: 64 * 1024 };

/** Bytes of a file that are kept to detect its type. */
const sampleBytes = 64 * 1024;

/** Bytes to parse at a time. Small, because a chunk can consist of many empty parts. */
const pieceBytes = 8 * 1024;

/** A received file, reduced to the data that validation needs. */
export interface FilePart {
  readonly fileName: string;
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** The first 64 KiB. */
  readonly sample: Buffer;
}

/** An upload: its part `body` as JSON, and its part `file`, not yet validated. */
export interface Upload {
  readonly json: JsonBody;
  readonly file: FilePart;
}

/**
 * Reads a request with a JSON part `body` and a part `file`.
 * @throws DomainError UNSUPPORTED_MEDIA_TYPE, INVALID_DATA if the multipart body is malformed, MISSING_MULTIPART_FIELD; and errors of {@link readChunks}
 */
export async function readUpload(c: Context): Promise<Upload> {
  checkNotCompressed(c);
  if (mediaTypeOf(c) !== 'multipart/form-data') throw unsupportedMediaType(c, ['multipart/form-data']);
  // Loaded with the first upload, because a start needs no parser.
  const { Busboy: Parser } = await import('@fastify/busboy');
  const reader = new UploadReader(Parser, headerIn(c, 'content-type') ?? '', reservationOf(c));
  await readChunks(c, maxMultipartBytes, (chunk) => reader.add(chunk));
  const upload = await reader.end();
  const { fileSha256: sha256 } = bindingsOf(c);
  return sha256 === undefined ? upload : { ...upload, file: { ...upload.file, sha256 } };
}

function malformed(field: string, code: 'MALFORMED_MULTIPART' | 'DUPLICATE_ENTRY', message: string): DomainError {
  return invalidData([{ code, message, field, params: {} }]);
}

const notWellFormed = (why: string) => malformed('body', 'MALFORMED_MULTIPART', `Invalid multipart/form-data in the request body: ${why}.`);

/** Number of turns of the event loop in which the content of a part reaches its reader, with a margin: the readers take it at once. */
const maxTurns = 20;

/** Time slices that all uploads share. */
const pace = new TimeSlicer();

/** Parses an upload while it arrives, and fails at the first error. */
class UploadReader {
  readonly #parser: BusboyInstance;
  readonly #reservation: BodyReservation;
  #body: CollectedBytes | undefined;
  #file: FileReader | undefined;
  #readBytes = 0;
  #contentBytes = 0;
  #fieldBytes = 0;
  #error: DomainError | undefined;
  /** Ends the wait for the parser. */
  #wake: () => void = () => undefined;

  /** @throws DomainError INVALID_DATA if the content type has no boundary */
  constructor(Parser: typeof Busboy, contentType: string, reservation: BodyReservation) {
    this.#reservation = reservation;
    try {
      const headers = { 'content-type': contentType };
      this.#parser = new Parser({ headers, isPartAFile: () => true, limits: { files: limits.parts, parts: limits.parts } });
    } catch (error) {
      throw notWellFormed((error as Error).message);
    }
    this.#parser.on('file', (name: string, content, fileName: string | undefined) => {
      const take = this.#begin(name, fileName ?? '');
      content.on('data', (chunk: Buffer) => {
        this.#contentBytes += chunk.length;
        this.#try(() => take(chunk));
      });
      content.on('error', (error: Error) => this.#fail(notWellFormed(error.message)));
    });
    this.#parser.on('partsLimit', () => this.#fail(notWellFormed(`it has more than ${limits.parts} parts`)));
    this.#parser.on('error', (error: Error) => this.#fail(notWellFormed(error.message)));
    this.#parser.on('finish', () => this.#wake());
  }

  /** @throws DomainError INVALID_DATA, SERVICE_UNAVAILABLE */
  async add(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const piece = chunk.subarray(at, at + pieceBytes);
      this.#readBytes += piece.length;
      await this.#until((done) => void this.#parser.write(piece, done));
      if (this.#readBytes - this.#contentBytes > limits.headerBytes)
        throw notWellFormed(`its parts have more than ${limits.headerBytes} bytes of headers`);
      if (pace.shouldYield()) await pace.yield();
    }
  }

  /** Returns the upload after the last chunk. @throws DomainError INVALID_DATA, MISSING_MULTIPART_FIELD */
  async end(): Promise<Upload> {
    await this.#until(() => void this.#parser.end());
    if (this.#body && this.#file) return { json: parseJson(this.#body.bytes), file: this.#file.end() };
    const missing = [...(this.#body ? [] : ['body']), ...(this.#file ? [] : ['file'])];
    throw new DomainError('MISSING_MULTIPART_FIELD', `The multipart body has no part named ${missing.join(' or ')}.`, {
      fieldName: missing[0],
    });
  }

  /** Starts a part. @returns a function that takes its content */
  #begin(name: string, fileName: string): (chunk: Buffer) => void {
    if ((name === 'body' && this.#body) || (name === 'file' && this.#file))
      this.#fail(malformed(`body:${name}`, 'DUPLICATE_ENTRY', `There is more than one part named ${name}.`));
    if (name === 'file') {
      const file = (this.#file = new FileReader(fileName));
      return (chunk) => {
        file.add(chunk);
        this.#hold();
      };
    }
    const body = name === 'body' ? (this.#body = new CollectedBytes(limits.fieldBytes)) : undefined;
    return (chunk) => {
      this.#fieldBytes += chunk.length;
      if (this.#fieldBytes > limits.fieldBytes)
        throw notWellFormed(`its parts other than the file have more than ${limits.fieldBytes} bytes`);
      body?.add(chunk);
      this.#hold();
    };
  }

  #hold(): void {
    this.#reservation.set((this.#body?.size ?? 0) + (this.#file?.sampleSize ?? 0));
  }

  #try(step: () => void): void {
    if (this.#error) return;
    try {
      step();
    } catch (error) {
      this.#fail(error as DomainError);
    }
  }

  #fail(error: DomainError): void {
    this.#error ??= error;
    this.#wake();
  }

  /** Runs a parser step and waits until it is done or has failed. */
  async #until(step: (done: () => void) => void): Promise<void> {
    let isDone = false;
    await new Promise<void>((resolve) => {
      const done = () => {
        isDone = true;
        resolve();
      };
      this.#wake = done;
      step(done);
      // Between certain boundaries, the parser would wait forever for a part that it never reports.
      const watch = (turns: number) => {
        if (isDone) return;
        if (turns === 0) this.#fail(notWellFormed('a part has no end of its headers'));
        else setImmediate(watch, turns - 1);
      };
      watch(maxTurns);
    });
    if (this.#error) throw this.#error;
  }
}

/** Computes size, hash and sample of a file while it arrives. */
class FileReader {
  readonly #fileName: string;
  readonly #hash = createHash('sha256');
  readonly #sample = new CollectedBytes(sampleBytes);
  #size = 0;

  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  get sampleSize(): number {
    return this.#sample.size;
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    this.#hash.update(chunk);
    const wanted = sampleBytes - this.#sample.size;
    if (wanted > 0) this.#sample.add(chunk.subarray(0, wanted));
  }

  end(): FilePart {
    return { fileName: this.#fileName, size: this.#size, sha256: this.#hash.digest('hex'), sample: this.#sample.bytes };
  }
}

/** True for a PDF with other bytes before its header, as many scanners and printers write. Readers search the first 1,024 bytes. */
function isLatePdf(sample: Buffer): boolean {
  return sample.subarray(0, 1024).includes('%PDF-');
}

/**
 * Validates a file by its content, regardless of its name and declared type.
 * @throws DomainError EMPTY_FILE, FILE_TOO_LARGE, UNSUPPORTED_FILE_TYPE
 */
export async function judgeFile({ fileName, size, sha256, sample }: FilePart): Promise<UploadedFile> {
  if (size === 0) throw new DomainError('EMPTY_FILE', 'The file has no content.', { fieldName: 'file', fileName, fileSizeBytes: size });
  if (size > maxFileBytes) {
    throw new DomainError('FILE_TOO_LARGE', `The file is too large: expected at most ${maxFileBytes} bytes; got ${size}.`, {
      fieldName: 'file',
      fileName,
      fileSizeBytes: size,
      maxSizeBytes: maxFileBytes,
    });
  }
  const detected = (await fileTypeFromBuffer(sample))?.mime ?? null;
  // APNG is PNG with more frames.
  const read = detected === 'image/apng' ? 'image/png' : detected === null && isLatePdf(sample) ? 'application/pdf' : detected;
  const mediaType = mediaTypes.find((each) => each === read);
  if (mediaType === undefined) {
    throw new DomainError('UNSUPPORTED_FILE_TYPE', `Unsupported file content: ${detected ?? 'unknown type'}. Send a PDF, PNG or JPEG.`, {
      fieldName: 'file',
      fileName,
      detected,
      supported: [...mediaTypes],
    });
  }
  return { name: fileName, size, mediaType, sha256 };
}
