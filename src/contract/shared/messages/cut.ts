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

/** Returns a text, cut after `length` characters with an ellipsis if it is longer. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${startOf(text, length)}…`;
}
