import { appendFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { answered } from '../../client/caller.js';
import type { ReportQuery } from '../../client/report.js';
import type { FindingRulePattern, Findings, Profile, Report } from '../../client/types.js';
import { didYouMean } from '../../contract/shared/messages/nearest.js';
import { amountsText } from '../../contract/shared/messages/amounts.js';
import { timesText } from '../../contract/shared/messages/times.js';
import { subjectOf } from '../../contract/control/analysis/client.js';
import { rulePatterns } from '../../contract/control/analysis/rule-ids.js';
import { UsageError } from '../failure.js';
import { findingTimes, findingTitle } from '../finding-text.js';
import { githubLine } from '../github.js';
import { fields, table, type Output } from '../output.js';
import { oneOf, textOf, toFile, wholeNumber } from '../values.js';
import type { Invocation, Verb } from '../verb.js';

const group = 'verdict';

/** Maximum number of examples of an item that is not proven. */
const maxShownExamples = 5;

type Finding = Findings['data'][number];

/** Returns the money of a finding in a line; no line without money. */
const moneyLines = ({ money = [] }: Pick<Finding, 'money'>) => (money.length === 0 ? [] : [`Money: ${amountsText(money)}`]);

/** Returns a piece of evidence in lines: its sentence, then its request. */
function evidenceLines({ ref, what, at, realAt, request }: Finding['evidence'][number]): string[] {
  if (request === null) return [`  ${ref}: ${what}`];
  const { method, url, status, code, outcome } = request;
  const notes = [code, outcome === 'DELIVERED' ? null : outcome].filter((each) => each !== null);
  return [
    `  ${ref}: ${what}`,
    `    ${[timesText(at, realAt), `${method} ${url} → ${status ?? 'in progress'}`, ...notes].join(' ').trim()}`,
  ];
}

function findingLines(out: Output, finding: Finding): string[] {
  const { id, severity, confidence, rule, advice, evidence, state, negative, alternativeExplanation } = finding;
  const style = state === 'NEW' ? (severity === 'ERROR' ? 'red' : 'yellow') : 'dim';
  return [
    `${out.style(style, severity)} ${confidence} ${id} ${rule}${findingTimes(finding)}${state === 'NEW' ? '' : ` (${state})`}${negative ? ' (negative test)' : ''}`,
    `  ${findingTitle(finding)}`,
    ...moneyLines(finding).map((each) => `  ${each}`),
    `  ${advice}`,
    ...(alternativeExplanation === undefined ? [] : [`  Alternative explanation: ${alternativeExplanation}`]),
    ...evidence.flatMap(evidenceLines),
  ];
}

/** Returns an item that a report does not prove in lines: its text, its money, and the first examples. */
function notProvenLines({ kind, text, money = [], examples, fails }: Report['notProven'][number]): string[] {
  const shown = examples.slice(0, maxShownExamples);
  const more = examples.length > shown.length ? ', …' : '';
  return [
    `NOT PROVEN ${kind}${fails ? ' (fails the report)' : ''}`,
    `  ${text}`,
    ...moneyLines({ money }).map((each) => `  ${each}`),
    `  ${shown.join(', ')}${more}`,
  ];
}

const findings: Verb = {
  name: 'findings',
  group,
  summary: 'Show the findings about the client of a world, and how to fix them.',
  options: [
    { name: 'all', meaning: 'Include findings from before the last reset, restore or import.' },
    { name: 'negative', meaning: 'List only the findings of tests that misuse the API on purpose.' },
    { name: 'final', meaning: 'Treat the run as finished, and include findings that depend on the end of the run.' },
    { name: 'fail-on', value: 'error|warning|never', meaning: 'Which findings make the exit code 1.', usual: 'error' },
  ],
  examples: [
    'crossborder-sandbox findings',
    'crossborder-sandbox findings --all --final --fail-on never',
    'crossborder-sandbox findings --json',
  ],
  exits: { 1: 'there are unexpected findings' },
  calls: ['GET /_sandbox/findings'],
  run: async ({ world, given, out, signal }) => {
    const failOn = oneOf(given.text('fail-on') ?? 'error', '--fail-on', ['error', 'warning', 'never']);
    const answer = await world.findings({
      ...(given.has('all') ? { generation: 'all' } : {}),
      negative: given.has('negative'),
      final: given.has('final'),
      signal,
    });
    const ids = answer.data.map(({ id }) => id);
    out.show(
      answer,
      answer.data.flatMap((each) => findingLines(out, each)),
      ids,
    );
    if (ids.length === 0) out.remark('No findings so far.');
    const isGrave = ({ state, severity, negative }: Finding) =>
      state === 'NEW' && !negative && (failOn === 'warning' || severity === 'ERROR');
    return failOn !== 'never' && answer.data.some(isGrave) ? 1 : 0;
  },
};

const expect: Verb = {
  name: 'findings expect',
  group,
  summary: 'Announce an intentional violation of a rule.',
  args: [{ name: 'rule', meaning: 'The rule, for example money.json-number, or a group such as money.*.' }],
  options: [{ name: 'count', value: 'number', meaning: 'Number of violations.', usual: '1' }],
  examples: [
    'crossborder-sandbox findings expect money.json-number',
    'crossborder-sandbox findings expect money.json-number --count 2',
    'crossborder-sandbox findings expect money.json-number --json',
  ],
  calls: ['POST /_sandbox/findings/expect'],
  run: async ({ world, args, given, out, signal }) => {
    const rule = args[0]! as FindingRulePattern;
    if (!rulePatterns.includes(rule)) throw new UsageError(`"${rule}" is not a rule${didYouMean(rule, rulePatterns) || '.'}`);
    const announced = await world.expectFinding(rule, wholeNumber(given.text('count') ?? '1', '--count', 1000), { signal });
    out.show(announced, [`Expected violations of ${announced.rule}: ${announced.count}`]);
  },
};

const coverage: Verb = {
  name: 'coverage',
  group,
  summary: 'Show which parts of the API the client of a world has covered.',
  options: [
    { name: 'tier', value: 'tier', meaning: 'Tier to show: core, all, ….', usual: 'all' },
    { name: 'missing', meaning: 'List the items that are not covered, and how to cover them.' },
  ],
  examples: ['crossborder-sandbox coverage', 'crossborder-sandbox coverage --tier core --missing', 'crossborder-sandbox coverage --json'],
  calls: ['GET /_sandbox/coverage'],
  run: async ({ control, given, out, signal }) => {
    const tier = given.text('tier');
    const query = { ...(tier === undefined ? {} : { tier: tier as never }), ...(given.has('missing') ? { missing: 'true' as const } : {}) };
    const answer = await answered(control.GET('/_sandbox/coverage', { params: { query }, signal }));
    const { covered, total, percent, dimensions } = answer;
    const rows = Object.entries(dimensions).map(([name, each]) => [`  ${name}`, `${each.covered} of ${each.total}`, `${each.percent} %`]);
    const missing = Object.entries(dimensions).flatMap(([name, { items }]) => items.map(({ id, how }) => `  ${name} ${id}: ${how ?? ''}`));
    out.show(answer, [
      `${covered} of ${total} covered, ${percent} %, of ${answer.tier}`,
      ...table(rows),
      ...(given.has('missing') ? missing : []),
    ]);
  },
};

/** Returns the name of a built-in certification profile, or a profile read as YAML or JSON from a file or standard input. @throws UsageError */
async function profileOf(given: string, invocation: Invocation): Promise<string | Profile> {
  if (given !== '-' && !/^@|\.(ya?ml|json)$/.test(given)) return given;
  const text = await textOf(given.replace(/^@/, ''), invocation);
  try {
    return parse(text) as Profile;
  } catch (error) {
    throw new UsageError(`--profile is neither YAML nor JSON: ${(error as Error).message.trim()}`, { cause: error });
  }
}

const formats = ['json', 'markdown', 'junit', 'html', 'jws'] as const;

/** Maximum number of requirements and findings to show as annotations of a GitHub Actions job. */
const maxShownErrors = 10;

/**
 * Returns the lines that GitHub Actions shows: failed requirements first, then facts that are not proven and fail the report, findings, and
 * other facts that are not proven. LIKELY findings are warnings.
 */
function githubLines({ findings: all, profile, notProven }: Report, failOn: string | undefined): string[] {
  const failed = (profile?.requirements ?? []).filter(({ result }) => result === 'FAILED');
  const requirements = failed.map(({ id, title, what, how = '' }) => githubLine('error', `${title}\n${what} ${how}`.trim(), { title: id }));
  const isShown = ({ state, negative, severity }: Finding) =>
    state === 'NEW' && !negative && (severity === 'ERROR' || failOn === 'warning');
  const lines = all.filter(isShown).map((finding) => {
    const { rule, advice, confidence } = finding;
    const text = [findingTitle(finding), ...moneyLines(finding), advice].join('\n');
    return githubLine(confidence === 'CERTAIN' ? 'error' : 'warning', text, { title: `${rule} (${confidence})` });
  });
  const unproven = (areFailing: boolean) =>
    notProven
      .filter(({ fails }) => fails === areFailing)
      .map(({ kind, text, money = [] }) =>
        githubLine(areFailing ? 'error' : 'notice', [text, ...moneyLines({ money })].join('\n'), {
          title: `not proven: ${kind}`,
        }),
      );
  return [...requirements, ...unproven(true), ...lines, ...unproven(false)].slice(0, maxShownErrors);
}

const report: Verb = {
  name: 'report',
  group,
  summary: 'Report on your client. Exit code 0: passed, 1: failed, 4: inconclusive.',
  options: [
    {
      name: 'profile',
      value: 'name|file',
      meaning: 'Certification profile: the name of a built-in one, or a YAML or JSON file.',
    },
    {
      name: 'format',
      value: formats.join('|'),
      meaning: 'Output format. Default: a short text. A GitHub Actions job also gets Markdown in its summary.',
    },
    { name: 'out', value: 'file', meaning: 'Output file. Default: standard output.' },
    { name: 'fail-on', value: 'error|warning|never', meaning: 'Findings that fail the report. Default: as in the profile.' },
    {
      name: 'worlds',
      value: 'names',
      meaning: 'Worlds, separated by commas; * matches any characters.',
      usual: 'the value of --world, or all',
    },
    { name: 'subject', value: 'name=value,…', meaning: 'The build that is judged, for example commit=9fceb02,image=sha256:4e07.' },
    { name: 'valid-for', value: 'duration', meaning: 'How long the report counts as evidence.', usual: '30d' },
    { name: 'tier', value: 'tier', meaning: 'Coverage to show if the profile requires none.', usual: 'core' },
    { name: 'strict', meaning: 'Fail the report for each item that it lists as not proven. Default: as in the profile.' },
    { name: 'final', meaning: 'Treat the run as finished, and include results that depend on the end of the run.' },
  ],
  examples: [
    'crossborder-sandbox report --fail-on never',
    'crossborder-sandbox report --format markdown --fail-on never > summary.md',
    'crossborder-sandbox report --worlds default --fail-on never --subject commit=9fceb02 --json',
  ],
  exits: { 1: 'failed', 4: 'inconclusive' },
  calls: ['GET /_sandbox/report', 'POST /_sandbox/report'],
  run: async (invocation) => {
    const { sandbox, given, out, signal, environment } = invocation;
    const [profile, formatText, file, failOn, tier] = ['profile', 'format', 'out', 'fail-on', 'tier'].map((each) => given.text(each));
    const worlds = given.text('worlds') ?? given.text('world');
    const format = formatText === undefined ? undefined : oneOf(formatText, '--format', formats);
    const query: ReportQuery = {
      profile: profile === undefined ? undefined : await profileOf(profile, invocation),
      failOn: failOn === undefined ? undefined : oneOf(failOn, '--fail-on', ['error', 'warning', 'never']),
      tier: tier as ReportQuery['tier'],
      final: given.has('final'),
      strict: given.has('strict') ? true : undefined,
      subject: given.text('subject') === undefined ? undefined : subjectOf(given.text('subject')!),
      validFor: given.text('valid-for'),
      signal,
    };
    const judged = await sandbox.report(worlds, query);
    const lines = [
      out.status(judged.verdict),
      ...judged.why.map((each) => `  ${each}`),
      ...fields(judged.record).map((each) => `  ${each}`),
    ];
    const text =
      format === undefined || format === 'json' ? JSON.stringify(judged, null, 2) : await sandbox.reportText(format, worlds, query);
    if (file !== undefined) toFile(file, (at) => writeFileSync(at, `${text.trimEnd()}\n`));
    else if (format !== undefined || out.isJson) out.line(text.trimEnd());
    else
      out.show(judged, [
        ...lines,
        ...judged.findings.flatMap((each) => findingLines(out, each)),
        ...judged.notProven.flatMap(notProvenLines),
      ]);
    const summary = environment['GITHUB_STEP_SUMMARY'] ?? '';
    if (summary !== '') {
      for (const line of githubLines(judged, failOn)) out.remark(line);
      // Markdown on standard output is probably redirected to the summary.
      const markdown = format === 'markdown' && file === undefined ? '' : await sandbox.reportText('markdown', worlds, query);
      toFile(summary, (at) => appendFileSync(at, markdown));
    }
    return judged.exitCode;
  },
};

export const verdictVerbs: readonly Verb[] = [findings, expect, coverage, report];
