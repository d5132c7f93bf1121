/** How deep arrays and objects may stand in each other. */
export const maxLevels = 64;
/** Keys that reach for an object's prototype. */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** Follows how JSON is made up, and says what of it is not acceptable however well-formed: depth, number of keys, and keys that reach for an object's prototype. */
export class JsonStructure {
  readonly #maxKeys: number;
  #levels = 0;
  #keys = 0;

  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys;
  }

  /** An array or an object begins. @returns what is wrong with that, or null */
  enter(): string | null {
    this.#levels += 1;
    return this.#levels > maxLevels ? `it is nested deeper than ${maxLevels} levels` : null;
  }

  /** The last array or object that began ends. */
  leave(): void {
    this.#levels -= 1;
  }

  /** A key of an object comes. @returns what is wrong with it, or null */
  key(name: string): string | null {
    if (name === '__proto__' || name === 'constructor') return `it has a key named ${name}`;
    this.#keys += 1;
    return this.#keys > this.#maxKeys ? `it has more than ${this.#maxKeys} keys` : null;
  }
}

/** How large a JSON value may be, besides its bytes. */
export interface StructureLimits {
  readonly levels: number;
  /** Scalars, arrays and objects together. */
  readonly values: number;
  /** Whether a key may be named like what an object has from its prototype. */
  readonly anyKey?: boolean;
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
