/** Half of a surrogate pair without its other half. */
const loneSurrogate = /\p{Cs}/u;

/** True if a text has only whole characters. */
export const isWellFormed = (text: string): boolean => !loneSurrogate.test(text);

/**
 * Returns at most `length` characters (UTF-16 code units) from the start of a text. Never ends in the middle of a surrogate pair. All text
 * that leaves the process is cut by this function or {@link cut}.
 */
export function startOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

const isSecondHalf = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** Returns at most `length` characters of a text from a position, whole ones: one more if the position is inside a surrogate pair. */
export function excerptOf(text: string, at: number, length: number): string {
  const start = at > 0 && isSecondHalf(text.charCodeAt(at)) ? at - 1 : at;
  return startOf(text.slice(start), length + at - start);
}

/** Returns at most `length` characters from the end of a text, whole ones. */
export function endOf(text: string, length: number): string {
  const end = text.slice(-length);
  return text.length > length && isSecondHalf(end.charCodeAt(0)) ? end.slice(1) : end;
}

/** Returns a text, cut after `length` characters with an ellipsis if it is longer. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${startOf(text, length)}…`;
}

/** Returns a text of at most `most` characters, the last of which is an ellipsis if it was cut. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${startOf(text, most - 1)}…`;
}
