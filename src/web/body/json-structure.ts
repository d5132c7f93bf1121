/** Keys that reach for an object's prototype. */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** How large a JSON value may be, besides its bytes. */
interface StructureLimits {
  /** How deep arrays and objects may stand in each other; the root is the first level. */
  readonly levels: number;
  /** Scalars, arrays and objects together. */
  readonly values: number;
  /** Whether a key may be named like what an object has from its prototype. */
  readonly anyKey?: boolean;
}

const code = (letter: string) => letter.charCodeAt(0);
const [quote, backslash, comma, openBrace, openBracket] = ['"', '\\', ',', '{', '['].map(code);

/**
 * Whether JSON has certainly more than so many values, by its bytes: each has a comma or a bracket before it, but for the first in each
 * bracket. To look is cheap, and to make the values is not.
 */
export function isTooBroad(bytes: Uint8Array, values: number): boolean {
  if (bytes.length <= 2 * values) return false;
  let marks = 0;
  let inString = false;
  for (let at = 0; at < bytes.length && marks <= 2 * values; at += 1) {
    const byte = bytes[at];
    if (byte === quote) inString = !inString;
    else if (inString) at += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === openBrace || byte === openBracket) marks += 1;
  }
  return marks > 2 * values;
}

/** Whether a JSON value is null, or has a null somewhere in it. */
export function hasNull(value: unknown): boolean {
  if (typeof value !== 'object') return false;
  if (value === null) return true;
  for (const each of Object.values(value)) if (typeof each === 'object' && hasNull(each)) return true;
  return false;
}

/** What makes a JSON value unacceptable however well-formed it is, as the end of a sentence; null when nothing does. */
export function structureFault(root: unknown, { levels, values, anyKey = false }: StructureLimits): string | null {
  let seen = 0;
  const faultOf = (value: unknown, level: number): string | null => {
    seen += 1;
    if (seen > values) return `it has more than ${values} values`;
    if (typeof value !== 'object' || value === null) return null;
    if (level > levels) return `it is nested deeper than ${levels} levels`;
    if (Array.isArray(value)) {
      for (const each of value) {
        const fault = faultOf(each, level + 1);
        if (fault !== null) return fault;
      }
      return null;
    }
    for (const key of Object.keys(value)) {
      if (!anyKey && forbiddenKeys.has(key)) return `it has a key named ${key}`;
      const fault = faultOf((value as Record<string, unknown>)[key], level + 1);
      if (fault !== null) return fault;
    }
    return null;
  };
  return faultOf(root, 1);
}
