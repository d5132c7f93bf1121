/** Keys that could access an object's prototype. */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** Structural limits of a JSON value. */
interface StructureLimits {
  /** Maximum nesting; the root is level 1. */
  readonly levels: number;
  /** Maximum number of scalars, arrays and objects together. */
  readonly values: number;
  /** Whether keys such as `__proto__` are allowed. */
  readonly anyKey?: boolean;
}

const code = (letter: string) => letter.charCodeAt(0);
const [quote, backslash, comma, openBrace, openBracket] = ['"', '\\', ',', '{', '['].map(code);

/**
 * Whether JSON certainly has more than `values` values. Counts commas and brackets in the bytes, which is much cheaper than parsing.
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

/** Whether a JSON value is or contains null. */
export function hasNull(value: unknown): boolean {
  if (typeof value !== 'object') return false;
  if (value === null) return true;
  for (const each of Object.values(value)) if (typeof each === 'object' && hasNull(each)) return true;
  return false;
}

/** Returns the limit that a parsed JSON value exceeds, as the end of a sentence; null if it exceeds none. */
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
