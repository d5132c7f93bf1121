import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { JSONParser } from '@streamparser/json';

/** The parts of an HTTP archive's entry that the check reads. Every field may be missing or wrong. */
export interface HarEntry {
  readonly request?: {
    readonly method?: unknown;
    readonly url?: unknown;
    readonly headers?: readonly { readonly name?: unknown; readonly value?: unknown }[];
    readonly postData?: { readonly text?: unknown };
  };
  readonly response?: {
    readonly status?: unknown;
    readonly content?: { readonly text?: unknown; readonly encoding?: unknown };
  };
}

/**
 * Yields the entries of an HTTP archive one after another, without the whole file in memory. Reads gzip too.
 * @throws Error if the file cannot be read or is not valid JSON
 */
export async function* harEntries(path: string): AsyncGenerator<HarEntry> {
  const parser = new JSONParser({ paths: ['$.log.entries.*'], keepStack: false });
  let found: HarEntry[] = [];
  parser.onValue = ({ value }) => void found.push(value as HarEntry);
  for await (const chunk of opened(path)) {
    parser.write(chunk);
    yield* found;
    found = [];
  }
  if (!parser.isEnded) throw new Error('the file ends in the middle of its JSON');
}

function opened(path: string): Readable {
  const file = createReadStream(path);
  if (!path.endsWith('.gz')) return file;
  const unzipped = createGunzip();
  file.on('error', (error) => unzipped.destroy(error)).pipe(unzipped);
  return unzipped;
}
