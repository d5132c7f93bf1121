import { maxReadReplayBytes, replayFormat } from '../../contract/control/analysis/replay-limits.js';
import type { Replay } from '../../contract/control/analysis/replay.js';
import { startOf } from '../../contract/shared/messages/cut.js';
import { problemOf, problemText, type JsonSchema } from './json-schema.js';

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

/** Returns a position in the file as text. Steps are numbered from 1. */
function placeOf(path: readonly (string | number)[]): string {
  const [first, index, ...rest] = path;
  if (first === undefined) return 'the whole file';
  return (first === 'steps' && typeof index === 'number' ? [`step ${index + 1}`, ...rest] : path).join('.');
}

/** Maximum length of the version in an error, in characters. */
const maxVersion = 40;

/** Returns the version of the sandbox that wrote a file, for an error; an empty string if unknown. */
function makerOf(madeBy: unknown): string {
  const { version } = (madeBy ?? {}) as { version?: unknown };
  return typeof version === 'string' ? ` from crossborder-sandbox ${startOf(version, maxVersion)}` : '';
}

/** Checks the parsed JSON of a file. @throws Error that names the file and its first wrong part */
async function checkReplay(data: unknown, name: string): Promise<void> {
  const { replay: format, madeBy } = (data ?? {}) as { replay?: unknown; madeBy?: unknown };
  if (format === undefined) {
    throw new Error(
      `${name} is not a replay file: it has no field "replay". Open a file like pays-out.replay.json, from a test runner or from "crossborder-sandbox replay save".`,
    );
  }
  if (typeof format === 'number' && format > replayFormat) {
    throw new Error(
      `${name} has format ${format}${makerOf(madeBy)}; this version reads format ${replayFormat}. Install that version or a later version.`,
    );
  }
  const schema: unknown = (await import('../../../openapi/replay.schema.json', { with: { type: 'json' } })).default;
  const problem = problemOf(schema as JsonSchema, data);
  if (problem !== null) throw new Error(`${name} is damaged, or not a replay file: ${problemText(problem, placeOf(problem.path))}.`);
}

/** Reads a replay file, with or without gzip. @throws Error that names the file, the problem and its position */
export async function readReplay(given: File): Promise<Replay> {
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
  await checkReplay(data, name);
  return data as Replay;
}
