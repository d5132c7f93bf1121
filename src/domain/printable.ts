/** Control characters but line feed and tab, separators of lines that only some programs know, and marks that change the direction of text. */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * A text as a terminal may show it: characters that move the cursor, hide text or change its direction become `\u001b` and the like.
 * Such an escape within a string of JSON stands for the same character.
 */
export function printable(text: string): string {
  return text.replace(controls, escaped);
}

/** The escape of a character in JSON. */
export const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
