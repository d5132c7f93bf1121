import { Pace } from '../world/turns.js';

/** How much text is sent at a time, in characters. */
const chunkLength = 64 * 1024;

/** A body that is made while it is sent, a slice at a time: it may be longer than a string can be. */
export function streamed(pieces: Iterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pace = new Pace();
  return new ReadableStream({
    async pull(controller) {
      await pace.rest();
      let text = '';
      for (let isOver = false; !isOver;) {
        const piece = pieces.next();
        if (!piece.done) text += piece.value;
        isOver = piece.done === true || pace.step() || text.length >= chunkLength;
        if (!isOver) continue;
        if (text !== '') controller.enqueue(encoder.encode(text));
        if (piece.done) controller.close();
      }
    },
  });
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
