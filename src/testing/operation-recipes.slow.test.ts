import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { controlRoutes } from '../contract/control/routes.js';
import { describeSettings, readSettings } from '../server/options.js';
import { inLength } from './long-run.js';
import { root } from './root.js';
import { SandboxProcess, temporaryDirectory } from './process.js';

const run = promisify(execFile);
const recipes = join(root, 'docs/recipes');
const textOf = (file: string) => readFileSync(join(recipes, file), 'utf8');

let sandbox: SandboxProcess;
const directory = temporaryDirectory();
const programs = join(directory, 'bin');
beforeAll(async () => {
  sandbox = await SandboxProcess.start(['--data', 'memory', '--log-level', 'silent']);
  mkdirSync(programs);
  // Replaces npx by this build, and npm by a script that runs tests with the environment of a CI job.
  const tests = `
    const { PAYMENTS_URL: url, PAYMENTS_CLIENT_ID: clientId, PAYMENTS_CLIENT_SECRET: clientSecret } = process.env;
    const headers = { 'Content-Type': 'application/json' };
    const token = await fetch(url + '/api/oauth/client/token', { method: 'POST', headers, body: JSON.stringify({ clientId, clientSecret }) });
    const { accessToken } = await token.json();
    const accounts = await fetch(url + '/api/accounts', { headers: { Authorization: 'Bearer ' + accessToken } });
    console.log('tested', clientId, accounts.status);
    process.exitCode = Number(process.env.EXIT_CODE ?? 0);`;
  writeFileSync(join(directory, 'tests.mjs'), tests);
  const script = (name: string, text: string) => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  script('npx', `shift; exec "${process.execPath}" "${join(root, 'dist/main.cjs')}" "$@"`);
  script('npm', `[ "$1" = ci ] || exec "${process.execPath}" "${join(directory, 'tests.mjs')}"`);
});
afterAll(async () => {
  await sandbox.end('SIGTERM');
  rmSync(directory, { recursive: true });
});

/** Runs a script as a CI job does: the first error ends it. @returns its output */
async function shell(script: string, environment: Record<string, string>): Promise<string> {
  const env = { PATH: `${programs}:${process.env['PATH']}`, ...environment };
  const { stdout, stderr } = await run('bash', ['-eo', 'pipefail', '-c', script], { cwd: directory, env });
  return stdout + stderr;
}

interface Job {
  readonly services: { readonly sandbox: { readonly ports: string[]; readonly env: Record<string, string> } };
  readonly env: Record<string, string>;
  readonly steps: readonly { readonly run?: string }[];
}

it('github-actions.yml creates a world, runs tests with forwarded webhooks, and writes a summary', async () => {
  const { test } = (parse(textOf('github-actions.yml')) as { jobs: { test: Job } }).jobs;
  expect([test.services.sandbox.ports, test.env['SANDBOX_URL']]).toEqual([['4010:4010'], 'http://127.0.0.1:4010']);
  const [file, summary] = [join(directory, 'github.env'), join(directory, 'summary.md')];
  const world = test.env['SANDBOX_WORLD']!.replaceAll(/\$\{\{ github\.(\w+) \}\}/g, '7');
  const environment = { SANDBOX_URL: sandbox.url, SANDBOX_WORLD: world, GITHUB_ENV: file, GITHUB_STEP_SUMMARY: summary };
  let printed = '';
  for (const { run: lines } of test.steps) {
    const set = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    const known = Object.fromEntries(set.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
    if (lines !== undefined) printed += await shell(lines, { ...environment, ...known });
  }
  expect(printed).toMatch(/READY: .*localhost:3000\/webhooks.*\n/);
  expect(printed).toContain('tested client-run-7-7 200');
  expect(readFileSync(summary, 'utf8')).toContain('run-7-7');
});

it.each(inLength([3], [0, 3]))(
  'gitlab-ci.yml creates a world, runs tests with forwarded webhooks, and writes a report, for tests that exit with %i',
  async (code) => {
    const { test } = parse(textOf('gitlab-ci.yml')) as {
      test: { before_script: string[]; script: string[]; variables: Record<string, string>; artifacts: { reports: { junit: string } } };
    };
    expect(test.variables['SANDBOX_URL']).toBe('http://sandbox:4010');
    const environment = {
      EXIT_CODE: `${code}`,
      SANDBOX_URL: sandbox.url,
      SANDBOX_WORLD: test.variables['SANDBOX_WORLD']!.replace('$CI_JOB_ID', `8${code}`),
    };
    const report = join(directory, test.artifacts.reports.junit);
    rmSync(report, { force: true });
    const ended = await shell([...test.before_script, ...test.script].join('\n'), environment).then(
      (printed) => ({ code: 0, printed }),
      (error: unknown) => {
        const { code: exitCode, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
        return { code: exitCode, printed: stdout + stderr };
      },
    );
    expect(ended).toEqual({ code, printed: expect.stringContaining(`tested client-job-8${code} 200`) });
    expect(readFileSync(report, 'utf8')).toContain('<testsuite');
  },
);

/** The checked parts of a StatefulSet. */
interface StatefulSpec {
  serviceName: string;
  template: { spec: { containers: { ports: object[]; env: { name: string; value?: string }[] }[] } };
}

describe('the recipes', () => {
  const files = readdirSync(recipes, { recursive: true, encoding: 'utf8' }).filter((each) => /\.(ya?ml|java|py|go|mjs|php)$/.test(each));
  /** Variables of clients, CI jobs and compose.yaml, and those that `explore` and `replay` give to a journey, a test or an application. */
  const named = 'URL CONTROL_URL WORLD IMAGE SOURCE CLIENT_ID CLIENT_SECRET JOURNEY_REF REPLAY_DIR REPLAY_WORLD'
    .split(' ')
    .map((name) => `SANDBOX_${name}`);
  const known = new Set([...(describeSettings().match(/SANDBOX_[A-Z_]+/g) ?? []), ...named]);

  it.each(files)('name only variables and paths that exist: %s', (file) => {
    const text = textOf(file);
    const variables = [...text.matchAll(/\bSANDBOX_[A-Z_]+/g)].map(([name]) => name);
    expect(variables.filter((each) => !known.has(each))).toEqual([]);
    const paths = [...text.matchAll(/\/_sandbox\/[a-z/-]+/g)].map(([path]) => path);
    const hasRoute = (path: string) =>
      controlRoutes.some(
        (route) => route.path === path || route.path.startsWith(`${path}/`) || path.startsWith(route.path.replace(/\{.*/, '')),
      );
    expect(paths.filter((each) => !hasRoute(each))).toEqual([]);
  });

  it('include an alerts.yml that uses only metrics of the sandbox', async () => {
    const shown = await (await fetch(`${sandbox.url}/metrics`)).text();
    const { groups } = parse(textOf('alerts.yml')) as { groups: { rules: { expr: string }[] }[] };
    const asked = groups.flatMap(({ rules }) => rules.flatMap(({ expr }) => expr.match(/\bsandbox_\w+/g) ?? []));
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter((each) => !new RegExp(`^# TYPE ${each.replace(/_bucket$/, '')} `, 'm').test(shown))).toEqual([]);
    const outcomes = asked.length === 0 ? [] : (textOf('alerts.yml').match(/outcome="(\w+)"/g) ?? []);
    expect(outcomes.filter((each) => !shown.includes(each))).toEqual([]);
  });

  it('give each node of a database its own URL', () => {
    interface Node {
      environment: Record<string, string>;
    }
    const { services, configs } = parse(textOf('hosted-compose.yaml'), { merge: true }) as {
      services: Record<string, Node>;
      configs: { nginx: { content: string } };
    };
    expect(configs.nginx.content).toMatch(/location = \/metrics \{\s+return 404;/); // /metrics shows data of all partners.
    const nodes = Object.entries(services).filter(([name]) => name.startsWith('node-'));
    const urls = nodes.map(([, { environment }]) => environment['SANDBOX_NODE_URL']);
    expect(urls).toEqual(nodes.map(([name]) => `http://${name}:4010`));
    expect(urls.length).toBe(3);
    for (const [, { environment }] of nodes) expect(() => readSettings([], environment).DATA).not.toThrow();
    const [set, ...others] = parseAllDocuments(textOf('hosted-kubernetes.yaml'))
      .map((each) => each.toJS() as { kind: string; metadata: { name: string }; spec: StatefulSpec })
      .filter(({ kind }) => kind === 'StatefulSet' || kind === 'Service')
      .toSorted((a, b) => b.kind.localeCompare(a.kind));
    const { serviceName, template } = set!.spec;
    expect(others.find(({ metadata }) => metadata.name === serviceName)?.spec).toMatchObject({ clusterIP: 'None' });
    const [container] = template.spec.containers;
    const env = container!.env.map(({ name }) => name);
    expect(env.indexOf('POD_NAME')).toBeLessThan(env.indexOf('SANDBOX_NODE_URL')); // Kubernetes inserts only the variables of preceding lines.
    expect(container!.env.find(({ name }) => name === 'SANDBOX_NODE_URL')?.value).toBe(`http://$(POD_NAME).${serviceName}:4010`);
    expect(container!.ports).toEqual([{ name: 'api', containerPort: 4010 }]);
  });

  it('include a compose.yaml and a kubernetes.yaml that use the volume and ports of the image', () => {
    const image = readFileSync(join(root, 'Dockerfile'), 'utf8');
    const { services } = parse(textOf('compose.yaml')) as { services: { sandbox: { volumes: string[]; ports: string[] } } };
    expect(image).toMatch(/^VOLUME \/data$/m);
    expect(image).toMatch(/^EXPOSE 4010$/m);
    expect(services.sandbox.volumes[0]).toMatch(/:\/data$/);
    expect(services.sandbox.ports).toEqual(['127.0.0.1:4010:4010']);
    const deployment = parseAllDocuments(textOf('kubernetes.yaml'))
      .map((each) => each.toJS() as { kind: string })
      .find(({ kind }) => kind === 'Deployment') as unknown as {
      spec: {
        template: {
          spec: {
            containers: {
              ports: { name: string; containerPort: number }[];
              env: { name: string; value?: string }[];
              volumeMounts: { mountPath: string }[];
            }[];
          };
        };
      };
    };
    const [container] = deployment.spec.template.spec.containers;
    expect(container!.volumeMounts).toMatchObject([{ mountPath: '/data' }]);
    const controlPort = container!.env.find(({ name }) => name === 'SANDBOX_CONTROL_PORT')!.value;
    expect(container!.ports).toEqual([
      { name: 'api', containerPort: 4010 },
      { name: 'control', containerPort: Number(controlPort) },
    ]);
  });
});
