import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { keptKinds } from '../domain/kept-memory.js';
import { root } from './root.js';
import { sourceFiles } from './source-files.js';

/** Directories of code that runs in the server for as long as it runs. */
const server = [
  'analysis',
  'api',
  'contract',
  'domain',
  'engine',
  'exchange',
  'fixtures',
  'sandbox',
  'scenario',
  'server',
  'services',
  'storage',
  'world',
];

/** Why the collections of a file or directory need no entry in the registry. */
const reasons: Readonly<Record<string, string>> = {
  'src/analysis/project/coverage/': 'ids, at most 16,000 for each world',
  'src/analysis/project/findings/rule-runner.ts': 'ids, at most 1,000 for each world',
  'src/analysis/project/findings/pairs.ts': 'one entry for each rule, operation or cause',
  'src/analysis/project/findings/payments.ts': 'one entry for each rule',
  'src/analysis/open-worlds.ts': 'one entry for each world',
  'src/analysis/evidence-handover.ts': 'one entry for each world',
  'src/sandbox/audit-log.ts': 'at most 10,000 entries that wait for the database',
  'src/exchange/event-dispatcher.ts': 'emptied in each turn of the event loop',
  'src/analysis/answer/reconcile/': 'lives as long as one request',
  'src/analysis/project/findings/finding-store.ts #expected': 'at most 100 for each world',
  'src/analysis/project/findings/lru-map.ts #entries': 'weighed by the budget of its world',
  'src/analysis/views/replay-file.ts': 'lives as long as one request',
  'src/api/plane/validation.ts': 'lives as long as one request',
  'src/api/plane/openapi/': 'lives as long as the creation of a document',
  'src/contract/shared/messages/known-fields.ts': 'lives as long as one request',
  'src/domain/kept-memory.ts entries': 'one entry for each registered object',
  'src/domain/lists/filter.ts': 'lives as long as one request',
  'src/domain/operations/': 'lives as long as one change, or one entry for each power of two',
  'src/engine/rules.ts': 'lives as long as one request',
  'src/fixtures/onboarding.ts': 'lives as long as the creation of a world',
  'src/sandbox/delivery/transport.ts': 'one entry for each timeout in seconds, and open attempts, which slots limit',
  'src/server/log.ts': 'at most 100 messages',
  'src/exchange/ring.ts': 'weighed by records',
  'src/exchange/known-secrets.ts': 'one entry for each spelling of the secrets of each world',
  'src/exchange/redact.ts': 'at most 1,000 names of headers',
  'src/exchange/log.ts': 'weighed by records, or open requests, which the number of connections limits',
  'src/exchange/replay-buffer.ts': 'weighed by records',
  'src/analysis/project/integration.ts': 'ids, at most 4,096 of each kind for each world',
  'src/analysis/views/stream.ts': 'one entry for each world with readers',
  'src/analysis/answer/verify/expressions.ts': 'at most 16 expressions',
  'src/analysis/answer/verify/': 'lives as long as one request',
  'src/analysis/answer/why/': 'lives as long as one request',
  'src/contract/scenario/after.ts': 'at most 1,000 spellings of 64 characters',
  'src/contract/shared/messages/quoted.ts': 'one entry for each sandbox of the process',
  'src/contract/shared/messages/synonyms.ts': 'constant',
  'src/domain/calendars/zoned-time.ts': 'at most 1,000 spellings, and one formatter for each zone of the runtime',
  'src/fixtures/yaml-text.ts': 'lives as long as one file',
  'src/api/public/guides.ts': 'one entry for each guide of the product',
  'src/api/plane/location.ts': 'one entry for each route',
  'src/api/public/plane.ts': 'one entry for each route',
  'src/sandbox/expiry.ts': 'one entry for each world',
  'src/sandbox/held-calls.ts': 'one entry for each world',
  'src/sandbox/hosted-worlds.ts': 'worlds that are being acquired or released',
  'src/sandbox/row-limit.ts': 'one entry for each world',
  'src/sandbox/world-register.ts': 'one entry for each world',
  'src/sandbox/delivery/deliverer.ts': 'open attempts, which slots limit',
  'src/fixtures/yaml-file.ts': 'at most 2,000 files of directories that the operator chose',
  'src/sandbox/delivery/attempt-queues.ts': 'pending attempts, each of which is a row',
  'src/sandbox/delivery/listener-reader.ts': 'ids of what listeners weigh',
  'src/sandbox/delivery/slot-pool.ts': 'one entry for each world',
  'src/sandbox/delivery/subscribed-receivers.ts': 'one entry for each subscription, which is a row',
  'src/scenario/': 'one entry for each scenario file or trigger',
  'src/server/lanes.ts': 'at most 1,000 lanes',
  'src/server/ports.ts': 'one entry for each port',
  'src/server/server.ts': 'constant',
  'src/server/metrics.ts': 'one entry for each combination of labels of the contract',
  'src/server/hosted/node-proxy.ts': 'open requests, which the number of connections limits',
  'src/server/hosted/world-resolver.ts': 'at most 10,000 ids',
  'src/server/hosted/world-router.ts': 'at most 100,000 names',
  'src/server/replay/': 'one replay file of the user of the command',
  'src/storage/stored-world.ts': 'rows',
  'src/storage/file/': 'rows, segments and files of the data directory',
  'src/storage/postgres/': 'one entry for each world or waiting commit',
  'src/api/plane/body/': 'lives as long as one request',
  'src/api/plane/plane.ts': 'one entry for each route',
  'src/world/': 'rows, and waiting requests, which are limited',
};

interface Collection {
  /** File and name, such as `src/sandbox/tokens.ts #verified`. */
  readonly place: string;
  readonly isRegistered: boolean;
}

const collections = new Set(['Map', 'Set', 'Ring']);

/** Methods whose function arguments end with the call, so that they keep nothing. */
const shortLived =
  /^(map|flatMap|filter|forEach|find|findLast|findIndex|some|every|reduce|toSorted|sort|from|replace|replaceAll|fromEntries)$/;

/** True if a function runs only while the function around it runs. */
function isShortLived({ parent }: ts.Node): boolean {
  if (!parent || !ts.isCallExpression(parent)) return false;
  const { expression } = parent;
  return ts.isPropertyAccessExpression(expression) && shortLived.test(expression.name.text);
}

/** True if a function inside of `scope` that can outlive `scope` uses a name. */
function isCaptured(scope: ts.Node, name: string): boolean {
  let isFound = false;
  const visit = (node: ts.Node, isInside: boolean): void => {
    if (isFound) return;
    if (isInside && ts.isIdentifier(node) && node.text === name) isFound = true;
    const isLasting = node !== scope && ts.isFunctionLike(node) && !isShortLived(node);
    ts.forEachChild(node, (each) => visit(each, isInside || isLasting));
  };
  visit(scope, false);
  return isFound;
}

/** Returns the fields, constants and captured variables of a file that hold a collection which is empty at first. */
function collectionsIn(file: string): Collection[] {
  const text = readFileSync(join(root, file), 'utf8');
  if (!/new (Map|Set|Ring)\b|= \[\];/.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Collection[] = [];
  const isCollection = (node: ts.Node): boolean => {
    if (ts.isNewExpression(node)) return collections.has(node.expression.getText(source)) && !node.arguments?.length;
    return ts.isArrayLiteralExpression(node) && node.elements.length === 0;
  };
  const visit = (node: ts.Node, scope: ts.Node, isRegistered: boolean): void => {
    if ((ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node)) && node.initializer && isCollection(node.initializer)) {
      const name = node.name.getText(source);
      if (ts.isPropertyDeclaration(node) || scope === source || isCaptured(scope, name))
        found.push({ place: `${file} ${name}`, isRegistered });
    }
    const isWeighed = isRegistered || (ts.isClassDeclaration(node) && node.getText(source).includes('registerKept('));
    ts.forEachChild(node, (each) => visit(each, ts.isFunctionLike(node) ? node : scope, isWeighed));
  };
  visit(source, source, false);
  return found;
}

it('every collection of the server is in the registry of kept memory, or says why it cannot grow', () => {
  const all = sourceFiles(server).flatMap(collectionsIn);
  expect(all.length).toBeGreaterThan(80);
  const reasonOf = (place: string) => Object.keys(reasons).find((each) => place.startsWith(each));
  expect(all.filter(({ place, isRegistered }) => !isRegistered && reasonOf(place) === undefined).map(({ place }) => place)).toEqual([]);
  const stale = Object.keys(reasons).filter((each) => !all.some(({ place }) => place.startsWith(each)));
  expect(stale).toEqual([]);
  expect(Object.keys(keptKinds).length).toBeGreaterThan(5);
});
