/** How deep arrays and objects may stand in each other. */
const maxLevels = 64;

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

/** What makes a JSON value unacceptable; null when nothing does. */
export function structureFault(root: unknown, maxKeys: number): string | null {
  const structure = new JsonStructure(maxKeys);
  const faultOf = (value: unknown): string | null => {
    if (typeof value !== 'object' || value === null) return null;
    let fault = structure.enter();
    if (Array.isArray(value)) {
      for (let index = 0; fault === null && index < value.length; index += 1) fault = faultOf(value[index]);
    } else {
      for (const key in value) fault ??= structure.key(key) ?? faultOf((value as Record<string, unknown>)[key]);
    }
    structure.leave();
    return fault;
  };
  return faultOf(root);
}
