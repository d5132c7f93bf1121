import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { tables } from '../world/tables.js';
import { root } from './root.js';
import { sourceFiles } from './source-files.js';

/** Directories of the code that handles requests. */
const server = ['analysis', 'api/control', 'api/public', 'engine', 'exchange', 'sandbox', 'services', 'world'];
/** Methods that read all rows or entries of a world. */
const readers = /\b(rows|find|list)\((['"`])|\.all\(\)|\.newest\(|\.entriesOf\(/;
const tableNames = Object.keys(tables).join('|');
const ofTable = new RegExp(`\\bstate\\.(${tableNames})\\b|\\bview\\.rows\\(|\\buow\\.rows\\(`);

/** Loops that cannot pause, and why they are short. */
const reasons: Readonly<Record<string, string>> = {
  'src/analysis/project/findings/': 'the postings of one operation, or payments that the rules remember, which their memory limits',
  'src/analysis/answer/reconcile/knowledge.ts': 'read once for each operation and message of a reconciliation',
  'src/exchange/log.ts': 'copies references; the record of a world has at most 10 MiB',
  'src/analysis/views/evidence.ts': 'copies references; the record of a world has at most 10 MiB',
  'src/analysis/views/replay-file.ts isUnderWay': 'one comparison for each pending attempt',
  'src/analysis/views/replay-file.ts userAgentsOf': 'at most 500 entries',
  'src/analysis/views/timeline.ts #placesOf': 'a few comparisons for each entry; the record of a world has at most 10 MiB',
  'src/analysis/answer/verify/verify.ts run': 'copies references; the record of a world has at most 10 MiB',
  'src/analysis/answer/why/recorded-requests.ts': 'a search in the text of at most 10 MiB, until 200 entries are found',
  'src/analysis/answer/why/why.ts': 'at most 1,000 rows are described, and jobs are compared once',
  'src/api/control/named-world.ts holds': 'the beneficiaries of one instruction',
  'src/api/control/routes/deliveries.ts serveDeliveries': 'the attempts of one delivery, or one comparison for each timer',
  'src/api/control/routes/faults.ts serveFaults': 'at most 1,000 faults of a world',
  'src/api/control/routes/inboxes.ts': 'at most 2,000 messages of a world, or one comparison for each subscription',
  'src/api/control/routes/signatures.ts idsOf': 'one comparison for each payload',
  'src/engine/outbox.ts forgetDeliveries': 'one commit, which cannot pause; the rows of a world are limited',
  'src/engine/owners.ts': 'the owners of one instruction, key or tax id',
  'src/engine/rules.ts': 'at most 1,000 faults of a world',
  'src/api/public/respond-after.ts sentSince': 'the deliveries of the resources of one request',
  'src/sandbox/delivery/subscribed-receivers.ts read': 'one URL for each subscription, when a world is loaded',
  'src/services/steering/': 'at most 1,000 faults and rules of a world',
  'src/services/webhooks/deliveries.ts eventAboutInstruction': 'the beneficiaries of one instruction',
  'src/services/webhooks/inboxes.ts makeRoom': 'at most 2,000 messages of a world',
  'src/world/due-times.ts nextDueMs': 'one comparison for each pending attempt',
  'src/world/retention.ts': 'the rows of one delivery, or ends at the first row that is young enough',
  'src/world/world.ts nextJob': 'ends at the first timer that may run',
  'src/world/document/counters.ts raisedCounters': 'runs in time slices; these loops are parts of one that pauses',
};

function loopsIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const nameOf = (node: ts.Node): string => {
    for (let each: ts.Node | undefined = node.parent; each; each = each.parent)
      if ((ts.isFunctionDeclaration(each) || ts.isMethodDeclaration(each) || ts.isGetAccessor(each)) && each.name)
        return each.name.getText(source);
      else if (ts.isVariableDeclaration(each) && ts.isVariableStatement(each.parent.parent) && each.parent.parent.parent === source)
        return each.name.getText(source);
    return '';
  };
  const pauses = (node: ts.Node): boolean => {
    let isFound = false;
    const look = (each: ts.Node): void => {
      if (ts.isYieldExpression(each) || (ts.isPropertyAccessExpression(each) && each.name.text === 'shouldYield')) isFound = true;
      else ts.forEachChild(each, look);
    };
    look(node);
    return isFound;
  };
  const visit = (node: ts.Node): void => {
    const text = ts.isForOfStatement(node)
      ? node.expression.getText(source)
      : ts.isCallExpression(node) &&
          ts.isPropertyAccessExpression(node.expression) &&
          /^(map|filter|some|every|find|flatMap|reduce|toSorted|forEach)$/.test(node.expression.name.text)
        ? node.expression.expression.getText(source)
        : ts.isSpreadElement(node)
          ? node.expression.getText(source)
          : '';
    const isLoop = text !== '' && (readers.test(text) || ofTable.test(text));
    if (isLoop && !pauses(node)) found.push(`${file} ${nameOf(node)}: ${text.replaceAll(/\s+/g, ' ').slice(0, 80)}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

it('every loop over rows, entries and deliveries pauses, or says why it is short', () => {
  const all = sourceFiles(server).flatMap(loopsIn);
  const isKnown = (loop: string) => Object.keys(reasons).some((each) => loop.startsWith(each));
  expect(all.filter((loop) => !isKnown(loop))).toEqual([]);
  expect(Object.keys(reasons).filter((each) => !all.some((loop) => loop.startsWith(each)))).toEqual([]);
});
