import { hasPostgres, missing } from '../postgres-server.js';
import { hostedAbuse } from './hosted.js';
import { abuse, fullExtent, maxMib, maxStallMs, maxUnexplainedMib } from './abuse.js';

/** Maximum additional wait of a partner while another attacks, in milliseconds. */
const maxPartnerStallMs = 100;

const startedMs = performance.now();
const report = await abuse(fullExtent);
const { sent, idleMs, longest, stalls, peakMib, memory, growths, faults, failures, isOtherSame, code } = report;
for (const { ms, name } of stalls) console.log(`  ${ms.toFixed(0)} ms: ${name}`);
for (const { mib, name } of growths) console.log(`  ${mib.toFixed(0)} MiB after: ${name.slice(0, 120)}`);
for (const [fault, names] of faults) console.log(`  ${fault} (${names.length}): ${names.slice(0, 3).join(' | ')}`);
const outside = [...faults.values()].flat().length;
const lines: [what: string, value: string, isGood: boolean][] = [
  [
    'longest wait',
    `${longest.ms.toFixed(1)} ms (${longest.name.slice(0, 120)}); idle ${idleMs.toFixed(1)} ms`,
    longest.ms <= idleMs + maxStallMs,
  ],
  ['peak memory', peakMib === null ? 'unknown' : `${peakMib.toFixed(0)} MiB`, peakMib === null || peakMib <= maxMib],
  [
    'heap at the end',
    `${memory.endMib.toFixed(0)} MiB; empty ${memory.emptyMib.toFixed(0)}, registered ${memory.keptMib.toFixed(0)}`,
    memory.endMib <= memory.emptyMib + memory.keptMib + maxUnexplainedMib,
  ],
  ['responses outside the contract', String(outside), outside === 0],
  ['failed requests of the other world', String(failures), failures === 0],
  ['the other world', isOtherSame ? 'unchanged' : 'changed', isOtherSame],
  ['end', `exit code ${code}`, code === 0],
];
if (hasPostgres) {
  const hosted = await hostedAbuse({ ...fullExtent.growing, messages: 3000, connections: 50 });
  const { calls, refused, longestMs: longestOther, idleMs: idleOther, foreignMessages, lostMessages, lostLeases } = hosted;
  lines.push(
    [
      'another partner waits',
      `${longestOther.toFixed(0)} ms at most in ${calls} calls; idle ${idleOther.toFixed(0)} ms`,
      longestOther <= idleOther + maxPartnerStallMs,
    ],
    ['refused calls of another partner', String(refused), refused === 0],
    ['foreign and lost messages of another partner', `${foreignMessages} and ${lostMessages}`, foreignMessages + lostMessages === 0],
    ['lost leases', String(lostLeases), lostLeases === 0],
  );
} else console.log(missing);
console.log(`${sent} requests in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
for (const [what, value, isGood] of lines) console.log(`${what}: ${value} ${isGood ? 'passes' : 'FAILS'}`);
process.exitCode = lines.every(([, , isGood]) => isGood) ? 0 : 1;
