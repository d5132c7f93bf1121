import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { curlOf } from './curl.js';

/** The arguments that curl gets when a shell runs a command. */
const argumentsOf = (command: string) =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\nTOKEN=t\n${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

it('gives curl what it is to send, whatever a shell makes of its letters', () => {
  const url = "http://localhost/it's?a=1&b=$HOME";
  const command = curlOf({ method: 'POST', url, hasToken: true, headers: [['X-Note', '"$(id)"']], body: "@'`\n!" });
  const headers = ['-H', 'Authorization: Bearer t', '-H', 'X-Note: "$(id)"'];
  expect(argumentsOf(command)).toEqual(['-s', '-X', 'POST', url, ...headers, '--data-raw', "@'`\n!"]);
});

it('is short where there is little to send', () => {
  expect(curlOf({ method: 'GET', url: 'http://localhost/', body: null })).toBe(`curl -s -X GET 'http://localhost/'`);
});
