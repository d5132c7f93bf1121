import { format } from 'prettier';

/** Stands in a shown object for the fields that are left out there. */
const rest = '…';

/** What a document shows of an answer. Objects with a `…` show a part of their fields; all others show everything. */
export function parseShown(text: string): unknown {
  return JSON.parse(text.replaceAll(rest, `"${rest}": null`));
}

/** An answer with only those fields that a document shows. */
export function cutLike(answer: unknown, shown: unknown): unknown {
  if (Array.isArray(answer)) return answer.map((each, index) => cutLike(each, (Array.isArray(shown) ? shown : [])[index]));
  if (!isObject(answer) || !isObject(shown)) return answer;
  if (!(rest in shown)) return mapped(Object.keys(answer), (name) => cutLike(answer[name], shown[name]));
  const names = Object.keys(shown).filter((name) => name in answer);
  return { ...mapped(names, (name) => cutLike(answer[name], shown[name])), [rest]: null };
}

/** An answer as a document shows it. */
export async function printShown(answer: unknown): Promise<string> {
  const text = await format(JSON.stringify(answer), { parser: 'json', printWidth: 140 });
  return text.replaceAll(`"${rest}": null`, rest);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const mapped = (names: readonly string[], value: (name: string) => unknown) => Object.fromEntries(names.map((name) => [name, value(name)]));
