import { answered, defined } from '../../client/caller.js';
import type { ActiveScenario, Fault, FaultRequest, InlineScenario, ScenarioCheck } from '../../client/types.js';
import { UsageError } from '../failure.js';
import { githubLine } from '../github.js';
import { table, type Columns } from '../output.js';
import { callsOf, documentCall, eventIn, publicDocument } from '../public-document.js';
import { assigned, assignment, dataOf, oneOf, textOf, wholeNumber } from '../values.js';
import type { OptionValues, Invocation, Verb } from '../verb.js';

const group = 'scenarios';

const list: Verb = {
  name: 'scenario list',
  group,
  summary: 'List the available scenarios, and the errors of invalid files.',
  examples: ['crossborder-sandbox scenario list', 'crossborder-sandbox scenario list --json', 'crossborder-sandbox scenario list --quiet'],
  calls: ['GET /_sandbox/scenarios'],
  run: async ({ sandbox, out, signal }) => {
    const answer = await sandbox.scenarios({ signal });
    const columns: Columns<(typeof answer.data)[number]> = { name: (each) => each.name, summary: (each) => each.summary };
    out.list(answer.data, columns, (each) => each.name, 'There are no scenarios.');
    for (const each of answer.files.flatMap(({ errors }) => errors)) out.note(mistakeLine(each));
  },
};

function showScenario({ out }: Invocation, active: ActiveScenario): void {
  const { name, summary, rules } = active;
  const rows = rules.map(({ hits, matches, on, name: rule, scenario }) => [`  ${hits} of ${matches}`, on, rule, scenario]);
  out.show(active, [`${name}: ${summary}`, ...table(rows)], [name]);
}

const show: Verb = {
  name: 'scenario show',
  group,
  summary: 'Show a scenario. The active one is shown with the hits of its rules.',
  args: [{ name: 'name', meaning: 'Name of a scenario. Default: the active one.', isOptional: true }],
  examples: ['crossborder-sandbox scenario show', 'crossborder-sandbox scenario show default', 'crossborder-sandbox scenario show --json'],
  calls: ['GET /_sandbox/scenario', 'GET /_sandbox/scenarios'],
  run: async (invocation) => {
    const { sandbox, world, args, out, signal } = invocation;
    const [name] = args;
    if (name === undefined) return showScenario(invocation, await world.scenario.get({ signal }));
    const { data, files } = await sandbox.scenarios({ signal });
    const found = data.find((each) => each.name === name);
    if (!found) throw new UsageError(`There is no scenario "${name}". crossborder-sandbox scenario list shows all.`);
    const from = files.filter(({ scenario }) => scenario === name).map(({ file }) => `  ${file}`);
    out.show(
      found,
      [`${found.name}: ${found.summary}`, ...(found.extends === null ? [] : [`  extends ${found.extends}`]), ...from],
      [found.name],
    );
  },
};

const use: Verb = {
  name: 'scenario use',
  group,
  summary: 'Set the scenario of a world. Existing objects keep their scenario.',
  args: [{ name: 'name', meaning: 'Name of a scenario, @file with your own as JSON, or - for standard input.' }],
  examples: [
    'crossborder-sandbox scenario use compliance-hold',
    'crossborder-sandbox scenario use manual --json',
    'crossborder-sandbox scenario use default && crossborder-sandbox scenario show',
  ],
  calls: ['PUT /_sandbox/scenario'],
  run: async (invocation) => {
    const { world, args, signal } = invocation;
    const [name = ''] = args;
    const isOwn = name === '-' || name.startsWith('@');
    const scenario = isOwn ? ((await dataOf(name, 'The scenario', invocation)) as InlineScenario) : name;
    const active = await world.scenario.use(scenario, { signal });
    invocation.out.show(active, [`World ${world.name} uses ${active.name}: ${active.summary}`], [active.name]);
  },
};

interface Mistake {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const mistakeLine = ({ file, line, column, message }: Mistake) => `${file}:${line}:${column}: ${message}`;
const formats = {
  text: mistakeLine,
  github: ({ file, line, column, message }: Mistake) => githubLine('error', message, { file, line, col: column }),
};

/** Checks files, each among the scenarios of its directory. @returns a result for each file */
async function checked(files: readonly string[], invocation: Invocation): Promise<ScenarioCheck[]> {
  const { checkFile } = await import('../start.js');
  const texts = await Promise.all(files.map((file) => textOf(file, invocation)));
  return Promise.all(texts.map((text, index) => checkFile(text, files[index]!)));
}

const check: Verb = {
  name: 'scenario check',
  group,
  summary: 'Check scenario files. This needs no running sandbox.',
  args: [{ name: 'file', meaning: 'Files to check, or - for standard input.', isMany: true }],
  options: [{ name: 'format', value: 'text|github', meaning: 'Output format of the errors.', usual: 'text' }],
  examples: [
    'crossborder-sandbox scenario check scenarios/default.yaml',
    'crossborder-sandbox scenario check scenarios/default.yaml scenarios/manual.yaml --format github',
    'crossborder-sandbox scenario check scenarios/manual.yaml --json',
  ],
  exits: { 1: 'a file has errors' },
  calls: ['POST /_sandbox/scenarios/check'],
  run: async (invocation) => {
    const { args, given, out } = invocation;
    const format = oneOf(given.text('format') ?? 'text', '--format', ['text', 'github']);
    const answers = await checked(args, invocation);
    const mistakes = answers.flatMap((each) => each.errors);
    out.show(answers.length === 1 ? answers[0] : answers, mistakes.map(formats[format]));
    if (mistakes.length > 0) return 1;
    for (const warning of answers.flatMap((each) => each.warnings)) out.remark(`warning: ${mistakeLine(warning)}`);
    out.remark(`${args.length === 1 ? 'The file is' : `All ${args.length} files are`} valid.`);
  },
};

const tryOut: Verb = {
  name: 'scenario try',
  group,
  summary: 'Show which rules of a file past requests and payments would match.',
  args: [{ name: 'file', meaning: 'A scenario file, or - for standard input.' }],
  examples: [
    'crossborder-sandbox scenario try scenarios/manual.yaml',
    'crossborder-sandbox scenario try scenarios/compliance-hold.yaml --json',
    'crossborder-sandbox scenario try scenarios/manual.yaml --world default',
  ],
  exits: { 1: 'the file has errors' },
  calls: ['POST /_sandbox/scenario/trial'],
  run: async (invocation) => {
    const { world, args, out, signal } = invocation;
    const [file = '-'] = args;
    const result = await world.scenario.try(await textOf(file, invocation), file, { signal });
    const rows = result.data.map(({ on, at, rule, scenario, summary }) => [
      `  ${on}`,
      at,
      summary,
      rule === null ? 'no rule' : `${rule} (${scenario})`,
    ]);
    const lines = table(rows).flatMap((line, index) => [line, ...result.data[index]!.missed.map((each) => `    ${each}`)]);
    out.show(result, result.valid ? lines : result.errors.map(mistakeLine));
    return result.valid ? 0 : 1;
  },
};

const faultColumns: Columns<Fault> = {
  id: (each) => each.id,
  on: (each) => each.on,
  when: (each) => (Object.keys(each.when ?? {}).length === 0 ? 'always' : JSON.stringify(each.when)),
  effect: (each) => JSON.stringify(each.effect),
  times: (each) => (each.times === null ? 'unlimited' : String(each.times)),
};

/** Returns the trigger and the condition of `--on`: an operation id, an event type, or every request or delivery. @throws UsageError */
async function triggerOf(on: string, invocation: Invocation): Promise<Pick<FaultRequest, 'on' | 'when'>> {
  const every = (['REQUEST', 'DELIVERY'] as const).find((each) => each === on.toUpperCase());
  if (every !== undefined) return { on: every };
  const document = await publicDocument(invocation);
  if (/^[A-Z_]+$/.test(on)) {
    eventIn(document, on);
    return { on: 'DELIVERY', when: { eventType: on } };
  }
  callsOf(document, on, '--on');
  return { on: 'REQUEST', when: { operationId: on } };
}

/** Returns the effect of the options; a name without a value means true. @throws UsageError */
function effectOf(given: OptionValues): Record<string, unknown> {
  const status = given.text('status');
  const named = given.all('effect').map((each) => assignment(each.includes('=') ? each : `${each}:=true`, '--effect'));
  return {
    ...defined({ code: given.text('code'), delay: given.text('delay') }),
    ...(status === undefined ? {} : { status: wholeNumber(status, '--status', 599) }),
    ...assigned(named),
  };
}

/** Returns the fault of the options. @throws UsageError */
async function faultOf(invocation: Invocation): Promise<FaultRequest> {
  const { given } = invocation;
  const [data, on, times, phase] = [given.text('data'), given.text('on'), given.text('times'), given.text('phase')];
  if (data !== undefined) return (await dataOf(data, '--data', invocation)) as FaultRequest;
  if (on === undefined)
    throw new UsageError(
      '--on is missing. Name what to disturb, for example --on createWithdrawal --status 503 --times 1, or give --data.',
    );
  const effect = effectOf(given);
  if (Object.keys(effect).length === 0)
    throw new UsageError('The effect is missing. Add --status 503, --delay 5s, or --effect connectionReset.');
  const fault = {
    ...(await triggerOf(on, invocation)),
    ...(times === undefined ? {} : { times: wholeNumber(times, '--times', 1_000_000) }),
    ...(phase === undefined ? {} : { phase: oneOf(phase, '--phase', ['before', 'after_commit']) }),
    effect,
  };
  return fault;
}

const addFault: Verb = {
  name: 'fault add',
  group,
  summary: 'Inject a fault: a rejected request, a lost response, a late or forged webhook.',
  options: [
    { name: 'on', value: 'what', meaning: 'Operation id, event type, or REQUEST or DELIVERY for all.' },
    { name: 'status', value: 'status', meaning: 'Respond with this HTTP status, for example 503.' },
    { name: 'code', value: 'code', meaning: 'Respond with this error code.', usual: 'the usual code of the status' },
    { name: 'delay', value: 'duration', meaning: 'Delay the request, or the webhook.' },
    {
      name: 'effect',
      value: 'effect',
      meaning: 'Another effect: connectionReset, drop, corruptSignature, duplicate:=1, slowBody=2s, ….',
      isMany: true,
    },
    { name: 'phase', value: 'phase', meaning: 'before or after_commit: whether the request takes effect first.' },
    { name: 'times', value: 'number', meaning: 'Number of requests or deliveries.', usual: 'unlimited' },
    { name: 'data', value: 'json|@file', meaning: 'The fault as JSON instead; - reads it from standard input.' },
  ],
  examples: [
    'crossborder-sandbox fault add --on createWithdrawal --status 503 --times 1',
    'crossborder-sandbox fault add --on createWithdrawal --effect connectionReset --phase after_commit --times 1 --json',
    'crossborder-sandbox fault add --on OPERATION_COMPLETED --effect corruptSignature --times 2 --quiet | crossborder-sandbox fault remove -',
  ],
  calls: ['POST /_sandbox/faults', documentCall],
  run: async (invocation) => {
    const { world, out, signal } = invocation;
    const { rule } = await world.fault(await faultOf(invocation), { signal });
    out.show(rule, [`FAULT ${rule.id} on ${rule.on}, effect ${JSON.stringify(rule.effect)}`], [rule.id]);
  },
};

const listFaults: Verb = {
  name: 'fault list',
  group,
  summary: 'List the active faults.',
  examples: ['crossborder-sandbox fault list', 'crossborder-sandbox fault list --json', 'crossborder-sandbox fault list --quiet'],
  calls: ['GET /_sandbox/faults'],
  run: async ({ control, out, signal }) => {
    const answer = await answered(control.GET('/_sandbox/faults', { signal }));
    out.list(answer.data, faultColumns, (each) => each.id, 'No faults are active.');
  },
};

export const scenarioVerbs: readonly Verb[] = [list, show, use, check, tryOut, addFault, listFaults];
