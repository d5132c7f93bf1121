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

/** Reads hexadecimal digits; -1 if they are not all there. */
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

/** A decoded character with the length of its escape; null if there is no escape. */
type Opened = readonly [character: string, length: number] | null;

const shortEscapes: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Decodes the escape of JSON that begins at a backslash. */
function openedJson(text: string, at: number): Opened {
  const letter = text[at + 1] ?? '';
  if (letter !== 'u') return letter in shortEscapes ? [shortEscapes[letter]!, 2] : null;
  const code = hexAt(text, at + 2, 4);
  return code < 0 ? null : [String.fromCharCode(code), 6];
}

/** Decodes the character in UTF-8 that begins at a percent sign. */
function openedPercent(text: string, at: number): Opened {
  const first = hexAt(text, at + 1, 2);
  if (first < 0) return null;
  if (first < 0x80) return [String.fromCharCode(first), 3];
  const more = first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
  if (more === 0 || first >= 0xf5) return null;
  let code = first & (0x3f >> more);
  for (let index = 1; index <= more; index += 1) {
    const next = text.charCodeAt(at + 3 * index) === percent ? hexAt(text, at + 3 * index + 1, 2) : -1;
    if ((next & 0xc0) !== 0x80 || next < 0) return null;
    code = code * 64 + (next & 0x3f);
  }
  return code > 0x10ffff ? null : [String.fromCodePoint(code), 3 * (more + 1)];
}

/** Decodes the percent signs and the escapes of JSON of a text once; null if it has none. */
function decodedOnce(text: string): DecodedText | null {
  const places = new Int32Array(text.length + 1);
  let [decoded, length, copied] = ['', 0, 0];
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    const opened = code === backslash ? openedJson(text, at) : code === percent ? openedPercent(text, at) : null;
    if (!opened) {
      places[length] = at;
      length += 1;
      at += 1;
      continue;
    }
    const [character, taken] = opened;
    decoded += text.slice(copied, at) + character;
    for (let index = 0; index < character.length; index += 1) places[length + index] = at;
    length += character.length;
    at += taken;
    copied = at;
  }
  if (copied === 0) return null;
  places[length] = text.length;
  return { text: decoded + text.slice(copied), places: places.subarray(0, length + 1) };
}

/** Returns true if a text may have something to decode. */
export const hasEscapes = (text: string) => text.includes('%') || text.includes('\\');

/** Decodes percent signs and the escapes of JSON. A text that has none stays as it is. */
export function decodedOf(text: string): string {
  return (hasEscapes(text) ? decodedOnce(text) : null)?.text ?? text;
}

/** Returns a text as its readers may decode it, each round of decoding on the one before. Takes time linear in the text. */
export function decodedTexts(text: string): DecodedText[] {
  const all: DecodedText[] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    const before = all.at(-1);
    const next = decodedOnce(before?.text ?? text);
    if (!next) break;
    all.push(before ? { text: next.text, places: next.places.map((place) => before.places[place]!) } : next);
  }
  return all;
}
