import { gunzipSync } from 'node:zlib';
import { maxReadReplayBytes, replayFormat } from '../../contract/control/analysis/replay-limits.js';
import { ReplaySchema, type Replay } from '../../contract/control/analysis/replay.js';
import { startOf } from '../../contract/shared/messages/cut.js';

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
    const maker = typeof madeBy?.version === 'string' ? ` from crossborder-sandbox ${startOf(madeBy.version, 40)}` : '';
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
  try {
    if (!isZipped && bytes.length > maxReadReplayBytes)
      throw new Error(`it has ${bytes.length} bytes; expected at most ${maxReadReplayBytes}`);
    return (isZipped ? gunzipSync(bytes, { maxOutputLength: maxReadReplayBytes }) : bytes).toString('utf8').replace(/^\ufeff/, '');
  } catch (error) {
    throw new ReplayFileError(`${shown} cannot be read: ${(error as Error).message}`);
  }
}
