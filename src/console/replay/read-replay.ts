import { maxReadReplayBytes } from '../../contract/control/analysis/replay-limits.js';
import { partsOf, type ReplayFile } from './parts-of-file.js';

const mib = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

const tooLarge = (what: string): Error => new Error(`it has ${what}; expected at most ${mib(maxReadReplayBytes)}`);

/** Returns the content of a gzip file. Stops at the maximum size, because a small file can contain gigabytes. */
async function unzipped(zipped: Blob): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = zipped.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new Error('it is not a complete gzip file', { cause: error });
    });
    if (done) return new Blob(parts);
    size += value.byteLength;
    if (size > maxReadReplayBytes) {
      await reader.cancel();
      throw tooLarge(`more than ${mib(maxReadReplayBytes)} after decompression`);
    }
    parts.push(value);
  }
}

async function textOf(given: Blob): Promise<string> {
  if (given.size > maxReadReplayBytes) throw tooLarge(mib(given.size));
  const [first, second] = new Uint8Array(await given.slice(0, 2).arrayBuffer());
  return (await (first === 0x1f && second === 0x8b ? unzipped(given) : Promise.resolve(given))).text();
}

/** Reads a replay file, with or without gzip. @throws Error that names the file, the problem and its position */
export async function readReplay(given: File): Promise<ReplayFile> {
  const { name } = given;
  let text: string;
  try {
    text = await textOf(given);
  } catch (error) {
    // A browser reports an unreadable file, for example a directory, as a DOMException.
    const why = error instanceof DOMException ? 'it is a directory, or it changed or disappeared' : (error as Error).message;
    throw new Error(`${name} cannot be read: ${why}.`, { cause: error });
  }
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} is not valid JSON, so it is damaged or not a replay file: ${(error as Error).message}.`, { cause: error });
  }
  return partsOf(data, name);
}
