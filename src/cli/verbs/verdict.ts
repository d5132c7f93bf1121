import { appendFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { answered } from '../../client/caller.js';
import type { ReportQuery } from '../../client/report.js';
import type { FindingRule, Findings, Profile } from '../../client/types.js';
import { didYouMean } from '../../contract/shared/messages/nearest.js';
import { hintIds, ruleIds } from '../../contract/control/mirror/rule-ids.js';
import { UsageError } from '../failure.js';
import { githubError } from '../github.js';
import { fields, table, type Output } from '../output.js';
import { oneOf, textOf, toFile, whole } from '../values.js';
import type { Invocation, Verb } from '../verb.js';

const group = 'verdict';

type Finding = Findings['data'][number];

function findingLines(out: Output, { id, severity, rule, title, advice, count, evidence, state }: Finding): string[] {
  const style = state === 'NEW' ? (severity === 'ERROR' ? 'red' : 'yellow') : 'dim';
  const times = count === 1 ? '' : `, ${count} times`;
  return [
    `${out.style(style, severity)} ${id} ${rule}${times}${state === 'NEW' ? '' : ` (${state})`}`,
    `  ${title}`,
    `  ${advice}`,
    ...evidence.map(({ ref, what }) => `  ${ref}: ${what}`),
  ];
}

const findings: Verb = {
  name: 'findings',
  group,
  summary: 'Shows what clients of a world did wrong, and how to do it right.',
  options: [
    { name: 'all', meaning: 'Also what was before the last reset, restore or import.' },
    { name: 'final', meaning: 'Nothing more comes: show what only the end shows, too.' },
    { name: 'fail-on', value: 'error|warning|never', meaning: 'Which findings make the exit code 1.', usual: 'error' },
  ],
  examples: [
    'crossborder-sandbox findings',
    'crossborder-sandbox findings --all --final --fail-on never',
    'crossborder-sandbox findings --json',
  ],
  exits: { 1: 'there are findings that nobody expected' },
  calls: ['GET /_sandbox/findings'],
  run: async ({ world, given, out, signal }) => {
    const failOn = oneOf(given.text('fail-on') ?? 'error', '--fail-on', ['error', 'warning', 'never']);
    const answer = await world.findings({ ...(given.has('all') ? { chapter: 'all' } : {}), final: given.has('final'), signal });
    const ids = answer.data.map(({ id }) => id);
    out.show(
      answer,
      answer.data.flatMap((each) => findingLines(out, each)),
      ids,
    );
    if (ids.length === 0) out.remark('There is nothing to find fault with so far.');
    const isGrave = ({ state, severity }: Finding) => state === 'NEW' && (failOn === 'warning' || severity === 'ERROR');
    return failOn !== 'never' && answer.data.some(isGrave) ? 1 : 0;
  },
};

const expect: Verb = {
  name: 'findings expect',
  group,
  summary: 'Announces that a rule is going to be broken on purpose.',
  args: [{ name: 'rule', meaning: 'The rule, as money.json-number.' }],
  options: [{ name: 'count', value: 'number', meaning: 'How many times.', usual: '1' }],
  examples: [
    'crossborder-sandbox findings expect money.json-number',
    'crossborder-sandbox findings expect money.json-number --count 2',
    'crossborder-sandbox findings expect money.json-number --json',
  ],
  calls: ['POST /_sandbox/findings/expect'],
  run: async ({ world, args, given, out, signal }) => {
    const rule = args[0]! as FindingRule;
    const known: readonly string[] = [...ruleIds, ...hintIds];
    if (!known.includes(rule)) throw new UsageError(`"${rule}" is no rule${didYouMean(rule, known) || '.'}`);
    const announced = await world.expectFinding(rule, whole(given.text('count') ?? '1', '--count', 1000), { signal });
    out.show(announced, [`${announced.rule} is expected, so often: ${announced.count}`]);
  },
};

const clear: Verb = {
  name: 'findings clear',
  group,
  summary: 'Forgets all findings and all coverage of a world.',
  examples: [
    'crossborder-sandbox findings clear',
    'crossborder-sandbox findings clear --world default',
    'crossborder-sandbox findings clear && crossborder-sandbox findings',
  ],
  calls: ['DELETE /_sandbox/findings'],
  run: async ({ world, out, signal }) => {
    await world.clearFindings({ signal });
    out.remark(`The findings of world ${world.name} are forgotten.`);
  },
};

const coverage: Verb = {
  name: 'coverage',
  group,
  summary: 'Shows which part of the API the client of a world has met.',
  options: [
    { name: 'tier', value: 'tier', meaning: 'What to show: core, all, ….', usual: 'all' },
    { name: 'missing', meaning: 'List what is missing, and how to come by it.' },
  ],
  examples: ['crossborder-sandbox coverage', 'crossborder-sandbox coverage --tier core --missing', 'crossborder-sandbox coverage --json'],
  calls: ['GET /_sandbox/coverage'],
  run: async ({ control, given, out, signal }) => {
    const tier = given.text('tier');
    const query = { ...(tier === undefined ? {} : { tier: tier as never }), ...(given.has('missing') ? { missing: 'true' as const } : {}) };
    const answer = await answered(control.GET('/_sandbox/coverage', { params: { query }, signal }));
    const { met, total, percent, dimensions } = answer;
    const rows = Object.entries(dimensions).map(([name, each]) => [`  ${name}`, `${each.met} of ${each.total}`, `${each.percent} %`]);
    const missing = Object.entries(dimensions).flatMap(([name, { items }]) => items.map(({ id, how }) => `  ${name} ${id}: ${how ?? ''}`));
    out.show(answer, [`${met} of ${total} met, ${percent} %, of ${answer.tier}`, ...table(rows), ...(given.has('missing') ? missing : [])]);
  },
};

/** A certification profile: the name of a shipped one, or what stands in a file, or the standard input, as YAML or JSON. @throws UsageError */
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

/** How many findings a job of GitHub Actions shows as its mistakes. */
const maxShownErrors = 10;

const report: Verb = {
  name: 'report',
  group,
  summary:
    'Judges what the clients of worlds did, and ends with 0 when they passed, 1 when they failed, 4 when there is too little to judge by.',
  options: [
    {
      name: 'profile',
      value: 'name|file',
      meaning: 'A certification profile that is shipped, or one of your own: a file of YAML or JSON.',
    },
    {
      name: 'format',
      value: formats.join('|'),
      meaning: 'How to write it; without it, a few lines. A job of GitHub Actions gets the Markdown in its summary besides.',
    },
    { name: 'out', value: 'file', meaning: 'Where to write it, instead of the standard output.' },
    { name: 'fail-on', value: 'error|warning|never', meaning: 'Which findings fail it; what the profile says unless told otherwise.' },
    {
      name: 'worlds',
      value: 'names',
      meaning: 'The worlds, with commas between; * stands for any letters.',
      usual: 'that of --world, or all',
    },
    { name: 'tier', value: 'tier', meaning: 'Which coverage to show, where the profile asks for none.', usual: 'core' },
    { name: 'final', meaning: 'Nothing more comes: judge what only the end shows, too.' },
  ],
  examples: [
    'crossborder-sandbox report --fail-on never',
    'crossborder-sandbox report --format markdown --fail-on never > summary.md',
    'crossborder-sandbox report --worlds default --fail-on never --json',
  ],
  exits: { 1: 'failed', 4: 'too little to judge by' },
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
    else out.show(judged, [...lines, ...judged.findings.flatMap((each) => findingLines(out, each))]);
    const summary = environment['GITHUB_STEP_SUMMARY'] ?? '';
    if (summary !== '') {
      const isGrave = ({ state, label, severity }: Finding) =>
        state === 'NEW' && label === 'CERTAIN' && (severity === 'ERROR' || failOn === 'warning');
      const grave = judged.findings.filter(isGrave).slice(0, maxShownErrors);
      for (const { rule, title, advice } of grave) out.remark(githubError(`${title}\n${advice}`, { title: rule }));
      // Markdown on the standard output is most likely on its way there.
      const markdown = format === 'markdown' && file === undefined ? '' : await sandbox.reportText('markdown', worlds, query);
      toFile(summary, (at) => appendFileSync(at, markdown));
    }
    return judged.exitCode;
  },
};

/** Verbs that judge. */
export const verdictVerbs: readonly Verb[] = [findings, expect, clear, coverage, report];
