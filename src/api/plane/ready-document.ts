import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ApiResponse } from './errors.js';

const compressed = promisify(gzip);

/** The bytes of a document, uncompressed and compressed. */
interface Prepared {
  readonly whole: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

/** A document that is the same for every client. The first use creates and compresses the document; later uses send the stored bytes. */
export class ReadyDocument {
  readonly #text: () => string | Buffer | Promise<string>;
  readonly #mediaType: string | null;
  #prepared: Promise<Prepared> | undefined;

  /** @param mediaType media type of the document; null if the route that serves it sets one */
  constructor(text: () => string | Buffer | Promise<string>, mediaType: string | null = null) {
    this.#text = text;
    this.#mediaType = mediaType;
  }

  /** Responds to a GET with these headers; 304 if the client has the document. @throws the error of creating the text */
  async answer(asked: Headers): Promise<ApiResponse> {
    const { whole, gzipped, etag } = await (this.#prepared ??= this.#prepare()).catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    const headers = { ETag: etag, Vary: 'Accept-Encoding', 'Cache-Control': 'no-cache' };
    if (isKnown(asked.get('if-none-match'), etag)) return { status: 304, body: null, headers };
    const typed = this.#mediaType === null ? headers : { ...headers, 'Content-Type': this.#mediaType };
    if (!takesGzip(asked.get('accept-encoding'))) return { status: 200, body: null, bytes: whole, headers: typed };
    return { status: 200, body: null, bytes: gzipped, headers: { ...typed, 'Content-Encoding': 'gzip' } };
  }

  async #prepare(): Promise<Prepared> {
    const made = await this.#text();
    const whole = typeof made === 'string' ? Buffer.from(made) : made;
    // Weak, because the compressed bytes share this ETag.
    return { whole, gzipped: await compressed(whole, { level: 9 }), etag: `W/"${hash('sha256', whole, 'base64url').slice(0, 22)}"` };
  }
}

function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  return ifNoneMatch !== null && ifNoneMatch.split(',').some((each) => each.trim() === '*' || weak(each.trim()) === etag);
}

const weak = (etag: string) => (etag.startsWith('W/') ? etag : `W/${etag}`);

function takesGzip(acceptEncoding: string | null): boolean {
  return (acceptEncoding ?? '').split(',').some((each) => {
    const [name = '', quality = ''] = each.split(';');
    return name.trim().toLowerCase() === 'gzip' && Number(quality.split('=')[1] ?? 1) > 0;
  });
}
