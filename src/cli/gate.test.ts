import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../testing/command-line.js';
import { githubLine } from './github.js';
import { escapedOutput } from './gate.js';

const hostile = 'a\u001b[2J\u001b]0;title\u0007\r\u009b1m\u202eb\u2066c\u2028d';
const command = '::error::not yours\n  ::warning::nor this ##[command]rm';

/** The response of the test server to every request. */
let answer: { status: number; body: unknown };
let server: Server;
let environment: Record<string, string>;
beforeAll(async () => {
  server = createServer((_request, response) => {
    response.writeHead(answer.status, { 'content-type': 'application/json', 'x-request-id': 'ctl_1' }).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  environment = { SANDBOX_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});
afterAll(() => server.close());

const pageWith = (text: string) => ({
  status: 200,
  body: { data: [{ id: text, currentState: { status: text }, createdAt: text }], meta: { nextCursor: text } },
});
// oxlint-disable-next-line no-control-regex -- these must not be printed
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

describe('the output of a command', () => {
  it.each(['', ' --json', ' --quiet'])('escapes control characters in responses: get operations%s', async (option) => {
    answer = pageWith(hostile);
    const { stdout, stderr } = await runCommandLine(`crossborder-sandbox get operations${option}`, { environment });
    expect(stdout + stderr).not.toMatch(controls);
    expect(stdout).toContain('\\u202eb\\u2066c');
  });

  it('parses to the values of the response, with --json', async () => {
    answer = pageWith(hostile);
    const { stdout } = await runCommandLine('crossborder-sandbox get operations --json', { environment });
    expect(JSON.parse(stdout)).toEqual((answer.body as { data: unknown[] }).data[0]);
  });

  it('escapes control characters in errors', async () => {
    answer = { status: 404, body: { code: 'RESOURCE_NOT_FOUND', message: hostile, details: {} } };
    const { code, stderr } = await runCommandLine('crossborder-sandbox get operations', { environment });
    expect(code).toBe(1);
    expect(stderr).toContain('\\u001b[2J');
    expect(stderr).not.toMatch(controls);
  });

  it('shows a status in colour on a terminal, and escapes colours in responses', async () => {
    answer = { status: 200, body: { id: '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417', currentState: { status: 'COMPLETED' }, type: hostile } };
    const { stdout } = await runCommandLine('crossborder-sandbox complete 5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417', {
      environment,
      isTTY: true,
    });
    expect(stdout).toContain('\u001b[32mCOMPLETED\u001b[39m');
    answer = pageWith('\u001b[31mred\u001b[39m');
    expect((await runCommandLine('crossborder-sandbox get operations', { environment, isTTY: true })).stdout).not.toContain('\u001b');
  });
});

describe('GitHub Actions workflow commands', () => {
  const inJob = () => ({ ...environment, GITHUB_ACTIONS: 'true' });

  it.each(['', ' --json', ' --quiet'])('in responses are escaped in a job: get operations%s', async (option) => {
    answer = pageWith(command);
    const { stdout, stderr } = await runCommandLine(`crossborder-sandbox get operations${option}`, { environment: inJob() });
    expect(stdout + stderr).not.toMatch(/^\s*::|##\[/m);
    expect(stdout).toContain('error::not yours');
  });

  it('in errors are escaped in a job', async () => {
    answer = { status: 404, body: { code: 'RESOURCE_NOT_FOUND', message: command, details: {} } };
    const { stderr } = await runCommandLine('crossborder-sandbox get operations', { environment: inJob() });
    expect(stderr).not.toMatch(/^\s*::|##\[/m);
  });

  it('that the CLI writes itself are not escaped, except quoted text in them', () => {
    const written: string[] = [];
    const sink = escapedOutput({ write: (text) => written.push(text) }, { GITHUB_ACTIONS: 'true' });
    sink.write(`${githubLine('error', `${command}\u001b`, { title: 'a,b' })}\n`);
    expect(written.join('')).toMatch(/^::error title=a%2Cb::::error::not yours%0A {2}::warning::nor this \\u0023#\[command\]rm\\u001b\n$/);
  });

  it('in responses are not escaped outside of a job', async () => {
    answer = pageWith('::1');
    expect((await runCommandLine('crossborder-sandbox get operations --quiet', { environment })).stdout).toBe('::1\n');
  });
});
