/** A decoded string with the position of each character in the original. */
export interface DecodedText {
  readonly text: string;
  /** One position for each character, and one for the end. */
  readonly places: Int32Array;
}

/** Maximum number of decodings: a URL in the query of a URL in a JSON string needs three. */
const maxRounds = 3;

const backslash = 0x5c;
const percent = 0x25;
const letterU = 0x75;

/** Returns the value of hexadecimal digits; -1 if one of them is missing. */
function hexAt(text: string, at: number, digits: number): number {
  let value = 0;
  for (let index = at; index < at + digits; index += 1) {
    const code = text.charCodeAt(index) | 0x20;
    const digit = code >= 0x30 && code <= 0x39 ? code - 0x30 : code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** Character codes that the letters after a backslash stand for in JSON, by the code of the letter; 0 for other letters. */
const shortEscapes = new Uint8Array(0x80);
for (const [letter, character] of Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }))
  shortEscapes[letter.charCodeAt(0)] = character.charCodeAt(0);

/** Lengths of escapes are at most 12, so an escape fits in one number: 16 times its code, plus its length. */
const packed = (code: number, length: number): number => 16 * code + length;

/**
 * Decodes a JSON escape.
 * @param at position of its backslash
 * @returns the {@link packed} character code and length; 0 for an invalid escape
 */
function jsonEscapeAt(text: string, at: number): number {
  const letter = text.charCodeAt(at + 1);
  if (letter === letterU) {
    const code = hexAt(text, at + 2, 4);
    return code < 0 ? 0 : packed(code, 6);
  }
  const code = letter < shortEscapes.length ? shortEscapes[letter]! : 0;
  return code === 0 ? 0 : packed(code, 2);
}

/**
 * Decodes a percent-encoded UTF-8 character.
 * @param at position of its first percent sign
 * @returns the {@link packed} code point and length; 0 for an invalid escape
 */
function percentEscapeAt(text: string, at: number): number {
  const first = hexAt(text, at + 1, 2);
  if (first < 0) return 0;
  if (first < 0x80) return packed(first, 3);
  const more = first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
  if (more === 0 || first >= 0xf5) return 0;
  let code = first & (0x3f >> more);
  for (let index = 1; index <= more; index += 1) {
    const next = text.charCodeAt(at + 3 * index) === percent ? hexAt(text, at + 3 * index + 1, 2) : -1;
    if ((next & 0xc0) !== 0x80 || next < 0) return 0;
    code = code * 64 + (next & 0x3f);
  }
  return code > 0x10ffff ? 0 : packed(code, 3 * (more + 1));
}

/** Decodes the percent-encoding and the JSON escapes of a string once; null if it has none. */
function decodedOnce(text: string): DecodedText | null {
  const places = new Int32Array(text.length + 1);
  const codes = new Uint16Array(text.length);
  let length = 0;
  let isDecoded = false;
  for (let at = 0; at < text.length;) {
    let code = text.charCodeAt(at);
    const escape = code === backslash ? jsonEscapeAt(text, at) : code === percent ? percentEscapeAt(text, at) : 0;
    places[length] = at;
    if (escape > 0) {
      isDecoded = true;
      code = escape >> 4;
    }
    if (code > 0xffff) {
      codes[length] = 0xd800 + ((code - 0x10000) >> 10);
      length += 1;
      places[length] = at;
      code = 0xdc00 + (code & 0x3ff);
    }
    codes[length] = code;
    length += 1;
    at += escape > 0 ? escape & 15 : 1;
  }
  if (!isDecoded) return null;
  places[length] = text.length;
  const decoded = Buffer.from(codes.buffer, 0, 2 * length).toString('utf16le');
  return { text: decoded, places: places.subarray(0, length + 1) };
}

/** True if a string may contain escapes. */
export const hasEscapes = (text: string) => text.includes('%') || text.includes('\\');

/** Decodes percent-encoding and JSON escapes once. Returns a string without them unchanged. */
export function decodedOf(text: string): string {
  return (hasEscapes(text) ? decodedOnce(text) : null)?.text ?? text;
}

/** Returns the decoded forms of a string: each round decodes the result of the one before. Takes linear time. */
export function decodedTexts(text: string): DecodedText[] {
  const all: DecodedText[] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    const before = all.at(-1);
    const next = decodedOnce(before?.text ?? text);
    if (!next) break;
    if (before) for (let index = 0; index < next.places.length; index += 1) next.places[index] = before.places[next.places[index]!]!;
    all.push(next);
  }
  return all;
}
