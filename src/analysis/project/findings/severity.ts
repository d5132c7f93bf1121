import type { Confidence, Severity } from './rule.js';

interface Graded {
  readonly severity: Severity;
  readonly confidence: Confidence;
}

const rankOf = ({ severity, confidence }: Graded) => (severity === 'ERROR' ? 0 : 2) + (confidence === 'CERTAIN' ? 0 : 1);

/** Returns findings ordered by severity, then by confidence; equal ones keep their order. */
export function bySeverity<F extends Graded>(findings: readonly F[]): F[] {
  return findings.toSorted((a, b) => rankOf(a) - rankOf(b));
}
