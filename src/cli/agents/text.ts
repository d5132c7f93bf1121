/** Cuts a text to a number of bytes, if possible after a line or a word. A text that fits is unchanged. */
export function cutToBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  const mark = ' …';
  const decoder = new TextDecoder();
  // A character that the cut divides becomes one replacement character.
  const kept = decoder.decode(Buffer.from(text).subarray(0, Math.max(most - Buffer.byteLength(mark), 0))).replace(/\uFFFD$/, '');
  const place = Math.max(kept.lastIndexOf('\n'), kept.lastIndexOf(' '));
  return `${(place > kept.length * 0.8 ? kept.slice(0, place) : kept).trimEnd()}${mark}`;
}

/** Returns the last lines of a text that fit into a number of bytes, with a note about the omitted lines. */
export function newestLines(lines: readonly string[], most: number): string {
  let bytes = 0;
  let from = lines.length;
  while (from > 0 && bytes + Buffer.byteLength(lines[from - 1]!) + 1 <= most) {
    from -= 1;
    bytes += Buffer.byteLength(lines[from]!) + 1;
  }
  return [...(from > 0 ? [`(${from} earlier lines left out)`] : []), ...lines.slice(from)].join('\n');
}
