import { readdirSync, readFileSync } from 'node:fs';
import { controlRoutes } from '../../contract/control/routes.js';
import { kindOf, type KindName } from '../../contract/shared/kinds.js';

/** Operations without a client method, with the reason. */
const withoutMethod: Readonly<Record<string, string>> = {
  getLiveness: 'It is for the probes of an orchestrator; ready() checks readiness.',
  listKinds: 'Statuses and transitions are in the types; why() lists possible moves.',
  postToInbox: 'It is for the sender of a webhook.',
  postToListener: 'It is for the sender of a webhook.',
};

/**
 * Returns the operations that a source file calls: literal paths such as `GET /_sandbox/clock`, paths with a verb such as
 * `POST /_sandbox/…/${verb}`, and `approve` and `reject` for each kind with a handle.
 */
function callsOf(source: string): [method: string, path: RegExp][] {
  const typed = [...source.matchAll(/\.(GET|POST|PUT|DELETE)\(\s*[`'"]([^`'"]+)[`'"]/g)].map(
    ([, method = '', path = '']) => [method, path] as const,
  );
  const read = [...source.matchAll(/`(\/_sandbox[^`?]*)\?\$\{query\.toString\(\)\}`/g)].map(([, path = '']) => ['GET', path] as const);
  const reviews = [...source.matchAll(/super\(client, '([A-Z_]+)', id\)/g)].flatMap(([, kind]) => {
    const { path } = kindOf(kind as KindName);
    return ['approve', 'reject'].map((verb) => ['POST', `/_sandbox/${path}/${verb}`] as const);
  });
  return [...typed, ...read, ...reviews].map(([method, path]) => {
    const [before = '', after] = path.split('${verb}');
    const verbs = /'([a-z-]+)'/g;
    const known = after === undefined ? '' : `(${[...source.matchAll(verbs)].map(([, verb]) => verb).join('|')})`;
    return [method, new RegExp(`^${before.replace(/\$?\{[^}]+\}/g, '\\{[^}]+\\}')}${known}$`)];
  });
}

/** Returns an error for each operation of the control API without a method of the client, except those in `withoutMethod`. */
export function clientMistakes(): string[] {
  const files = readdirSync('src/client', { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const calls = files.flatMap((file) => callsOf(readFileSync(`src/client/${file}`, 'utf8')));
  const isCalled = ({ method, path }: { readonly method: string; readonly path: string }) =>
    calls.some(([called, pattern]) => called === method.toUpperCase() && pattern.test(path));
  return [
    ...controlRoutes
      .filter((route) => !isCalled(route) && !(route.operationId in withoutMethod))
      .map(({ operationId }) => `No method of src/client calls ${operationId}.`),
    ...controlRoutes
      .filter((route) => isCalled(route) && route.operationId in withoutMethod)
      .map(({ operationId }) => `src/client calls ${operationId}: remove it from the list of operations without a method.`),
  ];
}
