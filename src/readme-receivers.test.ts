import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signatureHeaders } from './domain/webhook-signature.js';
import { root } from './testing/harness.js';

const readme = readFileSync(join(root, 'README.md'), 'utf8');

function snippet(language: string): string {
  const text = new RegExp(`\`\`\`${language} verify\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1];
  if (text === undefined) throw new Error(`The README has no snippet in ${language}.`);
  return text;
}

const hoisted = (java: string, driver: string) => {
  const end = java.lastIndexOf('import ');
  const lineEnd = java.indexOf('\n', end) + 1;
  return java.slice(0, lineEnd) + driver + java.slice(lineEnd);
};

/**
 * Each language: whether it is here, and the program that asks the snippet about each line of its input:
 * id, timestamp, signature and the body in base64, with tabs between.
 */
const languages: Record<string, { command: string; file: string; program: (text: string) => string }> = {
  js: {
    command: 'node',
    file: 'verify.mjs',
    program: (text) => `${text}
import { readFileSync } from 'node:fs';
for (const line of readFileSync(0, 'utf8').split('\\n')) {
  const [id, timestamp, signature, body] = line.split('\\t');
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  console.log(isGenuine(headers, Buffer.from(body, 'base64'), process.env.SECRET));
}`,
  },
  python: {
    command: 'python3',
    file: 'verify.py',
    program: (text) => `${text}
import os, sys
for line in sys.stdin:
    id, timestamp, signature, body = line.rstrip("\\n").split("\\t")
    headers = {"webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature}
    print(str(is_genuine(headers, base64.b64decode(body), os.environ["SECRET"])).lower())`,
  },
  java: {
    command: 'java',
    file: 'Verify.java',
    program: (text) =>
      hoisted(
        text,
        `class Verify {
  public static void main(String[] args) throws Exception {
    for (String line : new String(System.in.readAllBytes(), StandardCharsets.UTF_8).split("\\n")) {
      String[] part = line.split("\\t");
      Map<String, String> headers = Map.of("webhook-id", part[0], "webhook-timestamp", part[1], "webhook-signature", part[2]);
      System.out.println(Webhooks.isGenuine(headers, Base64.getDecoder().decode(part[3]), System.getenv("SECRET")));
    }
  }
}
`,
      ),
  },
  php: {
    command: 'php',
    file: 'verify.php',
    program: (text) => `<?php
${text}
foreach (explode("\\n", file_get_contents('php://stdin')) as $line) {
    [$id, $timestamp, $signature, $body] = explode("\\t", $line);
    $headers = ['webhook-id' => $id, 'webhook-timestamp' => $timestamp, 'webhook-signature' => $signature];
    echo json_encode(is_genuine($headers, base64_decode($body), getenv('SECRET'))), "\\n";
}`,
  },
};

describe('the snippets of the README for receivers', () => {
  const body = '{"holder":{"firstName":"João"},"amount":"10.00"}';
  const secret = 'sandbox-secret';
  const nowS = Math.floor(Date.now() / 1000);
  const sign = (realS: number) =>
    signatureHeaders('0b6f4a3e-5d0c-4d7e-9a51-6d2f8a4c1e77', body, { clientId: 'sandbox', clientSecret: secret }, realS);
  const cases = [
    { what: 'a genuine webhook', headers: sign(nowS), body, expected: 'true' },
    { what: 'a changed body', headers: sign(nowS), body: body.replace('10', '99'), expected: 'false' },
    { what: 'a webhook of an hour ago', headers: sign(nowS - 3600), body, expected: 'false' },
    { what: 'a foreign signature', headers: { ...sign(nowS), 'webhook-signature': 'v1,AAAA v1,' }, body, expected: 'false' },
  ];

  const input = cases
    .map(({ headers, body: text }) =>
      [headers['webhook-id'], headers['webhook-timestamp'], headers['webhook-signature'], btoaUtf8(text)].join('\t'),
    )
    .join('\n');

  for (const [language, { command, file, program }] of Object.entries(languages)) {
    const isHere = spawnSync(command, ['--version']).status === 0;
    const remark = isHere ? '' : ` (skipped: there is no ${command} on this machine)`;
    it.skipIf(!isHere)(`tell genuine webhooks from forged ones in ${language}${remark}`, { timeout: 60_000 }, () => {
      const directory = mkdtempSync(join(tmpdir(), 'snippet-'));
      const path = join(directory, file);
      writeFileSync(path, program(snippet(language)));
      const { stdout, stderr } = spawnSync(command, [path], { input, env: { ...process.env, SECRET: secret }, encoding: 'utf8' });
      expect(stderr).toBe('');
      expect(stdout.trim().split('\n')).toEqual(cases.map(({ expected }) => expected));
      rmSync(directory, { recursive: true });
    });
  }
});

function btoaUtf8(text: string): string {
  return Buffer.from(text).toString('base64');
}
