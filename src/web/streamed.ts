import { Pace } from '../world/turns.js';

/** How much is sent at a time, in bytes, and about how much text is put together for it. */
const chunkLength = 64 * 1024;

/** A body that is made while it is sent, a slice at a time: it may be longer than a string can be. */
export function streamed(pieces: Iterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pace = new Pace();
  let left = new Uint8Array();
  let isOver = false;
  return new ReadableStream({
    async pull(controller) {
      while (left.length === 0 && !isOver) {
        await pace.rest();
        left = encoder.encode(next());
      }
      if (left.length > 0) controller.enqueue(left.subarray(0, chunkLength));
      left = left.subarray(chunkLength);
      if (isOver && left.length === 0) controller.close();
    },
  });

  /** The text of some pieces, as far as there is time for them. */
  function next(): string {
    let text = '';
    do {
      const piece = pieces.next();
      isOver = piece.done === true;
      if (!piece.done) text += piece.value;
    } while (!isOver && !pace.step() && text.length < chunkLength);
    return text;
  }
}

/** The text of a list, item by item. */
export function* listText({ data, meta }: { readonly data: readonly unknown[]; readonly meta: unknown }): Generator<string> {
  let mark = '{"data":[';
  for (const item of data) {
    yield mark + JSON.stringify(item);
    mark = ',';
  }
  yield `${data.length === 0 ? mark : ''}],"meta":${JSON.stringify(meta)}}`;
}
