import type { Report, ReportedFinding } from '../../contract/control/analysis/report.js';
import type { failLevels } from '../../contract/control/analysis/profile.js';
import { isDoublePayment } from '../findings/finding-store.js';
import { counted } from './words.js';

export type FailOn = (typeof failLevels)[number];

/**
 * True if a finding fails a report: it is neither announced nor accepted, it is certain, and it is severe enough. A finding of a negative
 * test fails it only if money moved twice.
 */
export function isFailing({ state, confidence, severity, rule, negative }: ReportedFinding, failOn: FailOn): boolean {
  if (state !== 'NEW' || (negative && !isDoublePayment(rule))) return false;
  return confidence === 'CERTAIN' && (severity === 'ERROR' ? failOn !== 'never' : failOn === 'warning');
}

/** Returns the verdict of a report with its reasons. */
export function verdictOf(
  { worlds, findings, profile, record, expected }: Pick<Report, 'worlds' | 'findings' | 'profile' | 'record' | 'expected'>,
  failOn: FailOn,
): Pick<Report, 'verdict' | 'exitCode' | 'why'> {
  const failing = findings.filter((each) => isFailing(each, failOn));
  const requirements = profile?.requirements ?? [];
  const failed = requirements.filter(({ result }) => result === 'FAILED');
  const notCovered = requirements.filter(({ result }) => result === 'NOT_COVERED');
  const minimum = profile?.minimum ?? null;
  const missed = expected.filter(({ matched, count }) => matched < count);
  const failures = [
    ...(failing.length > 0
      ? [`${counted(failing.length, 'CERTAIN finding')}: ${[...new Set(failing.map(({ rule }) => rule))].join(', ')}.`]
      : []),
    ...(failed.length > 0 ? [`${counted(failed.length, 'requirement')} failed: ${failed.map(({ id }) => id).join(', ')}.`] : []),
  ];
  const holes = [
    ...(record.calls === 0 ? [worlds.length === 0 ? 'No world has this name.' : 'There was no request to the public API.'] : []),
    ...(notCovered.length > 0
      ? [`${counted(notCovered.length, 'requirement')} not covered: ${notCovered.map(({ id }) => id).join(', ')}.`]
      : []),
    ...(minimum && minimum.covered < minimum.percent
      ? [`${minimum.covered} % of tier ${minimum.tier} is covered; ${minimum.percent} % is required.`]
      : []),
  ];
  const notes = missed.map(
    ({ rule, matched, count }) => `${rule} was announced ${counted(count, 'time')} and found ${counted(matched, 'time')}.`,
  );
  if (record.calls > 0 && failures.length > 0) return { verdict: 'FAILED', exitCode: 1, why: [...failures, ...holes, ...notes] };
  if (holes.length > 0) return { verdict: 'INCONCLUSIVE', exitCode: 4, why: [...holes, ...notes] };
  return { verdict: 'PASSED', exitCode: 0, why: ['No finding fails the report, and no requirement is missing.', ...notes] };
}
