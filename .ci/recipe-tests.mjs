// Runs the recipes for tests in other languages, each with a new sandbox: their tests pass, and a failing test shows the story of its
// world. Skips a language without its tools. All languages, or those that are named: node .ci/recipe-tests.mjs go phpunit
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'yaml';

const main = resolve('dist/main.cjs');
const place = mkdtempSync(join(tmpdir(), 'recipe-tests-'));
const junit = process.env.JUNIT_CONSOLE ?? '/usr/share/java/junit-platform-console-standalone.jar';

/** The environment without the variables that name another sandbox or make a runner write files. */
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(SANDBOX_|CI$|GITHUB_|CI_)/.test(name))),
  PYTHONDONTWRITEBYTECODE: '1',
};

const succeeds = (command, ...args) => spawnSync(command, args, { env: environment }).status === 0;

/** Runs a command. @returns its output. @throws Error if it does not end with the expected code */
function run(cwd, env, code, command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env: { ...environment, ...env }, encoding: 'utf8' });
  if (status !== code)
    throw new Error(`${command} ${args.join(' ')} ended with ${status}, expected ${code}.\n${error ?? ''}${stdout}${stderr}`);
  return stdout + stderr;
}

/** The lines that the story of the failing tests must have. Their amount makes the payment fail. */
const story =
  /POST \/api\/operations\/withdrawal: 201\n.*OPERATION REQUESTED\n(.*\n)+.*PROCESSING to FAILED \(BENEFICIARY_BANK_REJECTED\)\n.*, FROZEN, timers waiting: 0/;

const python = [process.env.PYTHON, 'python3', '/usr/bin/python3'].find((each) => each && succeeds(each, '-m', 'pytest', '--version'));

/** Each language: why it is skipped here (false if it is not), how its tests run, and a test that fails. */
const languages = {
  python: {
    missing: !python && 'no python3 has the module pytest',
    test: (cwd, env, code) =>
      run(cwd, { ...env, PYTHONPATH: 'installed' }, code, python, '-W', 'error', '-m', 'pytest', ...pytestOptions(cwd)),
    failing: [
      'tests/test_failing.py',
      `from test_payouts import payee, payouts


def test_fails(world, payouts, payee):
    world.operation(payouts.pay(payee, "150.13")["id"]).run_to("COMPLETED")
`,
    ],
    more: checkPython,
  },
  go: {
    missing: !succeeds('go', 'version') && 'go is not installed',
    test: (cwd, env, code) => {
      if (code === 0) run(cwd, env, 0, 'go', 'vet', './...');
      const unformatted = run(cwd, env, 0, 'gofmt', '-l', '.');
      if (unformatted !== '') throw new Error(`gofmt would change ${unformatted}`);
      return run(cwd, env, code, 'go', 'test', '-count=1', './...');
    },
    failing: [
      'payouts/failing_test.go',
      `package payouts_test

import (
	"testing"

	"payouts/sandbox"
)

func TestFails(t *testing.T) {
	world := sandbox.NewWorld(t)
	id, err := pay(t, world, start(world), "150.13")
	if err != nil {
		t.Fatal(err)
	}
	world.RunTo(id, "COMPLETED")
}
`,
    ],
  },
  junit: {
    missing: (!succeeds('javac', '-version') && 'javac is not installed') || (!existsSync(junit) && `there is no ${junit}`),
    test: (cwd, env, code) => {
      const files = ['sandbox', 'payouts'].flatMap((each) => readdirSync(join(cwd, each)).map((file) => `${each}/${file}`));
      run(cwd, env, 0, 'javac', '-d', 'classes', '-cp', junit, ...files);
      const options = ['--scan-class-path', '--disable-banner', '--disable-ansi-colors', '--fail-if-no-tests'];
      return run(cwd, env, code, 'java', '-jar', junit, '--class-path', 'classes', ...options);
    },
    failing: [
      'payouts/FailingTest.java',
      `package payouts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import sandbox.SandboxExtension;
import sandbox.World;

@ExtendWith(SandboxExtension.class)
class FailingTest {
    @Test
    void fails(World world) throws Exception {
        world.runTo(PayoutsTest.pay(world, PayoutsTest.start(world), "150.13"), "COMPLETED");
    }
}
`,
    ],
  },
  phpunit: {
    missing: !succeeds('phpunit', '--version') && 'phpunit is not installed',
    test: (cwd, env, code) => run(cwd, env, code === 0 ? 0 : 2, 'phpunit', '--do-not-cache-result', '--fail-on-warning', '.'),
    failing: [
      'FailingTest.php',
      `<?php

foreach (['Payouts', 'UsesWorld', 'World'] as $name) {
    require_once __DIR__ . "/$name.php";
}

final class FailingTest extends PHPUnit\\Framework\\TestCase
{
    use UsesWorld;

    public function testFails(): void
    {
        $world = $this->world();
        $app = new Payouts($world->url, $world->clientId, $world->clientSecret);
        $world->runTo($app->pay($world->list('beneficiaries', 'status[eq]=APPROVED')[0], '150.13'), 'COMPLETED');
    }
}
`,
    ],
  },
};

/** The plugin is loaded by its entry point if it is installed, otherwise by its name. */
function pytestOptions(cwd) {
  const options = ['-p', 'no:cacheprovider', 'tests'];
  return existsSync(join(cwd, 'installed')) ? options : ['-p', 'crossborder_sandbox_pytest.plugin', ...options];
}

/** Checks what only the plugin for pytest does: it starts a sandbox, writes replay files, and works in the pipeline without Node.js. */
function checkPython(cwd, url) {
  const { test, failing } = languages.python;
  writeFileSync(join(cwd, failing[0]), failing[1]);
  const programs = join(place, 'bin');
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(programs, 'crossborder-sandbox'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(join(programs, 'crossborder-sandbox'), 0o755);
  const shown = test(cwd, { PATH: `${programs}:${process.env.PATH}`, CI: 'true' }, 1);
  const [, file] = /npx crossborder-sandbox replay (\S+) --at-failure/.exec(shown) ?? [];
  if (!story.test(shown) || !file) throw new Error(`The output has no story, or no replay file.\n${shown}`);
  run(cwd, {}, 0, process.execPath, main, 'replay', file, '--check');
  rmSync(join(cwd, failing[0]));

  const { steps } = parse(readFileSync('docs/recipes/github-actions-python.yml', 'utf8')).jobs.test;
  const install = steps.findIndex((each) => each.run?.includes(' pip install '));
  // This machine has the plugin without an index of packages.
  const script = steps.flatMap((each, index) => (each.run === undefined || index === install ? [] : [each.run])).join('\n');
  const summary = join(place, 'summary.md');
  const ofPlugin = { PYTHONPATH: 'installed', PYTEST_ADDOPTS: pytestOptions(cwd).join(' ') };
  const pipeline = script.replaceAll('python3 ', `'${python}' `);
  run(cwd, { ...ofPlugin, SANDBOX_URL: url, GITHUB_STEP_SUMMARY: summary }, 0, 'bash', '-eo', 'pipefail', '-c', pipeline);
  if (!readFileSync(summary, 'utf8').includes('PASSED')) throw new Error('The summary of the pipeline has no verdict.');
}

/** Installs the plugin for pytest from a copy, as pip does, into a directory. Does nothing if this machine cannot build a wheel. */
function installPlugin(cwd) {
  if (!succeeds(python, '-c', 'import pip, setuptools')) return;
  cpSync(cwd, join(place, 'source'), { recursive: true });
  const options = ['--quiet', '--no-deps', '--no-index', '--no-build-isolation', '--target', join(cwd, 'installed')];
  run(place, {}, 0, python, '-m', 'pip', 'install', ...options, './source');
  rmSync(join(cwd, 'crossborder_sandbox_pytest'), { recursive: true }); // The tests use the installed one.
}

/** Starts a sandbox in memory. @returns its process and its URL */
async function startSandbox() {
  const args = [main, '--port', '0', '--data', 'memory', '--log-level', 'warn'];
  const sandbox = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: environment });
  const url = await new Promise((found, failed) => {
    createInterface({ input: sandbox.stdout }).on('line', (line) => line.includes('Base URL') && found(line.trim().split(/\s+/).at(-1)));
    sandbox.once('exit', (code) => failed(new Error(`The sandbox ended with ${code}.`)));
  });
  return { sandbox, url };
}

const named = process.argv.slice(2);
const unknown = named.filter((name) => !languages[name]);
if (unknown.length > 0) throw new Error(`There is no recipe ${unknown.join(', ')}. Expected: ${Object.keys(languages).join(', ')}.`);
try {
  for (const [name, { missing, test, failing, more }] of Object.entries(languages)) {
    if (named.length > 0 && !named.includes(name)) continue;
    if (missing) {
      console.log(`${name}: not run, since ${missing}`);
      continue;
    }
    const from = performance.now();
    const cwd = join(place, name);
    cpSync(join('docs/recipes', name), cwd, { recursive: true });
    if (name === 'python') installPlugin(cwd);
    const { sandbox, url } = await startSandbox();
    try {
      test(cwd, { SANDBOX_URL: url }, 0);
      // The runs of tests block this process for longer than the sandbox keeps an idle connection.
      const get = async (path) => (await fetch(`${url}/_sandbox${path}`, { headers: { connection: 'close' } })).json();
      const worlds = async () => (await get('/worlds')).data.map((each) => each.name);
      if ((await worlds()).join() !== 'default') throw new Error(`${name}: tests that passed left the worlds ${await worlds()}.`);
      // A test misuses the API on purpose, and says so.
      const { exitCode, findings } = await get('/report?final=true');
      if (exitCode !== 0 || findings.length === 0 || !findings.every(({ negative }) => negative))
        throw new Error(`${name}: the report has exit code ${exitCode} and the findings ${JSON.stringify(findings)}.`);
      writeFileSync(join(cwd, failing[0]), failing[1]);
      const shown = test(cwd, { SANDBOX_URL: url }, 1);
      rmSync(join(cwd, failing[0]));
      const kept = (await worlds()).find((each) => each !== 'default');
      if (!story.test(shown) || !shown.includes(`${url}/_sandbox/console/${kept}`))
        throw new Error(`${name}: no story of ${kept} in\n${shown}`);
      if (process.env.SHOW_OUTPUT) console.log(shown);
      more?.(cwd, url);
      const missed = test(cwd, { SANDBOX_URL: '', PATH: process.env.PATH }, 1);
      if (!missed.includes('SANDBOX_URL=http://127.0.0.1:4010')) throw new Error(`${name}: no advice without a sandbox in\n${missed}`);
    } finally {
      sandbox.kill();
    }
    console.log(`${name}: good, ${((performance.now() - from) / 1000).toFixed(1)} s`);
  }
} finally {
  rmSync(place, { recursive: true });
}
