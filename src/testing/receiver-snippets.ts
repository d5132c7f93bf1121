import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { messageSignature, standardHeaders } from '../domain/webhooks/signature.js';
import { listening } from './hostile-receivers.js';
import { root } from './root.js';

/** Returns the code block of the tutorial about webhooks with this word after its language. */
export function snippet(what = 'verify'): string {
  const readable = readFileSync(join(root, 'docs/tutorials/receive-webhooks.md'), 'utf8');
  const text = new RegExp(`\`\`\`js(?: [^\\n]*)? ${what}\\n([\\s\\S]*?)\`\`\``).exec(readable)?.[1];
  if (text === undefined) throw new Error(`The tutorial has no snippet ${what}.`);
  return text;
}

/** Returns the text of a recipe for receivers. */
const recipe = (file: string) => readFileSync(join(root, 'docs/recipes/webhooks', file), 'utf8');

const hoisted = (java: string, driver: string) => {
  const end = java.lastIndexOf('import ');
  const lineEnd = java.indexOf('\n', end) + 1;
  return java.slice(0, lineEnd) + driver + java.slice(lineEnd);
};

/** Headers in an input line, in this order, followed by the body in base64. An empty header is absent. */
const headerNames = ['x-message-id', 'x-message-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** For each language: its command, a file name, and a program that passes each input line, split at tabs, to the code of the documents. */
const languages: Record<'js' | 'python' | 'java' | 'php', { command: string; file: string; program: () => string }> = {
  js: {
    command: 'node',
    file: 'verify.mjs',
    program: () => `${snippet()}
import { readFileSync } from 'node:fs';
for (const line of readFileSync(0, 'utf8').split('\\n')) {
  const parts = line.split('\\t');
  const headers = Object.fromEntries(${JSON.stringify(headerNames)}.map((name, index) => [name, parts[index]]).filter(([, value]) => value));
  console.log(isGenuine(headers, Buffer.from(parts.at(-1), 'base64'), 'sandbox', process.env.SECRET));
}`,
  },
  python: {
    command: 'python3',
    file: 'verify.py',
    program: () => `${recipe('verify.py')}
import os, sys
for line in sys.stdin:
    *parts, body = line.rstrip("\\n").split("\\t")
    headers = {name: value for name, value in zip(${JSON.stringify(headerNames)}, parts) if value}
    print(str(is_genuine(headers, base64.b64decode(body), "sandbox", os.environ["SECRET"])).lower())`,
  },
  java: {
    command: 'java',
    file: 'Verify.java',
    program: () =>
      hoisted(
        recipe('Webhooks.java'),
        `class Verify {
  public static void main(String[] args) throws Exception {
    String[] names = {${headerNames.map((name) => JSON.stringify(name)).join(', ')}};
    for (String line : new String(System.in.readAllBytes(), StandardCharsets.UTF_8).split("\\n")) {
      String[] parts = line.split("\\t");
      Map<String, String> headers = new java.util.HashMap<>();
      for (int index = 0; index < names.length; index++) if (!parts[index].isEmpty()) headers.put(names[index], parts[index]);
      System.out.println(Webhooks.isGenuine(headers, Base64.getDecoder().decode(parts[names.length]), "sandbox", System.getenv("SECRET")));
    }
  }
}
`,
      ),
  },
  php: {
    command: 'php',
    file: 'verify.php',
    program: () => `${recipe('verify.php')}
foreach (explode("\\n", file_get_contents('php://stdin')) as $line) {
    $parts = explode("\\t", $line);
    $body = array_pop($parts);
    $headers = array_filter(array_combine(${JSON.stringify(headerNames)}, $parts), fn ($value) => $value !== '');
    echo json_encode(is_genuine($headers, base64_decode($body), 'sandbox', getenv('SECRET'))), "\\n";
}`,
  },
};

export const webhookBody = '{"holder":{"firstName":"João"},"amount":"10.00"}';
export const secret = 'sandbox-secret';
export const signer = { clientId: 'sandbox', clientSecret: secret };
const messageId = '0b6f4a3e-5d0c-4d7e-9a51-6d2f8a4c1e77';
export const nowS = Math.floor(Date.now() / 1000);
export const own = { 'x-message-id': messageId, 'x-message-signature': messageSignature(messageId, signer) };
export const sign = (realS: number) => ({ ...own, ...standardHeaders(messageId, webhookBody, [signer], realS) });
export const foreign = { 'x-message-signature': messageSignature(messageId, { ...signer, clientSecret: 'another' }) };
const cases: { what: string; headers: Record<string, string>; body: string; expected: string }[] = [
  { what: 'a genuine webhook', headers: sign(nowS), body: webhookBody, expected: 'true' },
  { what: 'a webhook of production', headers: own, body: webhookBody, expected: 'true' },
  { what: 'a changed body', headers: sign(nowS), body: webhookBody.replace('10', '99'), expected: 'false' },
  { what: 'a webhook of an hour ago', headers: sign(nowS - 3600), body: webhookBody, expected: 'false' },
  { what: 'a foreign signature', headers: { ...sign(nowS), 'webhook-signature': 'v1,AAAA v1,' }, body: webhookBody, expected: 'false' },
  { what: 'a foreign signature of the service', headers: { ...sign(nowS), ...foreign }, body: webhookBody, expected: 'false' },
  {
    what: 'the signature of another message',
    headers: { ...own, 'x-message-id': messageId.replace('0', '1') },
    body: webhookBody,
    expected: 'false',
  },
  { what: 'no signature of the service', headers: { ...sign(nowS), 'x-message-signature': '' }, body: webhookBody, expected: 'false' },
  { what: 'no signature', headers: { 'x-message-id': messageId }, body: webhookBody, expected: 'false' },
];

const input = cases
  .map(({ headers, body: text }) => [...headerNames.map((name) => headers[name] ?? ''), btoaUtf8(text)].join('\t'))
  .join('\n');

/** Defines a test: the code in this language accepts genuine and rejects forged webhooks. */
export function itDistinguishes(language: keyof typeof languages): void {
  const { command, file, program } = languages[language];
  const isHere = spawnSync(command, ['--version']).status === 0;
  const remark = isHere ? '' : ` (skipped: there is no ${command} on this machine)`;
  it.skipIf(!isHere)(`distinguish genuine from forged webhooks in ${language}${remark}`, { timeout: 60_000 }, () => {
    const directory = mkdtempSync(join(tmpdir(), 'snippet-'));
    const path = join(directory, file);
    writeFileSync(path, program());
    const { stdout, stderr } = spawnSync(command, [path], { input, env: { ...process.env, SECRET: secret }, encoding: 'utf8' });
    expect(stderr).toBe('');
    const judged = stdout.trim().split('\n');
    expect(cases.map(({ what }, index) => [what, judged[index]])).toEqual(cases.map(({ what, expected }) => [what, expected]));
    rmSync(directory, { recursive: true });
  });
}

/**
 * Starts a receiver in a directory on a free port, which it reads from `PORT`, and waits until it rejects a request without a signature.
 */
export async function startedReceiver(directory: string, environment: Record<string, string> = {}, command = 'exec node receiver.mjs') {
  const { port, close: free } = await listening(createServer());
  await free();
  const receiver = spawn('sh', ['-c', command], {
    cwd: directory,
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}/`;
  await expect.poll(() => fetch(url).then(({ status }) => status, () => 0)).toBe(401); // oxfmt-ignore
  return { url, process: receiver };
}

function btoaUtf8(text: string): string {
  return Buffer.from(text).toString('base64');
}
