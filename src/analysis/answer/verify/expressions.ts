import type { RE2JS } from 're2js';

/** Maximum length of an expression, in characters, and of its program, in steps. Both limit the time to test one value. */
const limits = { characters: 200, steps: 300 } as const;
/** Maximum number of compiled expressions in memory. Each can need several MiB. */
const maxCompiled = 16;

/** Regular expressions in the syntax of RE2. The time to test a value grows in proportion to its length. */
export class Expressions {
  static #loading: Promise<Expressions> | undefined;
  readonly #engine: typeof RE2JS;
  /** Compiled expressions by pattern, the last used one last. */
  readonly #compiled = new Map<string, RE2JS>();

  private constructor(engine: typeof RE2JS) {
    this.#engine = engine;
  }

  /** Loads the library at first use. */
  static load(): Promise<Expressions> {
    return (Expressions.#loading ??= import('./expression-engine.js').then((loaded) => new Expressions(loaded.RE2JS)));
  }

  /** Returns the problem of an expression that cannot be used; null if it can be used. */
  faultOf(pattern: unknown): string | null {
    if (typeof pattern !== 'string') return 'expected a regular expression as a string, for example "^pay-[0-9]+$"';
    if (pattern.length > limits.characters) return `expected at most ${limits.characters} characters; got ${pattern.length}`;
    try {
      const steps = this.#compile(pattern).programSize();
      return steps > limits.steps ? `expected a shorter expression: it has ${steps} steps, the maximum is ${limits.steps}` : null;
    } catch (error) {
      return `expected a regular expression in the syntax of RE2, without backreferences; ${(error as Error).message}`;
    }
  }

  /** True if an expression matches any part of a value. */
  test(pattern: string, value: string): boolean {
    return this.#compile(pattern).test(value);
  }

  #compile(pattern: string): RE2JS {
    const known = this.#compiled.get(pattern);
    this.#compiled.delete(pattern);
    const compiled = known ?? this.#engine.compile(pattern);
    this.#compiled.set(pattern, compiled);
    if (this.#compiled.size > maxCompiled) this.#compiled.delete(this.#compiled.keys().next().value!);
    return compiled;
  }
}
