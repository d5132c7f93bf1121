import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { controlRoutes } from '../contract/control/routes.js';
import { kindOf, type KindName } from '../contract/shared/kinds.js';

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

it('the client has a method for every control API operation except those in `withoutMethod`', () => {
  const directory = import.meta.dirname;
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const calls = files.flatMap((file) => callsOf(readFileSync(join(directory, file), 'utf8')));
  const missing = controlRoutes
    .filter(({ method, path }) => !calls.some(([called, pattern]) => called === method.toUpperCase() && pattern.test(path)))
    .map(({ operationId }) => operationId);
  expect(missing.toSorted()).toEqual(Object.keys(withoutMethod).toSorted());
});
