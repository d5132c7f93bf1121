import { format } from 'oxfmt';

/** Marks the omitted fields of a shown object. */
const rest = '…';

/** Parses a response in a document. Objects with a `…` show some of their fields; all other objects show all fields. */
export function parseShown(text: string): unknown {
  return JSON.parse(text.replaceAll(rest, `"${rest}": null`));
}

/** Returns a response with only the fields that a document shows. */
export function onlyShownFields(answer: unknown, shown: unknown): unknown {
  if (Array.isArray(answer)) return answer.map((each, index) => onlyShownFields(each, (Array.isArray(shown) ? shown : [])[index]));
  if (!isObject(answer) || !isObject(shown)) return answer;
  if (!(rest in shown)) return mapped(Object.keys(answer), (name) => onlyShownFields(answer[name], shown[name]));
  const names = Object.keys(shown).filter((name) => name in answer);
  return { ...mapped(names, (name) => onlyShownFields(answer[name], shown[name])), [rest]: null };
}

/** Formats a response for a document. */
export async function printShown(answer: unknown): Promise<string> {
  const { code } = await format('answer.json', JSON.stringify(answer), { printWidth: 140 });
  return code.replaceAll(`"${rest}": null`, rest);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const mapped = (names: readonly string[], value: (name: string) => unknown) => Object.fromEntries(names.map((name) => [name, value(name)]));
