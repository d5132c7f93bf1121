import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { EvidenceRequest } from '../../../contract/control/analysis/findings.js';
import { dimensions } from '../../../contract/control/analysis/coverage.js';
import type { StoredTally } from '../../project/coverage/tally.js';
import { bySeverity } from '../../project/findings/severity.js';
import type { WorldEvidence } from './evidence.js';

/** Maximum size of the evidence of a deleted world, in bytes. */
export const maxPackedBytes = 16 * 1024;
/** Maximum number of deleted worlds with stored evidence. */
export const maxPackedWorlds = 1000;

/**
 * The parts of the evidence of a deleted world, the largest first: the first that fits is stored. `names` are names of tests, expectations
 * and rules.
 */
const parts = [
  { findings: Infinity, evidenceEach: Infinity, differences: 20, requests: 'ALL', names: true },
  { findings: Infinity, evidenceEach: Infinity, differences: 20, requests: 'WITHOUT_BODIES', names: true },
  { findings: Infinity, evidenceEach: Infinity, differences: 20, requests: 'NONE', names: true },
  { findings: 200, evidenceEach: 2, differences: 5, requests: 'NONE', names: true },
  { findings: 50, evidenceEach: 1, differences: 1, requests: 'NONE', names: false },
  { findings: 5, evidenceEach: 1, differences: 0, requests: 'NONE', names: false },
  { findings: 0, evidenceEach: 0, differences: 0, requests: 'NONE', names: false },
] as const;

type Part = (typeof parts)[number];

/** Returns the most severe findings with the beginning of their evidence; the others are counted as omitted. */
function partOf(evidence: WorldEvidence, { findings: most, evidenceEach, differences, requests, names }: Part): WorldEvidence {
  const { findings, omitted, reconciliation } = evidence;
  const kept = new Set(bySeverity(findings).slice(0, most));
  return {
    ...evidence,
    findings: findings
      .filter((each) => kept.has(each))
      .map((finding) => ({
        ...finding,
        evidence: finding.evidence.slice(0, evidenceEach).map((each) => ({ ...each, request: requestPart(each.request, requests) })),
      })),
    omitted: omitted + findings.length - kept.size,
    reconciliation: reconciliation && { ...reconciliation, differences: reconciliation.differences.slice(0, differences) },
    ...(names ? {} : { expected: [], rules: [], unproven: { ...evidence.unproven, endpoints: [] }, tally: withoutNames(evidence.tally) }),
  };
}

function requestPart(request: EvidenceRequest | null, part: Part['requests']): EvidenceRequest | null {
  if (request === null || part === 'NONE') return null;
  return part === 'ALL' ? request : { ...request, body: null };
}

/** Returns the tally without the names of tests, and without rules of scenarios. */
const withoutNames = (tally: StoredTally): StoredTally =>
  Object.fromEntries(
    dimensions.map((each) => [
      each,
      each === 'rules' ? [] : (tally[each] ?? []).map(([id, count, passed, failed, firstMs]) => [id, count, passed, failed, firstMs, null]),
    ]),
  );

/** Returns the evidence of a world in at most {@link maxPackedBytes}; the least severe part is omitted. */
export function packEvidence(evidence: WorldEvidence): Buffer {
  let bytes = Buffer.alloc(0);
  for (const part of parts) {
    bytes = deflateRawSync(JSON.stringify(partOf(evidence, part)));
    if (bytes.length <= maxPackedBytes) break;
  }
  return bytes;
}

/** Returns the stored evidence of a world. */
export function unpackEvidence(bytes: Buffer): WorldEvidence {
  return JSON.parse(inflateRawSync(bytes).toString()) as WorldEvidence;
}
