import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { dimensions } from '../../contract/control/mirror/coverage.js';
import type { KeptTally } from '../coverage/tally.js';
import { byGravity, type WorldEvidence } from './evidence.js';

/** How much a world that is gone leaves, in bytes, and how many of them leave anything. */
export const maxKeptBytes = 16 * 1024;
export const maxKeptWorlds = 1000;

/** What is kept of what a world showed, less from one to the next. */
const lessened: readonly ((evidence: WorldEvidence) => WorldEvidence)[] = [
  (evidence) => evidence,
  (evidence) => withFindings(evidence, Infinity, 4),
  (evidence) => withFindings(evidence, 200, 1),
  (evidence) => ({ ...withFindings(evidence, 50, 1), expected: evidence.expected.slice(-20) }),
  (evidence) => ({ ...withFindings(evidence, 20, 1), expected: [], tally: withoutTests(evidence.tally), rules: [] }),
  (evidence) => ({ ...withFindings(evidence, 5, 1), expected: [], tally: withoutTests({ ...evidence.tally, rules: [] }), rules: [] }),
  (evidence) => ({ ...withFindings(evidence, 0, 0), expected: [], tally: withoutTests({ ...evidence.tally, rules: [] }), rules: [] }),
];

/** The gravest findings with the beginning of their evidence; the others are counted as left out. */
function withFindings(evidence: WorldEvidence, most: number, evidenceEach: number): WorldEvidence {
  const { findings, omitted } = evidence;
  const kept = new Set(byGravity(findings).slice(0, most));
  return {
    ...evidence,
    findings: findings.filter((each) => kept.has(each)).map((each) => ({ ...each, evidence: each.evidence.slice(0, evidenceEach) })),
    omitted: omitted + findings.length - kept.size,
  };
}

const withoutTests = (tally: KeptTally): KeptTally =>
  Object.fromEntries(
    dimensions.map((each) => [
      each,
      (tally[each] ?? []).map(([id, count, survived, failed, firstMs]) => [id, count, survived, failed, firstMs, null]),
    ]),
  );

/** What a world showed, in {@link maxKeptBytes} at most: what is too much of it is left out, the least grave first. */
export function packed(evidence: WorldEvidence): Buffer {
  let bytes = Buffer.alloc(0);
  for (const lessen of lessened) {
    bytes = deflateRawSync(JSON.stringify(lessen(evidence)));
    if (bytes.length <= maxKeptBytes) break;
  }
  return bytes;
}

/** What was kept of a world. */
export function unpacked(bytes: Buffer): WorldEvidence {
  return JSON.parse(inflateRawSync(bytes).toString()) as WorldEvidence;
}
