import {
  notProvenKinds,
  type NotProvenKind,
  type Report,
  type ReportedFinding,
  type RequirementResult,
} from '../../../contract/control/analysis/report.js';
import { rules } from '../../project/findings/rules.js';
import type { Rule } from '../../project/findings/rule.js';
import { escaped } from './markup.js';
import { isFailing, type FailOn } from './verdict.js';
import { evidenceText, kindText, moneyText, notProvenText, placeText, reconciledText, subjectOf } from './words.js';

interface Case {
  readonly name: string;
  readonly outcome: 'passed' | 'failure' | 'skipped';
  readonly message?: string;
  readonly text?: string;
}

/** Returns the request of a piece of evidence with its body; empty if it is not recorded. */
function evidenceLine(each: ReportedFinding['evidence'][number]): string {
  const text = evidenceText(each);
  return text === '' ? '' : `    ${text}${each.request?.body ? ` ${each.request.body}` : ''}`;
}

function findingText(finding: ReportedFinding): string {
  const evidence = finding.evidence.flatMap((each) => [`  ${each.ref} ${each.what}`, evidenceLine(each)].filter((line) => line !== ''));
  return [
    `${subjectOf(finding)}: ${finding.title} (${kindText(finding)}), ${placeText(finding)}`,
    finding.advice,
    moneyText(finding),
    ...evidence,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** Returns the test case of a rule. The test case fails if a finding fails the report; other findings are only listed. */
function caseOfRule({ id, title }: Rule, findings: readonly ReportedFinding[], failOn: FailOn): Case {
  const own = findings.filter(({ rule }) => rule === id);
  const text = own.map(findingText).join('\n\n');
  if (own.some((each) => isFailing(each, failOn))) return { name: id, outcome: 'failure', message: title, text };
  return { name: id, outcome: 'passed', ...(own.length > 0 ? { text } : {}) };
}

function caseOfRequirement({ id, title, result, what, how }: RequirementResult): Case {
  const name = `${id} ${title}`;
  if (result === 'PASSED') return { name, outcome: 'passed' };
  return { name, outcome: result === 'FAILED' ? 'failure' : 'skipped', message: what, text: how ?? what };
}

/** Returns the test case of the required verdict of reconciliations. */
function caseOfReconciled(reconciled: NonNullable<NonNullable<Report['profile']>['reconciled']>): Case {
  const name = `reconciled: ${reconciled.required}`;
  if (reconciled.result === 'PASSED') return { name, outcome: 'passed' };
  return { name, outcome: reconciled.result === 'FAILED' ? 'failure' : 'skipped', message: reconciledText(reconciled) };
}

/** Returns the test case of a kind of facts that the report does not prove: it fails only in a strict report. */
function caseOfNotProven(kind: NotProvenKind, notProven: Report['notProven']): Case {
  const item = notProven.find((each) => each.kind === kind);
  if (!item) return { name: kind, outcome: 'passed' };
  return { name: kind, outcome: item.fails ? 'failure' : 'skipped', message: notProvenText(item), text: item.examples.join('\n') };
}

function caseText(suite: string, { name, outcome, message = '', text = '' }: Case): string {
  const output = outcome === 'passed' ? (text === '' ? '' : `<system-out>${escaped(text)}</system-out>`) : '';
  const failed = outcome === 'passed' ? '' : `<${outcome} message="${escaped(message)}">${escaped(text)}</${outcome}>`;
  return `    <testcase classname="${escaped(suite)}" name="${escaped(name)}" time="0">${failed}${output}</testcase>`;
}

function suiteText(name: string, cases: readonly Case[], at: string): string {
  const count = (outcome: Case['outcome']) => cases.filter((each) => each.outcome === outcome).length;
  const figures = `tests="${cases.length}" failures="${count('failure')}" errors="0" skipped="${count('skipped')}"`;
  const head = `  <testsuite name="${escaped(name)}" ${figures} time="0" timestamp="${at.slice(0, 19)}">`;
  return [head, ...cases.map((each) => caseText(name, each)), '  </testsuite>'].join('\n');
}

/**
 * Returns a report as a JUnit file.
 * The file always has one case for each rule, each requirement and each kind of facts that is not proven, so that every run has the same cases. Requirements that are not
 * covered are skipped.
 */
export function junitOf({ findings, profile, notProven, at }: Report, failOn: FailOn): string {
  const suites = [
    suiteText(
      'crossborder-sandbox.findings',
      rules.filter(({ isHint }) => !isHint).map((each) => caseOfRule(each, findings, failOn)),
      at,
    ),
    suiteText(
      'crossborder-sandbox.notProven',
      notProvenKinds.map((kind) => caseOfNotProven(kind, notProven)),
      at,
    ),
    ...(profile
      ? [
          suiteText(
            `crossborder-sandbox.profile.${profile.profile}`,
            [...profile.requirements.map(caseOfRequirement), ...(profile.reconciled ? [caseOfReconciled(profile.reconciled)] : [])],
            at,
          ),
        ]
      : []),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="crossborder-sandbox">\n${suites.join('\n')}\n</testsuites>\n`;
}
