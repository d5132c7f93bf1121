import { dirname } from 'node:path';
import { answered, throwingClient } from '../../client/caller.js';
import type { ActiveScenario, Fault, FaultRequest, InlineScenario, ScenarioCheck } from '../../client/types.js';
import { UsageError } from '../failure.js';
import { githubLine } from '../github.js';
import { idMeaning, idsOf } from '../ids.js';
import { table } from '../output.js';
import { dataOf, oneOf, textOf } from '../values.js';
import type { Invocation, Verb } from '../verb.js';

const group = 'scenarios';

const list: Verb = {
  name: 'scenario list',
  group,
  summary: 'List the available scenarios, and the errors of invalid files.',
  examples: ['crossborder-sandbox scenario list', 'crossborder-sandbox scenario list --json', 'crossborder-sandbox scenario list --quiet'],
  calls: ['GET /_sandbox/scenarios'],
  run: async ({ sandbox, out, signal }) => {
    const answer = await sandbox.scenarios({ signal });
    const mistakes = answer.files.flatMap((each) => each.errors);
    const names = answer.data.map(({ name }) => name);
    out.show(answer, [...table(answer.data.map(({ name, summary }) => [name, summary])), ...mistakes.map(mistakeLine)], names);
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
  summary: 'Set the scenario of a world. Existing objects keep theirs.',
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
    showScenario(invocation, await world.scenario.use(scenario, { signal }));
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

/** Checks files in a temporary sandbox that loads the scenarios of the same directory. @returns a result for each file */
async function checked(files: readonly string[], invocation: Invocation): Promise<ScenarioCheck[]> {
  const { startInProcess } = await import('../start.js');
  const texts = await Promise.all(files.map((file) => textOf(file, invocation)));
  const [first = '-'] = files;
  const local = await startInProcess(first === '-' ? {} : { scenariosDir: dirname(first) });
  try {
    const { url, controlUrl } = local;
    const client = throwingClient({ url, controlUrl, token: null, timeoutMs: 60_000, fetch: (request) => local.fetch(request) });
    return await Promise.all(
      texts.map((text, index) => answered(client.POST('/_sandbox/scenarios/check', { body: { text, file: files[index]! } }))),
    );
  } finally {
    await local.close();
  }
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

function faultLine(fault: Fault): string {
  const { id, on, ...rest } = fault;
  return `${id} ${on} ${JSON.stringify(rest)}`;
}

const addFault: Verb = {
  name: 'fault add',
  group,
  summary: 'Inject a fault: a rejected request, a lost response, a late or forged webhook.',
  options: [{ name: 'data', value: 'json|@file', meaning: 'The fault; - reads it from standard input.' }],
  examples: [
    `crossborder-sandbox fault add --data '{"on":"REQUEST","times":1,"effect":{"status":503,"code":"SERVICE_UNAVAILABLE"}}'`,
    `crossborder-sandbox fault add --data '{"on":"REQUEST","when":{"operationId":"createWithdrawal"},"times":1,"effect":{"status":503,"code":"SERVICE_UNAVAILABLE"}}' --json`,
    `crossborder-sandbox fault add --data '{"on":"DELIVERY","times":2,"effect":{"corruptSignature":true}}' --quiet | crossborder-sandbox fault remove -`,
  ],
  calls: ['POST /_sandbox/faults'],
  run: async (invocation) => {
    const { world, given, out, signal } = invocation;
    const data = given.text('data');
    if (data === undefined) throw new UsageError('--data is missing. Give the fault as JSON, or @file.');
    const { rule } = await world.fault((await dataOf(data, '--data', invocation)) as FaultRequest, { signal });
    out.show(rule, [faultLine(rule)], [rule.id]);
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
    out.show(
      answer,
      answer.data.map(faultLine),
      answer.data.map(({ id }) => id),
    );
  },
};

const armed = `crossborder-sandbox fault add --data '{"on":"REQUEST","effect":{"status":503,"code":"SERVICE_UNAVAILABLE"}}'`;
const removeFault: Verb = {
  name: 'fault remove',
  group,
  summary: 'Remove faults.',
  args: [{ name: 'id', meaning: idMeaning('fault') }],
  examples: [
    `${armed} && crossborder-sandbox fault remove @last`,
    `${armed} --quiet | crossborder-sandbox fault remove -`,
    `${armed} && crossborder-sandbox fault list --quiet | crossborder-sandbox fault remove -`,
  ],
  calls: ['DELETE /_sandbox/faults/{faultId}', 'GET /_sandbox/faults'],
  run: async (invocation) => {
    const { control, args, out, signal } = invocation;
    for (const faultId of await idsOf(args[0]!, 'fault', invocation)) {
      await answered(control.DELETE('/_sandbox/faults/{faultId}', { params: { path: { faultId } }, signal }));
      out.remark(`Removed fault ${faultId}.`);
    }
  },
};

export const scenarioVerbs: readonly Verb[] = [list, show, use, check, addFault, listFaults, removeFault];
