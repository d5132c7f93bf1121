// Renders the Helm chart with its own values: it must give what the Kubernetes recipe has, but for the secret, which the operator creates.
import { deepStrictEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';

const chart = 'docs/recipes/chart';
const succeeds = (command, ...args) => spawnSync(command, args).status === 0;

function run(command, args, input) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', input });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}.\n${stdout}${stderr}`);
  return stdout;
}

/** Returns the documents of a text by kind and name. Throws if a document is not valid YAML. */
const documentsIn = (text) =>
  Object.fromEntries(
    parseAllDocuments(text).map((document) => {
      if (document.errors.length > 0) throw document.errors[0];
      const value = document.toJS();
      return [`${value.kind} ${value.metadata.name}`, value];
    }),
  );

const hasHelm = succeeds('helm', 'version');

/** Renders the chart with changed values, by Helm or by the template engine that it uses. */
function rendered(changed = {}) {
  const values = { ...parse(readFileSync(`${chart}/values.yaml`, 'utf8')), ...changed };
  if (hasHelm) return run('helm', ['template', 'sandbox', chart, '--values', '-'], JSON.stringify(values));
  return run(
    'go',
    ['run', '.ci/render-chart.go', `${chart}/templates/sandbox.yaml`],
    JSON.stringify({ Values: values, Release: { Name: 'sandbox' } }),
  );
}

if (!hasHelm && !succeeds('go', 'version')) {
  console.log('chart: not checked, since neither helm nor go is installed');
  process.exit(0);
}
if (hasHelm) run('helm', ['lint', '--strict', chart]);
const { 'Secret sandbox': _secret, ...recipe } = documentsIn(readFileSync('docs/recipes/hosted-kubernetes.yaml', 'utf8'));
deepStrictEqual(documentsIn(rendered()), recipe);
// Values that are no plain words of YAML stay what they are.
const { 'StatefulSet sandbox': set } = documentsIn(
  rendered({ host: 'a: "b" # c', settings: { SANDBOX_WORLD_ROWS: 5000, SANDBOX_LOG_LEVEL: 'no' } }),
);
const { env } = set.spec.template.spec.containers[0];
const valueOf = (name) => env.find((each) => each.name === name).value;
deepStrictEqual(
  [valueOf('SANDBOX_ALLOWED_HOSTS'), valueOf('SANDBOX_WORLD_ROWS'), valueOf('SANDBOX_LOG_LEVEL')],
  ['a: "b" # c', '5000', 'no'],
);
console.log(`chart: good, rendered by ${hasHelm ? 'helm' : 'text/template (helm is not installed)'}`);
