/** Control characters except line feed and tab, Unicode line separators, and characters that change the text direction. */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Makes a string safe to print on a terminal. Characters that move the cursor, hide text or change its direction become escapes like
 * `\u001b`, which are also valid in JSON strings.
 */
export function printable(text: string): string {
  return text.replace(controls, escaped);
}

/** Returns the JSON escape of a character. */
export const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
