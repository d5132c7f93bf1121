/** A difference between two observations. */
export interface Difference {
  /** Path of the value, for example `payments[0].status`. */
  readonly path: string;
  readonly expected: unknown;
  readonly found: unknown;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const timePattern = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}/;

/** Maximum number of differences that are reported. */
const maxDifferences = 20;

/** Replaces values that differ between any two runs: ids, times and the reference of the journey. */
export class Normaliser {
  readonly #names: Map<string, string>;
  readonly #ref: string;

  /** @param names names that replace known ids, for example `<operation 1>` @param ref reference of the journey */
  constructor(names: ReadonlyMap<string, string>, ref: string) {
    this.#names = new Map(names);
    this.#ref = ref;
  }

  /** Returns a JSON value with its ids and times replaced. */
  value(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((each) => this.value(each));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return Object.fromEntries(entries.map(([name, each]) => [this.#text(name), this.value(each)]));
  }

  #text(text: string): string {
    return text
      .replaceAll(this.#ref, '<ref>')
      .replaceAll(/\b[\dT:.Z+-]{19,35}\b/g, (part) => (timePattern.test(part) ? '<time>' : part))
      .replaceAll(/\b[0-9a-f-]{36}\b/gi, (id) => (uuidPattern.test(id) ? this.#nameOf(id.toLowerCase()) : id));
  }

  #nameOf(id: string): string {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const count = [...this.#names.values()].filter((name) => name.startsWith('<id ')).length;
    const name = `<id ${count + 1}>`;
    this.#names.set(id, name);
    return name;
  }
}

/** Returns the differences between two JSON values, at most {@link maxDifferences}. */
export function differencesOf(expected: unknown, found: unknown, ignored: readonly string[] = []): Difference[] {
  const differences: Difference[] = [];
  const patterns = ignored.map((each) => each.split(/[.[\]]+/).filter((part) => part !== ''));
  const isIgnored = (path: readonly string[]) =>
    patterns.some((pattern) => pattern.length <= path.length && pattern.every((part, index) => part === '*' || part === path[index]));
  const walk = (a: unknown, b: unknown, path: readonly string[]): void => {
    if (differences.length >= maxDifferences || isIgnored(path)) return;
    const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;
    if (isBranch(a) && isBranch(b) && Array.isArray(a) === Array.isArray(b)) {
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
        walk((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name], [...path, name]);
    } else if (!Object.is(a, b)) differences.push({ path: pathText(path), expected: a ?? null, found: b ?? null });
  };
  walk(expected, found, []);
  return differences;
}

function pathText(path: readonly string[]): string {
  return path.reduce((text, part) => (/^[0-9]+$/.test(part) ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`), '');
}

/** Returns the sum of decimal strings. */
export function sumOf(amounts: readonly string[]): string {
  const scale = Math.max(0, ...amounts.map((each) => each.split('.')[1]?.length ?? 0));
  const total = amounts.reduce((sum, each) => {
    const [whole = '0', fraction = ''] = each.replace('-', '').split('.');
    const scaled = BigInt(`${whole}${fraction.padEnd(scale, '0')}`);
    return each.startsWith('-') ? sum - scaled : sum + scaled;
  }, 0n);
  const digits = (total < 0n ? -total : total).toString().padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return total < 0n ? `-${text}` : text;
}

/** Returns a decimal string multiplied by a whole number. */
export function multiplied(amount: string, times: number): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  const digits = (BigInt(`${whole}${fraction}`) * BigInt(times)).toString().padStart(fraction.length + 1, '0');
  return fraction === '' ? digits : `${digits.slice(0, -fraction.length)}.${digits.slice(-fraction.length)}`;
}
