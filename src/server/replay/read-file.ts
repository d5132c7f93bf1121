import { gunzipSync } from 'node:zlib';
import { maxReplayBytes, replayFormat, ReplaySchema, type Replay } from '../../contract/control/analysis/replay.js';

/** Thrown for a file that cannot be replayed. */
export class ReplayFileError extends Error {
  override readonly name = 'ReplayFileError';
}

/** Parses a replay file, with or without gzip. @param shown file name for messages @throws ReplayFileError that names the position */
export function readReplay(bytes: Buffer, shown: string): Replay {
  const text = textOf(bytes, shown);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new ReplayFileError(`${shown} is not valid JSON, so it is damaged or not a replay file: ${(error as Error).message}`);
  }
  const { replay: format, madeBy } = (data ?? {}) as { replay?: unknown; madeBy?: { version?: unknown } };
  if (typeof format === 'number' && format > replayFormat) {
    const maker = typeof madeBy?.version === 'string' ? ` from crossborder-sandbox ${madeBy.version.slice(0, 40)}` : '';
    throw new ReplayFileError(
      `${shown} has format ${format}${maker}; this version reads format ${replayFormat}. Install that version or a later version.`,
    );
  }
  const read = ReplaySchema.safeParse(data);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue!.path.length === 0 ? 'the whole file' : placeOf(issue!.path);
  throw new ReplayFileError(`${shown} is damaged, or not a replay file: ${place}: ${issue!.message}`);
}

/** Returns a path in the file as text. Steps are numbered from 1. */
function placeOf(path: readonly PropertyKey[]): string {
  const [first, index, ...rest] = path;
  return first === 'steps' && typeof index === 'number' ? [`step ${index + 1}`, ...rest].map(String).join('.') : path.map(String).join('.');
}

function textOf(bytes: Buffer, shown: string): string {
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  // More than the limit of the format, because editors may add line breaks and spaces.
  const maxOutputLength = 4 * maxReplayBytes;
  try {
    if (!isZipped && bytes.length > maxOutputLength) throw new Error(`it has ${bytes.length} bytes; expected at most ${maxOutputLength}`);
    return (isZipped ? gunzipSync(bytes, { maxOutputLength }) : bytes).toString('utf8');
  } catch (error) {
    throw new ReplayFileError(`${shown} cannot be read: ${(error as Error).message}`);
  }
}
