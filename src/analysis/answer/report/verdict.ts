import type { Report, ReportedFinding } from '../../../contract/control/analysis/report.js';
import { interventionNames, type Intervention } from '../../../contract/control/analysis/report.js';
import type { failLevels, Profile } from '../../../contract/control/analysis/profile.js';
import type { WorldVerdict } from '../../../contract/control/worlds.js';
import { isProvoked, type FindingStore } from '../../project/findings/finding-store.js';
import { countText, notProvenBrief, notProvenText, reconciledText } from './words.js';

export type FailOn = (typeof failLevels)[number];

/** The parts of a finding that decide whether it fails a report. */
type Judged = Pick<ReportedFinding, 'state' | 'confidence' | 'severity' | 'rule' | 'negative'> & {
  readonly money?: readonly unknown[] | undefined;
};

/** Returns the verdict of a report on one world without a profile. @param calls number of requests to the public API */
export function worldVerdict(store: FindingStore, calls: number): WorldVerdict {
  if (calls === 0) return 'INCONCLUSIVE';
  const money = store.money();
  const fails = store.list().some((found) => {
    const { isExpected, confidence, severity, rule, isNegative } = found;
    const state = isExpected ? 'EXPECTED' : 'NEW';
    return isFailing({ state, confidence, severity, rule: rule.id, negative: isNegative, money: money.get(found) ?? [] }, 'error');
  });
  return fails ? 'FAILED' : 'PASSED';
}

/**
 * True if a finding fails a report: it is neither announced nor accepted, it is certain or has moved money, and it is severe
 * enough. A finding of a negative test fails a report only if money moved twice.
 */
export function isFailing({ state, confidence, severity, rule, negative, money = [] }: Judged, failOn: FailOn): boolean {
  if (state !== 'NEW' || isProvoked(negative, rule)) return false;
  return (confidence === 'CERTAIN' || money.length > 0) && (severity === 'ERROR' ? failOn !== 'never' : failOn === 'warning');
}

const interventionTexts: Readonly<Record<Intervention, string>> = {
  announced: 'announcement of findings',
  cleared: 'deletion of findings',
  accepted: 'accepted finding',
  faults: 'fault by the tester',
  deletedWorlds: 'deleted world without evidence',
  leftOutWorlds: 'world that is left out',
};

/** Returns a sentence for each exceeded limit of a profile. */
function beyondLimits(interventions: Report['interventions'], limits: NonNullable<Profile['limits']>): string[] {
  return interventionNames.flatMap((name) => {
    const limit = limits[name] ?? Infinity;
    const count = interventions[name];
    return count > limit ? [`The profile allows at most ${limit} of: ${interventionTexts[name]}. There were ${count}.`] : [];
  });
}

/** Returns a sentence for each world whose client has a different commit than the subject of the report; at most five. */
function otherBuilds(worlds: Report['worlds'], subject: Report['subject']): string[] {
  const commit = subject?.['commit'];
  const others = worlds.filter(
    ({ client }) => commit !== undefined && client !== null && client.commit !== null && client.commit !== commit,
  );
  return others.slice(0, 5).map(({ name, client }) => `World ${name} was used by commit ${client!.commit}, not by ${commit}.`);
}

/** Returns the verdict of a report with its reasons. */
export function verdictOf(
  report: Pick<Report, 'worlds' | 'findings' | 'profile' | 'record' | 'expected' | 'interventions' | 'subject' | 'notProven'> & {
    readonly limits: NonNullable<Profile['limits']>;
  },
  failOn: FailOn,
): Pick<Report, 'verdict' | 'exitCode' | 'why'> {
  const { worlds, findings, profile, record, expected, notProven } = report;
  const failing = findings.filter((each) => isFailing(each, failOn));
  const requirements = profile?.requirements ?? [];
  const failed = requirements.filter(({ result }) => result === 'FAILED');
  const notCovered = requirements.filter(({ result }) => result === 'NOT_COVERED');
  const minimum = profile?.minimum ?? null;
  const reconciled = profile?.reconciled ?? null;
  const missed = expected.filter(({ matched, count }) => matched < count);
  const failures = [
    ...(failing.length > 0
      ? [`${countText(failing.length, 'finding')}: ${[...new Set(failing.map(({ rule }) => rule))].join(', ')}.`]
      : []),
    ...(failed.length > 0 ? [`${countText(failed.length, 'requirement')} failed: ${failed.map(({ id }) => id).join(', ')}.`] : []),
    ...(reconciled?.result === 'FAILED' ? [reconciledText(reconciled)] : []),
    ...notProven.filter(({ fails }) => fails).map(notProvenText),
  ];
  const holes = [
    ...(record.calls === 0 ? [worlds.length === 0 ? 'No world has this name.' : 'There was no request to the public API.'] : []),
    ...(notCovered.length > 0
      ? [`${countText(notCovered.length, 'requirement')} not covered: ${notCovered.map(({ id }) => id).join(', ')}.`]
      : []),
    ...(minimum && minimum.covered < minimum.percent
      ? [`${minimum.covered} % of tier ${minimum.tier} is covered; ${minimum.percent} % is required.`]
      : []),
    ...beyondLimits(report.interventions, report.limits),
    ...otherBuilds(worlds, report.subject),
    ...(reconciled?.result === 'NOT_COVERED' ? [reconciledText(reconciled)] : []),
  ];
  const notes = missed.map(
    ({ rule, matched, count }) => `${rule} was announced ${countText(count, 'time')} and found ${countText(matched, 'time')}.`,
  );
  const open = notProven.filter(({ fails }) => !fails);
  if (open.length > 0) notes.push(`Not proven: ${open.map(notProvenBrief).join('; ')}.`);
  const isUnsure = (each: ReportedFinding) =>
    each.severity === 'ERROR' && !isFailing(each, failOn) && isFailing({ ...each, confidence: 'CERTAIN' }, failOn);
  const unsure = findings.filter(isUnsure).length;
  if (unsure > 0) {
    const [subject, verb] = unsure === 1 ? ['1 error does', 'it is'] : [`${unsure} errors do`, 'they are'];
    notes.unshift(`${subject} not fail the report: ${verb} likely but not certain, and moved no money.`);
  }
  if (record.calls > 0 && failures.length > 0) return { verdict: 'FAILED', exitCode: 1, why: [...failures, ...holes, ...notes] };
  if (holes.length > 0) return { verdict: 'INCONCLUSIVE', exitCode: 4, why: [...holes, ...notes] };
  return { verdict: 'PASSED', exitCode: 0, why: ['No finding fails the report, and no requirement is missing.', ...notes] };
}
