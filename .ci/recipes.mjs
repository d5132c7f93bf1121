// Judges the recipes as those do who read them: the pipelines by their published schemas; what Prometheus and compose read, and the
// tests in other languages, by the tools of each, where they are installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const recipes = 'docs/recipes';
const place = mkdtempSync(join(tmpdir(), 'recipes-'));

/** Runs a command, quiet unless it fails. */
function run(cwd, command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}.\n${stdout}${stderr}`);
}

/** Checks a recipe. @param tool what it takes, where that may be missing: a command that succeeds when it is there */
function check(recipe, judge, tool) {
  const isMissing = tool !== undefined && spawnSync(tool, { shell: true }).status !== 0;
  if (!isMissing) judge(join(recipes, recipe));
  console.log(`${recipe}: ${isMissing ? `not checked, since "${tool}" fails here` : 'good'}`);
}

/** Parses Java, since what it imports is not there. */
const parseJava = `
import com.sun.source.util.JavacTask;
import javax.tools.*;
class Parse {
  public static void main(String[] files) throws Exception {
    var found = new DiagnosticCollector<JavaFileObject>();
    var compiler = ToolProvider.getSystemJavaCompiler();
    var manager = compiler.getStandardFileManager(found, null, null);
    ((JavacTask) compiler.getTask(null, manager, found, null, null, manager.getJavaFileObjects(files))).parse();
    found.getDiagnostics().forEach(System.err::println);
    System.exit(found.getDiagnostics().isEmpty() ? 0 : 1);
  }
}`;

try {
  const workflows = ['ci.yml', 'release.yml'].map((each) => `../../.github/workflows/${each}`);
  for (const workflow of ['github-actions.yml', 'github-actions-python.yml', ...workflows])
    check(workflow, (file) =>
      run(
        '.',
        'npx',
        '--yes',
        '--package',
        '@action-validator/core@0.6.0',
        '--package',
        '@action-validator/cli@0.6.0',
        'action-validator',
        file,
      ),
    );
  check('gitlab-ci.yml', (file) => {
    copyFileSync(file, join(place, '.gitlab-ci.yml'));
    execFileSync('git', ['init', '--quiet', place]);
    execFileSync('git', ['-C', place, 'remote', 'add', 'origin', 'https://gitlab.example.com/group/project.git']);
    run(place, 'npx', '--yes', '--package', 'node@24', '--package', 'gitlab-ci-local@4.75.1', 'gitlab-ci-local', '--list');
  });
  check('compose.yaml', (file) => run('.', 'docker', 'compose', '--file', file, 'config', '--quiet'), 'docker compose version');
  check('prometheus.yml', (file) => run('.', 'promtool', 'check', 'config', file), 'promtool --version');
  check('alerts.yml', (file) => run('.', 'promtool', 'check', 'rules', file), 'promtool --version');
  check('testcontainers/sandbox.test.mjs', (file) => run('.', process.execPath, '--check', file));
  check(
    'testcontainers/test_sandbox.py',
    (file) => run('.', 'python3', '-c', 'import ast, sys; ast.parse(open(sys.argv[1]).read())', file),
    'python3',
  );
  check('testcontainers/sandbox_test.go', (file) => run('.', 'gofmt', '-e', '-l', file), 'gofmt -h 2>&1 | grep usage');
  check(
    'testcontainers/SandboxTest.java',
    (file) => {
      writeFileSync(join(place, 'Parse.java'), parseJava);
      run('.', 'java', join(place, 'Parse.java'), file);
    },
    'java --version',
  );
} finally {
  rmSync(place, { recursive: true });
}
