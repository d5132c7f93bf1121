import { TimeSlicer } from '../../world/turns.js';

/** Maximum bytes of a chunk, and approximate characters of text to build for it. */
const chunkLength = 64 * 1024;

/** Returns a body that is created in time slices while it is sent. The body may be longer than the maximum length of a string. */
export function streamed(pieces: Iterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pace = new TimeSlicer();
  let left = new Uint8Array();
  let isOver = false;
  return new ReadableStream({
    async pull(controller) {
      while (left.length === 0 && !isOver) {
        await pace.yield();
        left = encoder.encode(next());
      }
      if (left.length > 0) controller.enqueue(left.subarray(0, chunkLength));
      left = left.subarray(chunkLength);
      if (isOver && left.length === 0) controller.close();
    },
  });

  /** Joins pieces until the chunk or the time slice is full. */
  function next(): string {
    let text = '';
    do {
      const piece = pieces.next();
      isOver = piece.done === true;
      if (!piece.done) text += piece.value;
    } while (!isOver && !pace.shouldYield() && text.length < chunkLength);
    return text;
  }
}

/** Yields the JSON text of a list, item by item. */
export function* listText({ data, meta }: { readonly data: readonly unknown[]; readonly meta: unknown }): Generator<string> {
  let mark = '{"data":[';
  for (const item of data) {
    yield mark + JSON.stringify(item);
    mark = ',';
  }
  yield `${data.length === 0 ? mark : ''}],"meta":${JSON.stringify(meta)}}`;
}
