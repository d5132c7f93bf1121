import { distance } from '../contract/shared/nearest.js';
import { DomainError } from '../domain/errors.js';

/** Where something is served. */
interface Place {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
}

/** How many letters may be wrong for a path to be taken for another one. */
const maxMistakes = 3;

const isParameter = (segment: string) => segment.startsWith('{');

/**
 * The refusal of a request that no route takes: METHOD_NOT_ALLOWED when its path takes other methods, else ROUTE_NOT_FOUND.
 * A path that is another one misspelt is unknown, even if what is misspelt could be meant as an id.
 * @param listedAt where a client finds all routes
 */
export function unrouted(places: readonly Place[], method: string, path: string, listedAt: string): DomainError {
  const similar = similarPlace(places, method, path);
  const allowed = allowedMethods(places, path);
  const isLiteral = places.some((place) => place.path === path);
  if (allowed.length > 0 && (isLiteral || similar === undefined)) {
    return new DomainError('METHOD_NOT_ALLOWED', `${path} takes ${allowed.join(', ')}, not ${method}.`, { method, path, allowed });
  }
  if (similar === undefined)
    return new DomainError('ROUTE_NOT_FOUND', `There is no ${method} ${path}. GET ${listedAt} lists what there is.`, { method, path });
  const meant = `${method} ${similar}`;
  return new DomainError('ROUTE_NOT_FOUND', `There is no ${method} ${path}. Did you mean ${meant}?`, { method, path, similar: meant });
}

/** The methods that some route takes on this path; GET brings HEAD along. */
function allowedMethods(places: readonly Place[], path: string): string[] {
  const methods = places.filter((place) => mistakesIn(path, place.path) === 0).map((place) => place.method.toUpperCase());
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
}

/** The path that takes this method and that another one comes closest to. */
function similarPlace(places: readonly Place[], method: string, path: string): string | undefined {
  const wanted = path.replace(/\/+$/, '');
  let closest: string | undefined;
  let fewest = maxMistakes + 1;
  for (const place of places) {
    if (place.method.toUpperCase() !== (method === 'HEAD' ? 'GET' : method)) continue;
    const mistakes = mistakesIn(wanted, place.path);
    if (mistakes < fewest) [closest, fewest] = [place.path, mistakes];
  }
  return closest;
}

/** How many letters of a path differ from a template's; infinitely many when it has more or fewer segments. */
function mistakesIn(path: string, template: string): number {
  const given = path.split('/');
  const expected = template.split('/');
  if (given.length !== expected.length) return Infinity;
  return expected.reduce((sum, segment, index) => {
    const other = given[index]!;
    if (isParameter(segment)) return other === '' ? Infinity : sum;
    return sum + (segment === other ? 0 : distance(segment, other));
  }, 0);
}
