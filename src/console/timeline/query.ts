import type { Facet } from '../../contract/control/analysis/stream.js';

/** The fields by which the user can narrow the timeline, with their labels. */
export const facetWords: Readonly<Record<Facet['field'], string>> = {
  kind: 'Kind',
  status: 'Status',
  'attempt.url': 'Endpoint',
  'delivery.url': 'Event for',
  'request.operationId': 'Call',
  'operation.type': 'Operation',
  'operation.source.asset': 'Asset',
  'finding.rule': 'Finding',
};

export const facetFields = Object.keys(facetWords) as Facet['field'][];

/** Whether a text is a filter expression, even an incomplete one: `status[eq]=400`. */
export const isFilter = (text: string): boolean => /^(?:(?:and|or)\(|[\w.]+\[)/.test(text.trim());

/** Escapes a value for a filter. */
export const escapeForFilter = (value: string): string => value.replaceAll(/[,;|()\\]/g, '\\$&');

/** The fields in which a word is searched. */
const wordFields = ['summary', 'id', 'resourceId', 'operation.type', 'operation.payee', 'request.operationId'];
/** Maximum number of words that are also searched in bodies: a filter has at most 50 conditions. */
const mostInBodies = 4;

/** Returns the condition that one of the fields contains a word. @param hasBodies whether to search in the bodies of requests too */
function conditionOf(word: string, hasBodies: boolean): string {
  const plain = word.replaceAll(',', '');
  const isNumber = /^[0-9]{1,20}(?:\.[0-9]{1,12})?$/.test(plain);
  const ends = plain.includes('.') ? [''] : ['"', '.'];
  // Bodies contain amounts as strings: the quotation mark excludes digits inside ids.
  const inBodies = isNumber ? ends.map((end) => `"${plain}${end}`) : [escapeForFilter(word)];
  const conditions = [
    ...wordFields.map((field) => `${field}[like]=${escapeForFilter(word)}`),
    ...(isNumber ? ['source', 'target'].map((side) => `operation.${side}.value[eq]=${plain}`) : []),
    ...(hasBodies ? inBodies.map((part) => `request.bodies[like]=${part}`) : []),
  ];
  return `or(${conditions.join(',')})`;
}

/** Returns the timeline filter of a search; empty for everything. */
export function filterOf(text: string, query: Readonly<Record<string, string>>): string {
  const words = text.trim();
  const asked = isFilter(words)
    ? [words]
    : words
        .split(/\s+/)
        .filter(Boolean)
        .map((word, _, { length }) => conditionOf(word, length <= mostInBodies));
  const narrowed = facetFields.flatMap((field) => (query[field] ? [`${field}[eq]=${escapeForFilter(query[field])}`] : []));
  return [...asked, ...narrowed].join(';');
}

/** Returns the parts of a query before, at and after an error; null if the error names no position in the query. */
export function invalidPart(
  text: string,
  { field, position }: { readonly field?: string; readonly position?: number },
): readonly string[] | null {
  const query = text.trim();
  const at = position ?? (field === undefined ? -1 : query.indexOf(field));
  if (at < 0 || at > query.length) return null;
  const length = position === undefined ? field!.length : Math.max(1, query.slice(at).search(/[;,)]|$/));
  return [query.slice(0, at), query.slice(at, at + length) || ' ', query.slice(at + length)];
}
