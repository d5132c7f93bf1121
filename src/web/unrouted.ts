import { distance } from '../contract/shared/messages/nearest.js';
import type { ErrorCode } from '../contract/shared/error-codes.js';
import { DomainError } from '../domain/errors.js';

/** Where something is served. */
interface Place {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
}

/** How many letters may be wrong for a path to be taken for another one. */
const maxMistakes = 3;

/** Returns a path without slashes at its end. */
export function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

const isParameter = (segment: string) => segment.startsWith('{');

/** A call that there is not, and what to do instead; both name the parameters of its path in braces. */
export interface OtherWay {
  readonly methods: readonly string[];
  readonly path: string;
  readonly instead: string;
}

/**
 * The refusal of a request that no route takes: METHOD_NOT_ALLOWED when its path takes other methods, else ROUTE_NOT_FOUND.
 * A path that is another one misspelt is unknown, even if what is misspelt could be meant as an id.
 * @param listedAt where a client finds all routes
 * @param ways calls that clients expect and that there are not, each with what to do instead
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
    const message = `${path} takes ${allowed.join(', ')}, not ${method}.`;
    return refusal('METHOD_NOT_ALLOWED', message, { method, path, allowed }, instead);
  }
  const message = `There is no ${method} ${path}.`;
  if (similar === undefined) return refusal('ROUTE_NOT_FOUND', message, { method, path }, instead, `GET ${listedAt} lists what there is.`);
  const meant = `${method} ${similar}`;
  return new DomainError('ROUTE_NOT_FOUND', `${message} Did you mean ${meant}?`, { method, path, similar: meant });
}

function refusal(code: ErrorCode, message: string, details: Record<string, unknown>, instead: string | undefined, otherwise?: string) {
  const hint = instead ?? otherwise;
  return new DomainError(
    code,
    hint === undefined ? message : `${message} ${hint}`,
    instead === undefined ? details : { ...details, instead },
  );
}

/** What to do in place of a call, with the parameters of its path. */
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

/** The methods that some route takes on this path; GET brings HEAD along. */
function allowedMethods(places: readonly Place[], path: string): string[] {
  const literal = places.filter((place) => place.path === path);
  const given = path.split('/');
  const taking = literal.length > 0 ? literal : places.filter((place) => mistakesIn(given, place.path) === 0);
  const methods = taking.map((place) => place.method.toUpperCase());
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
}

/** The path that takes this method and that another one comes closest to, as it stands or under the prefix of the API. */
function similarPlace(places: readonly Place[], method: string, path: string): string | undefined {
  const wanted = withoutEndSlashes(path).replace(/\/{2,}/g, '/');
  const spellings = [wanted, `/api${wanted.replace(/^\/api(?=\/)/, '').replace(/^\/v[0-9.]+(?=\/)/, '')}`].map((each) => each.split('/'));
  let closest: string | undefined;
  let fewest = maxMistakes + 1;
  for (const place of places) {
    if (place.method.toUpperCase() !== (method === 'HEAD' ? 'GET' : method)) continue;
    const mistakes = Math.min(...spellings.map((spelling) => mistakesIn(spelling, place.path)));
    if (mistakes < fewest) [closest, fewest] = [place.path, mistakes];
  }
  return closest;
}

/** How many letters of a path's segments differ from a template's; infinitely many when it has more or fewer, or one is another word. */
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
