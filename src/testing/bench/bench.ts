import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { figure, type Row } from './row.js';
import { measureBesieged } from './besieged.js';
import { measureConsole } from './console.js';
import { measureFilters } from './filters.js';
import { measureHardening } from './hardening.js';
import { measureNodes } from './nodes.js';
import { measurePeers } from './peers.js';
import { measureRecord } from './record.js';
import { measureServer } from './server.js';
import { measureStart } from './startup.js';
import { measureStore } from './store.js';
import { measureStream } from './stream.js';
import { measureWebhooks } from './webhooks.js';
import { measureWorlds } from './worlds.js';
import { useBuild } from '../process.js';

/**
 * Compares a built sandbox with a bare `node:http` server in the same run. The table is printed to stdout, the numbers are written to
 * bench.json. `npm run bench -- 100 10000 100000` sets the numbers of stored operations, `npm run bench -- nodes` selects sections.
 * `BEFORE=<package directory of an earlier build> npm run bench -- peers requests store record start` measures that build in the same run.
 */
const { BEFORE: before } = process.env;
/** The sections that measure a build alone, one after the other; `peers` alternates between them. */
const ofOneBuild = /^(start|requests|a store|record)\b/;
const sizes = process.argv
  .slice(2)
  .map(Number)
  .filter((size) => size > 0);
const wanted = process.argv.slice(2).filter((word) => Number.isNaN(Number(word)));
if (sizes.length === 0) sizes.push(100, 10_000);

const sections: [string, () => Promise<Row[]>][] = [
  ['start', measureStart],
  ...sizes.map((size): [string, () => Promise<Row[]>] => [`requests at ${size} operations`, () => measureServer(size)]),
  ...sizes.map((size): [string, () => Promise<Row[]>] => [`a store of ${size} operations`, () => measureStore(size)]),
  ['peers', measurePeers],
  ['filters', measureFilters],
  ['webhooks', measureWebhooks],
  ['silent endpoints', measureBesieged],
  ['record', measureRecord],
  ['stream', measureStream],
  ['worlds', measureWorlds],
  ['half-open connections', measureHardening],
  ['nodes', measureNodes],
  ['console', measureConsole],
];

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'an unknown processor'}\n`);
console.log('| operations in the store | what | median | spread | compared | ratio |\n| --- | --- | --- | --- | --- | --- |');
const rows: Row[] = [];
for (const [name, measure] of sections) {
  if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
  process.stderr.write(`${name}\n`);
  const measured = await measure();
  if (before !== undefined && ofOneBuild.test(name)) {
    useBuild(before);
    for (const row of await measure()) measured.push({ ...row, what: `the build before: ${row.what}` });
    useBuild();
  }
  for (const { operations, what, median, spread, bare } of measured) {
    const ratio = bare === 0 ? '' : (median / bare).toFixed(2);
    console.log(`| ${[operations, what, figure(median), spread, figure(bare), ratio].join(' | ')} |`);
  }
  rows.push(...measured);
}
writeFileSync('bench.json', `${JSON.stringify(rows, null, 2)}\n`);
