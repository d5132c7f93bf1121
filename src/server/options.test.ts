import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { call } from '../testing/process.js';
import { startServer } from './server.js';
import { describeSettings, readSettings, SettingError, variableWarnings } from './options.js';

const directory = mkdtempSync(join(tmpdir(), 'settings-'));
writeFileSync(join(directory, 'file'), 'no certificate');
const scenarios = join(directory, 'scenarios');
mkdirSync(scenarios);
writeFileSync(join(scenarios, 'broken.yaml'), 'scenario: broken\nsummary: Broken.\nrules: none\n');
writeFileSync(join(scenarios, 'mine.yml'), 'scenario: mine\nsummary: Mine.\nextends: default\nrules: []\n');
writeFileSync(join(scenarios, 'notes.txt'), 'mine');
afterAll(() => rmSync(directory, { recursive: true }));

/** Returns the error message for invalid settings. */
function refusal(args: readonly string[], environment: Record<string, string> = {}): string {
  try {
    readSettings(args, environment);
    return 'nothing';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('settings', () => {
  it('are read from flags, then from the environment, then from defaults', () => {
    const settings = readSettings(['--port', '4020'], { SANDBOX_PORT: '4030', SANDBOX_SEED: 'mine', SANDBOX_DATA: '' });
    expect(settings).toMatchObject({ PORT: 4020, SEED: 'mine', DATA: './data', SCENARIO: 'default' });
  });

  it('reject a misspelt "memory" as the name of a directory, but accept the path of such a directory', () => {
    for (const text of ['memry', 'Memory', 'in-memory'])
      expect(refusal(['--data', text])).toBe(
        `SANDBOX_DATA (--data): did you mean "memory"? If it is a directory, write ./ before its name; got "${text}"`,
      );
    for (const text of ['memory', './memry', 'data', '/tmp/memory-1']) expect(refusal(['--data', text])).toBe('nothing');
  });

  it('are read without surrounding spaces and the carriage returns of files from Windows', () => {
    const settings = readSettings(['--seed', 'mine\r'], { SANDBOX_DATA: 'memory\r', SANDBOX_LOG_LEVEL: ' warn\r', SANDBOX_PORT: '\r' });
    expect(settings).toMatchObject({ SEED: 'mine', DATA: 'memory', LOG_LEVEL: 'warn', PORT: 4010 });
  });

  it.each([
    [['--port', 'abc'], 'SANDBOX_PORT (--port): expected a whole number from 0 to 65535; got "abc"'],
    [['--port', '65536'], 'SANDBOX_PORT (--port): expected a whole number from 0 to 65535; got "65536"'],
    [['--max-worlds', '1.5'], 'SANDBOX_MAX_WORLDS (--max-worlds): expected a whole number from 1 to 100000; got "1.5"'],
    [['--durability', 'disk'], 'SANDBOX_DURABILITY (--durability): expected one of os, fsync; got "disk"'],
    [['--check-responses', 'yes'], 'SANDBOX_CHECK_RESPONSES (--check-responses): expected one of true, false; got "yes"'],
    [
      ['--data', 'mysql://localhost/sandbox'],
      'SANDBOX_DATA (--data): expected a directory, "memory", or postgres://user:password@host/database; got "mysql://localhost/sandbox"',
    ],
    [
      ['--data', 'mysql://root:pa/s@s@localhost/sandbox'],
      'SANDBOX_DATA (--data): expected a directory, "memory", or postgres://user:password@host/database; got "mysql://localhost/sandbox"',
    ],
    [
      ['--data', 'jdbc:postgresql://localhost/worlds?user=sandbox&password=hidden'],
      'SANDBOX_DATA (--data): expected a directory, "memory", or postgres://user:password@host/database; got "jdbc:postgresql://localhost/worlds?user=sandbox&password=…"',
    ],
    [
      ['--data', "host=localhost password='hid den' dbname=worlds"],
      'SANDBOX_DATA (--data): expected a directory, "memory", or postgres://user:password@host/database; got "host=localhost password=…"',
    ],
    [
      ['--data', 'postgres://sandbox:pass@one,two/worlds'],
      'SANDBOX_DATA (--data): expected postgres://user:password@host/database with one host; in the password write %2F for a slash, %40 for @ and %23 for #; got "postgres://one,two/worlds"',
    ],
    [
      ['--data', 'postgres://sandbox:pa/ss@localhost/worlds'],
      'SANDBOX_DATA (--data): expected postgres://user:password@host/database with one host; in the password write %2F for a slash, %40 for @ and %23 for #; got "postgres://localhost/worlds"',
    ],
    [
      ['--data', 'postgres://sandbox:12/ss@localhost/worlds'],
      'SANDBOX_DATA (--data): expected postgres://user:password@host/database with one host; in the password write %2F for a slash, %40 for @ and %23 for #; got "postgres://localhost/worlds"',
    ],
    [
      ['--control-token', 'short'],
      'SANDBOX_CONTROL_TOKEN (--control-token): expected at least 8 printable ASCII characters without spaces',
    ],
    [
      ['--control-token', 'two parts'],
      'SANDBOX_CONTROL_TOKEN (--control-token): expected at least 8 printable ASCII characters without spaces',
    ],
    [
      ['--control-token', 'Zürich-2026'],
      'SANDBOX_CONTROL_TOKEN (--control-token): expected at least 8 printable ASCII characters without spaces',
    ],
    [['--prot', '1'], '--prot is not a setting; did you mean --port?\n"1" is not a setting; write settings as --name value.'],
    [['--elephant=1'], '--elephant is not a setting'],
    [['--port'], '--port needs a value.'],
    [['start'], '"start" is not a setting; write settings as --name value.'],
  ])('reject %j: %s', (args, message) => {
    expect(refusal(args)).toBe(message);
  });

  it.each(['http://foo/', 'foo:8080', 'foo/bar', '*.example.com', 'foo bar', '.', 'a..b', '-a'])('reject the host name %s', (host) => {
    expect(refusal([], { SANDBOX_ALLOWED_HOSTS: `localhost,${host}` })).toMatch(
      /^SANDBOX_ALLOWED_HOSTS .*expected host names .*sandbox\.example\.com/,
    );
  });

  it('allow hosts by name and by domain', () => {
    const { ALLOWED_HOSTS } = readSettings([], { SANDBOX_ALLOWED_HOSTS: ' Pay.Example.com, .svc.cluster.local,' });
    expect(ALLOWED_HOSTS).toEqual(['pay.example.com', '.svc.cluster.local']);
  });

  it('report all invalid values in one error', () => {
    expect(refusal(['--port', 'x'], { SANDBOX_LOG_LEVEL: 'loud' }).split('\n')).toHaveLength(2);
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['a misspelt setting', { SANDBOX_SCENARIO_DIR: '/x' }, ['SANDBOX_SCENARIO_DIR is not a setting; did you mean SANDBOX_SCENARIOS_DIR?']],
    ['an unknown setting', { SANDBOX_FLAVOUR: 'x' }, ['SANDBOX_FLAVOUR is not a setting']],
    [
      'a variable of a client',
      { SANDBOX_URL: 'http://x', SANDBOX_CONTROL_URL: 'http://x', SANDBOX_WORLD: 'w', SANDBOX_CLIENT_ID: 'c', SANDBOX_CLIENT_SECRET: 's' },
      [],
    ],
    ['a variable of another program', { PORT: '1', PATH: '/bin' }, []],
    [
      'the variables of Kubernetes',
      {
        SANDBOX_SERVICE_HOST: '10.0.0.1',
        SANDBOX_SERVICE_PORT: '4010',
        SANDBOX_SERVICE_PORT_HTTP: '4010',
        SANDBOX_PORT: 'tcp://10.0.0.1:4010',
        SANDBOX_PORT_4010_TCP: 'tcp://10.0.0.1:4010',
        SANDBOX_PORT_4010_TCP_ADDR: '10.0.0.1',
        SANDBOX_CONTROL_PORT: 'tcp://10.0.0.1:4011',
      },
      [
        'Ignored SANDBOX_SERVICE_HOST, SANDBOX_SERVICE_PORT, SANDBOX_SERVICE_PORT_HTTP, SANDBOX_PORT, SANDBOX_PORT_4010_TCP, SANDBOX_PORT_4010_TCP_ADDR, SANDBOX_CONTROL_PORT: Kubernetes sets such variables for a service named sandbox. Set enableServiceLinks: false to avoid this warning.',
      ],
    ],
  ])('never stop the start because of %s in the environment', (_what, environment, warnings) => {
    expect(variableWarnings(environment)).toEqual(warnings);
    expect(readSettings([], environment)).toMatchObject({ PORT: 4010, SCENARIO: 'default' });
    expect(readSettings([], environment).CONTROL_PORT).toBeUndefined();
  });

  it('are listed with flag, variable and default', () => {
    const lines = describeSettings().split('\n');
    expect(lines.find((line) => line.includes('--port '))).toMatch(/SANDBOX_PORT .* Default: 4010\.$/);
    expect(lines.find((line) => line.includes('--control-token'))).toMatch(/SANDBOX_CONTROL_TOKEN .*at least 8 characters\.$/);
    expect(lines.find((line) => line.includes('--keep-idempotency-keys'))).toMatch(/Default: 1000000\.$/);
  });
});

describe('the error of a failed start names the setting', () => {
  it.each([
    ['SCENARIOS_DIR', ['--scenarios-dir', join(directory, 'none')], `the directory "${directory}/none" does not exist.`],
    ['FIXTURES_DIR', ['--fixtures-dir', join(directory, 'file')], `"${directory}/file" is a file; expected its directory, "${directory}".`],
    ['FIXTURES_DIR', ['--fixtures-dir', directory], 'market.yaml'],
    ['CA_FILE', ['--ca-file', join(directory, 'none')], 'the file does not exist'],
    ['CA_FILE', ['--ca-file', join(directory, 'file')], 'contains no certificate'],
    ['DATA', ['--data', join(directory, 'file', 'data')], 'ENOTDIR'],
    ['SCENARIO', ['--scenario', 'compliance'], 'There is no scenario with name compliance. Did you mean "compliance-hold"?'],
    ['SCENARIO', ['--scenario', 'elephant'], 'Available: action-required, bank-hours, certification, '],
    ['SCENARIO', ['--scenario', 'broken', '--scenarios-dir', scenarios], `${scenarios}/broken.yaml:3:8: `],
    ['DEFAULT_VERSION', ['--default-version', '7'], 'There is no API version "7"'],
    ['HOST', ['--host', '192.0.2.1'], 'EADDRNOTAVAIL'],
  ])('%s for %j', async (name, args, message) => {
    const settings = readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent', ...args], {});
    const failure = await startServer(settings).then(
      () => null,
      (error: unknown) => error as Error,
    );
    expect(failure).toBeInstanceOf(SettingError);
    expect(failure?.message).toMatch(new RegExp(`^SANDBOX_${name} `));
    expect(failure?.message).toContain(message);
  });
});

it('a start warns of invalid scenario files and of other files, and adds valid scenarios to the shipped scenarios', async () => {
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => warnings.push((JSON.parse(line) as { msg: string }).msg) });
  const args = ['--port', '0', '--data', 'memory', '--scenario', 'mine', '--scenarios-dir', scenarios];
  const server = await startServer(readSettings(args, {}), { log });
  try {
    const { body } = await call(server.url, 'GET', '/_sandbox/scenarios');
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['default', 'mine']));
    expect(warnings).toEqual([
      `Ignored as scenarios, because they do not end with .yaml, .yml or .json, or have no key scenario: ${scenarios}/notes.txt`,
      `${scenarios}/broken.yaml:3:8: rules: expected a list; got "none" (the file is not in use)`,
    ]);
  } finally {
    await server.close();
  }
});

describe('paths in settings', () => {
  it.each(['SANDBOX_SCENARIOS_DIR', 'SANDBOX_FIXTURES_DIR', 'SANDBOX_REPORT_DIR', 'SANDBOX_CA_FILE', 'SANDBOX_DATA'] as const)(
    '%s may begin with ~',
    (name) => {
      const settings = readSettings([], { [name]: '~/sandbox' });
      expect(settings[name.slice('SANDBOX_'.length) as 'DATA']).toBe(join(homedir(), 'sandbox'));
    },
  );

  it.each([
    [join(scenarios, 'broken.yaml'), `is a file; expected its directory, "${scenarios}".`],
    ['no-such-scenarios', `the directory "no-such-scenarios" does not exist in ${process.cwd()}.`],
  ])('of scenarios are rejected unless they are directories: %s', async (path, expected) => {
    const starting = startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent', '--scenarios-dir', path], {}));
    await expect(starting).rejects.toThrow(expected);
  });
});
