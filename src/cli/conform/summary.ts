import { allowedKinds, differencesOf, type Difference } from './differences.js';
import { harEntries } from './har-entries.js';

/** A difference and the number of messages that have it. */
export interface CountedDifference extends Difference {
  readonly isBreaking: boolean;
  count: number;
}

/** The result of a check. */
export interface Conformity {
  /** Number of responses and webhooks that were compared. */
  compared: number;
  /** Number of entries that are neither requests nor webhooks of the service. */
  ignored: number;
  /** Number of compared messages of each operation. */
  readonly operations: Map<string, number>;
  readonly differences: Map<string, CountedDifference>;
  /** Number of differences beyond the maximum. */
  omitted: number;
}

/** Maximum number of distinct differences, and of operations. */
const maxDifferences = 1000;

const allowed: ReadonlySet<string> = new Set(allowedKinds);

/** Compares all entries of an HTTP archive with the contract. @throws Error if the file cannot be read */
export async function conformityOf(path: string, prefix: string): Promise<Conformity> {
  const found: Conformity = { compared: 0, ignored: 0, operations: new Map(), differences: new Map(), omitted: 0 };
  for await (const entry of harEntries(path)) {
    const result = differencesOf(entry, prefix);
    if (result === null) {
      found.ignored += 1;
      continue;
    }
    found.compared += 1;
    const { operation } = result;
    if (found.operations.size < maxDifferences || found.operations.has(operation))
      found.operations.set(operation, (found.operations.get(operation) ?? 0) + 1);
    for (const each of result.differences) {
      const key = `${each.operation} ${each.kind} ${each.path} ${each.kind === 'NEW_ENUM_VALUE' || each.kind === 'CODE' ? each.example : ''}`;
      const known = found.differences.get(key);
      if (known) known.count += 1;
      else if (found.differences.size < maxDifferences)
        found.differences.set(key, { ...each, isBreaking: !allowed.has(each.kind), count: 1 });
      else found.omitted += 1;
    }
  }
  return found;
}

/** Returns the differences, breaking ones first, grouped by operation. */
export function sorted({ differences }: Conformity): CountedDifference[] {
  const key = ({ isBreaking, operation, path }: CountedDifference) => `${isBreaking ? 0 : 1} ${operation} ${path}`;
  return [...differences.values()].toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Returns the lines for a terminal. */
export function linesOf(found: Conformity): string[] {
  const all = sorted(found);
  const breaking = all.filter(({ isBreaking }) => isBreaking);
  const lines = all.map(({ isBreaking, operation, kind, path, what, example, count }) => {
    const place = path === '' ? operation : `${operation} ${path}`;
    return `${isBreaking ? 'breaking' : 'allowed '}  ${kind}  ${place}  ${what}${example === null ? '' : ` Example: ${example}.`} (${count})`;
  });
  const more = found.omitted === 0 ? [] : [`${found.omitted} more differences are not listed.`];
  const ignored =
    found.ignored === 0 ? '' : ` ${found.ignored} entries were ignored: they are neither requests nor webhooks of the service.`;
  return [
    ...lines,
    ...more,
    `${found.compared} messages compared: ${breaking.length} breaking and ${all.length - breaking.length} allowed differences.${ignored}`,
  ];
}

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[^\t\n\x20-\uffff]/g, '?');

/** Returns a JUnit file with a test for each operation, which fails for a breaking difference. */
export function junitOf(found: Conformity): string {
  const all = sorted(found);
  const cases = [...found.operations.keys()].toSorted().map((operation) => {
    const own = all.filter((each) => each.operation === operation && each.isBreaking);
    const text = own.map(({ kind, path, what }) => `${kind} ${path}: ${what}`).join('\n');
    const failure =
      own.length === 0 ? '' : `<failure message="${escaped(`${own.length} breaking differences`)}">${escaped(text)}</failure>`;
    return { failure, text: `    <testcase classname="conform" name="${escaped(operation)}" time="0">${failure}</testcase>` };
  });
  const failures = cases.filter(({ failure }) => failure !== '').length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="conform" tests="${cases.length}" failures="${failures}" errors="0" skipped="0" time="0">`,
    ...cases.map(({ text }) => text),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}
