import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { EvidenceRequest } from '../../contract/control/analysis/findings.js';
import { dimensions } from '../../contract/control/analysis/coverage.js';
import type { KeptTally } from '../coverage/tally.js';
import { byGravity, type WorldEvidence } from './evidence.js';

/** Maximum evidence of a deleted world, in bytes, and maximum number of deleted worlds with evidence. */
export const maxKeptBytes = 16 * 1024;
export const maxKeptWorlds = 1000;

/** Reductions of the evidence of a world, each smaller than the one before. */
const lessened: readonly ((evidence: WorldEvidence) => WorldEvidence)[] = [
  (evidence) => evidence,
  (evidence) => withoutBodies(evidence),
  (evidence) => withoutRequests(evidence),
  (evidence) => withFindings(withoutRequests(evidence), Infinity, 4),
  (evidence) => withFindings(withoutRequests(evidence), 200, 1),
  (evidence) => ({ ...withFindings(withoutRequests(evidence), 50, 1), expected: evidence.expected.slice(-20) }),
  (evidence) => ({ ...withFindings(withoutRequests(evidence), 20, 1), expected: [], tally: withoutTests(evidence.tally), rules: [] }),
  (evidence) => ({
    ...withFindings(withoutRequests(evidence), 5, 1),
    expected: [],
    tally: withoutTests({ ...evidence.tally, rules: [] }),
    rules: [],
  }),
  (evidence) => ({ ...withFindings(evidence, 0, 0), expected: [], tally: withoutTests({ ...evidence.tally, rules: [] }), rules: [] }),
];

type Change = (request: EvidenceRequest) => EvidenceRequest | null;

function withRequests(evidence: WorldEvidence, change: Change): WorldEvidence {
  const findings = evidence.findings.map((finding) => ({
    ...finding,
    evidence: finding.evidence.map((each) => ({ ...each, request: each.request && change(each.request) })),
  }));
  return { ...evidence, findings };
}

const withoutBodies = (evidence: WorldEvidence) => withRequests(evidence, (request) => ({ ...request, body: null }));
const withoutRequests = (evidence: WorldEvidence) => withRequests(evidence, () => null);

/** Returns the most severe findings with the beginning of their evidence; the others are counted as omitted. */
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
      (tally[each] ?? []).map(([id, count, passed, failed, firstMs]) => [id, count, passed, failed, firstMs, null]),
    ]),
  );

/** Returns the evidence of a world in at most {@link maxKeptBytes}; the least severe part is omitted. */
export function packed(evidence: WorldEvidence): Buffer {
  let bytes = Buffer.alloc(0);
  for (const lessen of lessened) {
    bytes = deflateRawSync(JSON.stringify(lessen(evidence)));
    if (bytes.length <= maxKeptBytes) break;
  }
  return bytes;
}

/** Returns the stored evidence of a world. */
export function unpacked(bytes: Buffer): WorldEvidence {
  return JSON.parse(inflateRawSync(bytes).toString()) as WorldEvidence;
}
