import { distance } from '../../contract/shared/messages/nearest.js';
import type { ErrorCode } from '../../contract/shared/error-codes.js';
import { DomainError } from '../../domain/errors.js';

/** Method and path of a route. */
interface Place {
  readonly method: string;
  /** Parameters are in braces. */
  readonly path: string;
}

/** Maximum number of wrong characters in a path for which to suggest a similar path. */
const maxMistakes = 3;

/** Returns a path without slashes at its end. */
export function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

const isParameter = (segment: string) => segment.startsWith('{');

/** A request that the API does not have, and advice for its senders. `path` and `instead` contain path parameters in braces. */
export interface OtherWay {
  readonly methods: readonly string[];
  readonly path: string;
  readonly instead: string;
}

/**
 * Returns the error for a request that no route matches: METHOD_NOT_ALLOWED if the path has other methods, otherwise ROUTE_NOT_FOUND.
 * A misspelt path is unknown, even if the misspelt part could be an id.
 * @param listedAt path of the list of all routes
 * @param ways requests that clients may expect but that do not exist
 */
export function unrouted(
  places: readonly Place[],
  method: string,
  path: string,
  listedAt: string,
  ways: readonly OtherWay[] = [],
): DomainError {
  const instead = wayInstead(ways, method, path);
  const similar = instead === undefined ? similarPlace(places, method, path) : undefined;
  const allowed = allowedMethods(places, path);
  const isLiteral = places.some((place) => place.path === path);
  if (allowed.length > 0 && (isLiteral || similar === undefined)) {
    const message = `${path} accepts ${allowed.join(', ')}, not ${method}.`;
    return errorWithHint('METHOD_NOT_ALLOWED', message, { method, path, allowed }, instead);
  }
  const message = `There is no ${method} ${path}.`;
  if (similar === undefined)
    return errorWithHint('ROUTE_NOT_FOUND', message, { method, path }, instead, `GET ${listedAt} lists all requests.`);
  const meant = `${method} ${similar}`;
  return new DomainError('ROUTE_NOT_FOUND', `${message} Did you mean ${meant}?`, { method, path, similar: meant });
}

function errorWithHint(
  code: ErrorCode,
  message: string,
  details: Record<string, unknown>,
  instead: string | undefined,
  otherwise?: string,
) {
  const hint = instead ?? otherwise;
  return new DomainError(
    code,
    hint === undefined ? message : `${message} ${hint}`,
    instead === undefined ? details : { ...details, instead },
  );
}

/** Returns the advice for a request that does not exist, with its path parameters filled in; undefined without advice. */
function wayInstead(ways: readonly OtherWay[], method: string, path: string): string | undefined {
  const given = withoutEndSlashes(path).split('/');
  for (const way of ways) {
    if (!way.methods.includes(method) || mistakesIn(given, way.path) !== 0) continue;
    const names = way.path.split('/');
    return way.instead.replace(/\{(\w+)\}/g, (named: string) => {
      const index = names.indexOf(named);
      return index < 0 ? named : given[index]!;
    });
  }
  return undefined;
}

/** Returns the allowed methods of a path. GET includes HEAD. */
function allowedMethods(places: readonly Place[], path: string): string[] {
  const literal = places.filter((place) => place.path === path);
  const given = path.split('/');
  const taking = literal.length > 0 ? literal : places.filter((place) => mistakesIn(given, place.path) === 0);
  const methods = taking.map((place) => place.method.toUpperCase());
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
}

/** Returns the most similar path with this method, ignoring case, with or without the prefix `/api`; undefined if none is similar. */
function similarPlace(places: readonly Place[], method: string, path: string): string | undefined {
  const wanted = withoutEndSlashes(path)
    .replace(/\/{2,}/g, '/')
    .toLowerCase();
  const spellings = [wanted, `/api${wanted.replace(/^\/api(?=\/)/, '').replace(/^\/v[0-9.]+(?=\/)/, '')}`].map((each) => each.split('/'));
  let closest: string | undefined;
  let fewest = maxMistakes + 1;
  for (const place of places) {
    if (place.method.toUpperCase() !== (method === 'HEAD' ? 'GET' : method)) continue;
    const mistakes = Math.min(...spellings.map((spelling) => mistakesIn(spelling, place.path.toLowerCase())));
    if (mistakes < fewest) [closest, fewest] = [place.path, mistakes];
  }
  return closest;
}

/**
 * Returns the number of different characters in all segments; Infinity if the number of segments differs, or more than half of a segment is
 * wrong.
 */
function mistakesIn(given: readonly string[], template: string): number {
  const expected = template.split('/');
  if (given.length !== expected.length) return Infinity;
  return expected.reduce((sum, segment, index) => {
    const other = given[index]!;
    if (isParameter(segment)) return other === '' ? Infinity : sum;
    const mistakes = segment === other ? 0 : distance(segment, other);
    return mistakes * 2 > segment.length ? Infinity : sum + mistakes;
  }, 0);
}
