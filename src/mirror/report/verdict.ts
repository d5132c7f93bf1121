import type { Report, ReportedFinding } from '../../contract/control/mirror/report.js';
import type { failLevels } from '../../contract/control/mirror/profile.js';
import { counted } from './words.js';

export type FailOn = (typeof failLevels)[number];

/** Whether a finding fails a report: nobody has announced or accepted it, it is certain, and grave enough. */
export function isFailing({ state, label, severity }: ReportedFinding, failOn: FailOn): boolean {
  return state === 'NEW' && label === 'CERTAIN' && (severity === 'ERROR' ? failOn !== 'never' : failOn === 'warning');
}

/** What comes of a report, and why. */
export function verdictOf(
  { worlds, findings, profile, record, expected }: Pick<Report, 'worlds' | 'findings' | 'profile' | 'record' | 'expected'>,
  failOn: FailOn,
): Pick<Report, 'verdict' | 'exitCode' | 'why'> {
  const failing = findings.filter((each) => isFailing(each, failOn));
  const requirements = profile?.requirements ?? [];
  const failed = requirements.filter(({ result }) => result === 'FAILED');
  const notMet = requirements.filter(({ result }) => result === 'NOT_MET');
  const minimum = profile?.minimum ?? null;
  const missed = expected.filter(({ came, count }) => came < count);
  const failures = [
    ...(failing.length > 0
      ? [`${counted(failing.length, 'CERTAIN finding')}: ${[...new Set(failing.map(({ rule }) => rule))].join(', ')}.`]
      : []),
    ...(failed.length > 0 ? [`${counted(failed.length, 'requirement')} failed: ${failed.map(({ id }) => id).join(', ')}.`] : []),
  ];
  const holes = [
    ...(record.calls === 0 ? [worlds.length === 0 ? 'There is no world of such a name.' : 'No call of the public API came.'] : []),
    ...(notMet.length > 0 ? [`${counted(notMet.length, 'requirement')} had no occasion: ${notMet.map(({ id }) => id).join(', ')}.`] : []),
    ...(minimum && minimum.met < minimum.percent
      ? [`${minimum.met} % of the tier ${minimum.tier} is met, and ${minimum.percent} % is wanted.`]
      : []),
  ];
  const notes = missed.map(({ rule, came, count }) => `${rule} was announced ${counted(count, 'time')} and came ${counted(came, 'time')}.`);
  if (record.calls > 0 && failures.length > 0) return { verdict: 'FAILED', exitCode: 1, why: [...failures, ...holes, ...notes] };
  if (holes.length > 0) return { verdict: 'INCONCLUSIVE', exitCode: 4, why: [...holes, ...notes] };
  return { verdict: 'PASSED', exitCode: 0, why: ['Nothing fails it, and nothing is missing that it asks for.', ...notes] };
}
