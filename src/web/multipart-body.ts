import { Busboy } from '@fastify/busboy';
import { fileTypeFromBuffer } from 'file-type';
import type { Context } from 'hono';
import { createHash } from 'node:crypto';
import { maxFileBytes, mediaTypes, type UploadedFile } from '../contract/public/documents.js';
import { DomainError, invalidData } from '../domain/errors.js';
import { readBytes } from './body.js';
import { mediaTypeOf, parseJson, unsupportedMediaType, type JsonBody } from './json-body.js';

/** The largest multipart body, in bytes. */
export const maxMultipartBytes = 11_000_000;
/** A request has two parts; a few more that nobody reads do no harm. */
const maxParts = 20;

interface Part {
  readonly name: string;
  readonly fileName: string;
  readonly bytes: Buffer;
}

/** An upload: its part `body` as JSON, and its part `file`, not judged yet. */
export interface Upload {
  readonly json: JsonBody;
  readonly file: Part;
}

/**
 * Reads a request that brings a JSON part `body` and a part `file`.
 * @throws DomainError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_DATA when it is no well-formed multipart body, MISSING_MULTIPART_FIELD
 */
export async function readUpload(c: Context): Promise<Upload> {
  const { raw: request } = c.req;
  if (mediaTypeOf(request) !== 'multipart/form-data') throw unsupportedMediaType(request, 'multipart/form-data');
  const bytes = await readBytes(c, maxMultipartBytes);
  const parts = await split(request.headers.get('content-type') ?? '', bytes);
  const [body, file] = ['body', 'file'].map((name) => {
    const same = parts.filter((part) => part.name === name);
    if (same.length > 1) throw malformed(`body:${name}`, 'DUPLICATE_ENTRY', `There is more than one part named ${name}.`);
    return same[0];
  });
  if (!body || !file) {
    const missing = [...(body ? [] : ['body']), ...(file ? [] : ['file'])];
    throw new DomainError('MISSING_MULTIPART_FIELD', `The multipart body has no part named ${missing.join(', and none named ')}.`, {
      fieldName: missing[0],
    });
  }
  return { json: parseJson(body.bytes), file };
}

function malformed(field: string, code: 'INVALID_FORMAT' | 'DUPLICATE_ENTRY', message: string): DomainError {
  return invalidData([{ code, message, field, params: {} }]);
}

/** The parts of a multipart body, each as its bytes, in order. */
function split(contentType: string, bytes: Uint8Array): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown) =>
      reject(malformed('body', 'INVALID_FORMAT', `The body is no well-formed multipart/form-data: ${(error as Error).message}.`));
    try {
      const headers = { 'content-type': contentType };
      const reader = new Busboy({ headers, isPartAFile: () => true, limits: { files: maxParts, parts: maxParts } });
      const parts: Part[] = [];
      reader.on('file', (name, stream, fileName: string | undefined) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => parts.push({ name, fileName: fileName ?? '', bytes: Buffer.concat(chunks) }));
        stream.on('error', refuse);
      });
      reader.on('error', refuse);
      reader.on('finish', () => resolve(parts));
      reader.end(bytes);
    } catch (error) {
      refuse(error);
    }
  });
}

/**
 * Judges a file by its content, whatever its name and declared type say.
 * @throws DomainError EMPTY_FILE, FILE_TOO_LARGE, UNSUPPORTED_FILE_TYPE
 */
export async function judgeFile({ fileName, bytes }: Part): Promise<UploadedFile> {
  const size = bytes.length;
  if (size === 0) throw new DomainError('EMPTY_FILE', 'The file has no content.', { fieldName: 'file', fileName, fileSizeBytes: size });
  if (size > maxFileBytes) {
    throw new DomainError('FILE_TOO_LARGE', `A file has at most ${maxFileBytes} bytes; this one has ${size}.`, {
      fieldName: 'file',
      fileName,
      fileSizeBytes: size,
      maxSizeBytes: maxFileBytes,
    });
  }
  const detected = (await fileTypeFromBuffer(bytes))?.mime ?? null;
  const mediaType = mediaTypes.find((each) => each === detected);
  if (mediaType === undefined) {
    throw new DomainError(
      'UNSUPPORTED_FILE_TYPE',
      `The content of the file is ${detected ?? 'of no known type'}. Send a PDF, PNG or JPEG.`,
      {
        fieldName: 'file',
        fileName,
        detected,
        supported: [...mediaTypes],
      },
    );
  }
  return { name: fileName, size, mediaType, sha256: createHash('sha256').update(bytes).digest('hex') };
}
