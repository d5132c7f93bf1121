import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { curlOf } from './curl.js';

/** Returns the arguments that curl receives when a shell runs the command. */
const argumentsOf = (command: string) =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\nTOKEN=t\n${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

it('a curl command passes special characters through the shell unchanged', () => {
  const url = "http://localhost/it's?a=1&b=$HOME";
  const command = curlOf({ method: 'POST', url, hasToken: true, headers: [['X-Note', '"$(id)"']], body: "@'`\n!" });
  const headers = ['-H', 'Authorization: Bearer t', '-H', 'X-Note: "$(id)"'];
  expect(argumentsOf(command)).toEqual(['-s', '-X', 'POST', url, ...headers, '--data-raw', "@'`\n!"]);
});

it('a curl command has no options that the request does not need', () => {
  expect(curlOf({ method: 'GET', url: 'http://localhost/', body: null })).toBe(`curl -s -X GET 'http://localhost/'`);
});
