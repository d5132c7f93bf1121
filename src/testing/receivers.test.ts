import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../contract/public/webhooks.js';
import { messageSignature, standardHeaders } from '../domain/webhooks/signature.js';
import type { Answered } from './calls.js';
import { root, useHarness } from './harness.js';
import { fixtureIds, pixBeneficiary, withdrawalBody } from './withdrawals.js';
import { listening } from './hostile-receivers.js';
import { quoteIn, request } from './money.js';
import { createTransport } from '../sandbox/delivery/transport.js';

/** Returns the document with the webhook examples in a language: for JavaScript the tutorial, otherwise the reference. */
const documentOf = (language: string) => (language === 'js' ? 'docs/tutorials/receive-webhooks.md' : 'docs/reference/webhooks.md');

/** Returns the code block of a document with this word after its language. */
function snippet(language: string, what = 'verify', document = documentOf(language)): string {
  const readable = readFileSync(join(root, document), 'utf8');
  const text = new RegExp(`\`\`\`${language} ${what}\\n([\\s\\S]*?)\`\`\``).exec(readable)?.[1];
  if (text === undefined) throw new Error(`${document} has no snippet ${what} in ${language}.`);
  return text;
}

const hoisted = (java: string, driver: string) => {
  const end = java.lastIndexOf('import ');
  const lineEnd = java.indexOf('\n', end) + 1;
  return java.slice(0, lineEnd) + driver + java.slice(lineEnd);
};

/** Headers in an input line, in this order, followed by the body in base64. An empty header is absent. */
const headerNames = ['x-message-id', 'x-message-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** For each language: its command, a file name, and a program that passes each input line, split at tabs, to the snippet. */
const languages: Record<string, { command: string; file: string; program: (text: string) => string }> = {
  js: {
    command: 'node',
    file: 'verify.mjs',
    program: (text) => `${text}
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
    program: (text) => `${text}
import os, sys
for line in sys.stdin:
    *parts, body = line.rstrip("\\n").split("\\t")
    headers = {name: value for name, value in zip(${JSON.stringify(headerNames)}, parts) if value}
    print(str(is_genuine(headers, base64.b64decode(body), "sandbox", os.environ["SECRET"])).lower())`,
  },
  java: {
    command: 'java',
    file: 'Verify.java',
    program: (text) =>
      hoisted(
        text,
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
    program: (text) => `<?php
${text}
foreach (explode("\\n", file_get_contents('php://stdin')) as $line) {
    $parts = explode("\\t", $line);
    $body = array_pop($parts);
    $headers = array_filter(array_combine(${JSON.stringify(headerNames)}, $parts), fn ($value) => $value !== '');
    echo json_encode(is_genuine($headers, base64_decode($body), 'sandbox', getenv('SECRET'))), "\\n";
}`,
  },
};

describe('the snippets for receivers', () => {
  const body = '{"holder":{"firstName":"João"},"amount":"10.00"}';
  const secret = 'sandbox-secret';
  const signer = { clientId: 'sandbox', clientSecret: secret };
  const messageId = '0b6f4a3e-5d0c-4d7e-9a51-6d2f8a4c1e77';
  const nowS = Math.floor(Date.now() / 1000);
  const own = { 'x-message-id': messageId, 'x-message-signature': messageSignature(messageId, signer) };
  const sign = (realS: number) => ({ ...own, ...standardHeaders(messageId, body, signer, realS) });
  const foreign = { 'x-message-signature': messageSignature(messageId, { ...signer, clientSecret: 'another' }) };
  const cases: { what: string; headers: Record<string, string>; body: string; expected: string }[] = [
    { what: 'a genuine webhook', headers: sign(nowS), body, expected: 'true' },
    { what: 'a webhook of production', headers: own, body, expected: 'true' },
    { what: 'a changed body', headers: sign(nowS), body: body.replace('10', '99'), expected: 'false' },
    { what: 'a webhook of an hour ago', headers: sign(nowS - 3600), body, expected: 'false' },
    { what: 'a foreign signature', headers: { ...sign(nowS), 'webhook-signature': 'v1,AAAA v1,' }, body, expected: 'false' },
    { what: 'a foreign signature of the service', headers: { ...sign(nowS), ...foreign }, body, expected: 'false' },
    { what: 'the signature of another message', headers: { ...own, 'x-message-id': messageId.replace('0', '1') }, body, expected: 'false' },
    { what: 'no signature of the service', headers: { ...sign(nowS), 'x-message-signature': '' }, body, expected: 'false' },
    { what: 'no signature', headers: { 'x-message-id': messageId }, body, expected: 'false' },
  ];

  const input = cases
    .map(({ headers, body: text }) => [...headerNames.map((name) => headers[name] ?? ''), btoaUtf8(text)].join('\t'))
    .join('\n');

  for (const [language, { command, file, program }] of Object.entries(languages)) {
    const isHere = spawnSync(command, ['--version']).status === 0;
    const remark = isHere ? '' : ` (skipped: there is no ${command} on this machine)`;
    it.skipIf(!isHere)(`distinguish genuine from forged webhooks in ${language}${remark}`, { timeout: 60_000 }, () => {
      const directory = mkdtempSync(join(tmpdir(), 'snippet-'));
      const path = join(directory, file);
      writeFileSync(path, program(snippet(language)));
      const { stdout, stderr } = spawnSync(command, [path], { input, env: { ...process.env, SECRET: secret }, encoding: 'utf8' });
      expect(stderr).toBe('');
      const judged = stdout.trim().split('\n');
      expect(cases.map(({ what }, index) => [what, judged[index]])).toEqual(cases.map(({ what, expected }) => [what, expected]));
      rmSync(directory, { recursive: true });
    });
  }

  const hasPhp = spawnSync('php', ['--version']).status === 0;
  it.skipIf(!hasPhp)(`work as a page in PHP${hasPhp ? '' : ' (skipped: there is no php on this machine)'}`, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'page-'));
    writeFileSync(join(directory, 'page.php'), `<?php\n${snippet('php')}\n${snippet('php', 'page')}`);
    const environment = { CLIENT_ID: signer.clientId, CLIENT_SECRET: secret };
    const { url, process: receiver } = await startedReceiver(directory, environment, 'exec php -S 127.0.0.1:$PORT page.php 2>/dev/null');
    const send = async (headers: Record<string, string>, text = body) => (await fetch(url, { method: 'POST', headers, body: text })).status;
    expect([await send(own), await send(sign(nowS)), await send({ ...own, ...foreign }), await send(sign(nowS), 'x')]).toEqual([
      204, 204, 401, 401,
    ]);
    receiver.kill();
    rmSync(directory, { recursive: true });
  });

  it('work as the receiver of the README, which processes a genuine webhook once', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'receiver-'));
    writeFileSync(join(directory, 'receiver.mjs'), snippet('js', 'receiver', 'README.md'));
    const { url, process: receiver } = await startedReceiver(directory);
    const printed: Buffer[] = [];
    receiver.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
    const send = async (headers: Record<string, string>) =>
      (await fetch(url, { method: 'POST', headers: { ...headers, 'x-event-type': 'ASSET_ACTIVATED' }, body })).status;
    expect([await send(own), await send(sign(nowS)), await send({ ...own, ...foreign })]).toEqual([204, 204, 401]);
    await expect.poll(() => Buffer.concat(printed).toString()).toMatch(/^ASSET_ACTIVATED .*João.*\n$/);
    receiver.kill();
    rmSync(directory, { recursive: true });
  });
});

/**
 * Starts a receiver in a directory on a free port, which it reads from `PORT`, and waits until it rejects a request without a signature.
 */
async function startedReceiver(directory: string, environment: Record<string, string> = {}, command = 'exec node receiver.mjs') {
  const { port, close: free } = await listening(createServer());
  await free();
  const receiver = spawn('sh', ['-c', command], {
    cwd: directory,
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}/`;
  await expect.poll(() => fetch(url).then(({ status }) => status, () => 0)).toBe(401); // prettier-ignore
  return { url, process: receiver };
}

describe('a receiver made only from the documents', () => {
  const harness = useHarness();
  const world = 'receiver';
  const bank = (asset: string, rail: string, fields: object) => ({ type: 'BANK_ACCOUNT', asset, rail, ...fields });
  const instructions: object[] = [
    pixBeneficiary().paymentInstruction,
    bank('BRL', 'TED', { bankCode: '341', branch: '0001', accountNumber: '123456-7', accountType: 'CHECKING' }),
    bank('EUR', 'SEPA', { iban: 'DE89370400440532013000' }),
    bank('GBP', 'SWIFT', { bic: 'BUKBGB22', iban: 'GB29NWBK60161331926819' }),
    bank('USD', 'ACH', { routingNumber: '021000021', accountNumber: '000123456789' }),
    { type: 'CRYPTO_WALLET', asset: 'USDT', network: 'TRON', address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
  ];
  const company = { type: 'COMPANY', legalName: 'Porto Sul Logística SA', taxId: { type: 'CNPJ', value: '11.222.333/0001-81' } };

  /** Causes every kind of webhook. @returns the expected output of the receiver */
  async function live(): Promise<string[]> {
    const lines: string[] = [];
    const control = async (path: string) => {
      const answer = await harness.control('POST', path, undefined, world);
      expect([path, answer.status]).toEqual([path, 200]);
      return answer.body;
    };
    const operation = async ({ status, body }: Answered, verb: 'complete' | 'fail') => {
      expect(status).toBe(201);
      lines.push(`${body.intent.type} ${body.id} of ${body.sourceAmount.value} ${body.sourceAmount.asset} has begun`);
      const { currentState } = await control(`/operations/${body.id}/${verb}`);
      const { value, asset } = body.targetAmount;
      lines.push(verb === 'fail' ? `${body.id} failed: ${currentState.reason.code}` : `${body.id} is done: ${value} ${asset}`);
    };
    const { accountIds, accountId } = fixtureIds(harness, world);
    for (const [index, instruction] of instructions.entries()) {
      const holder = index === 1 ? company : pixBeneficiary().holder;
      const asked = { ...pixBeneficiary(), holder, paymentInstruction: instruction };
      for (const verdict of ['reject', 'approve']) {
        const { status, body } = await harness.api('POST', '/api/beneficiaries', { body: asked }, world);
        expect(status).toBe(201);
        const { asset, rail } = { ...body.paymentInstruction, ...body.paymentInstruction.address };
        lines.push(`${body.id} is being reviewed for ${asset}`);
        await control(`/beneficiaries/${body.id}/${verdict}`);
        lines.push(`${body.id} can${verdict === 'reject' ? 'not' : ''} be paid by ${rail}`);
        for (const verb of verdict === 'approve' ? (['complete', 'fail'] as const) : []) {
          const quote = await quoteIn(harness, world, { accountId, sourceAsset: 'BRL', targetAsset: asset, sourceAmount: '150.00' });
          const withdrawal = withdrawalBody(accountId, quote.id, body);
          await operation(await harness.api('POST', '/api/operations/withdrawal', { body: withdrawal }, world), verb);
        }
      }
    }
    const [sourceAccountId, targetAccountId, , onboarding] = accountIds;
    const quoted = async (assets: { sourceAsset: string; targetAsset: string }) => {
      const { id: quoteId } = await quoteIn(harness, world, { accountId, sourceAmount: '50.00', ...assets });
      return { accountId, quoteId };
    };
    for (const verb of ['complete', 'fail'] as const) {
      const transfer = { sourceAccountId, targetAccountId, amount: { value: '10.00', asset: 'BRL' } };
      await operation(await request(harness, world, 'transfer', transfer), verb);
      await operation(await request(harness, world, 'swap', await quoted({ sourceAsset: 'BRL', targetAsset: 'USDT' })), verb);
      const deposit = { ...(await quoted({ sourceAsset: 'EUR', targetAsset: 'BRL' })), fundingInstruction: { rail: 'SEPA' } };
      await operation(await request(harness, world, 'deposit', deposit), verb);
    }
    const { assets } = await control(`/accounts/${onboarding}/activate`);
    for (const { asset } of assets) lines.push(`${onboarding} can hold ${asset}`);
    return lines;
  }

  it('handles every event once, rejects forged webhooks, and has types that match the bodies', async () => {
    harness.realMs = Date.now(); // Receivers compare timestamps with their own clock.
    const directory = mkdtempSync(join(tmpdir(), 'receiver-'));
    await harness.world(world, { scenario: 'manual' });
    const { clientId, clientSecret } = harness.sandbox.world(world).identity;
    const transport = createTransport();
    harness.receive = transport.send;

    writeFileSync(join(directory, 'receiver.mjs'), `${snippet('js')}\n${snippet('js', 'receiver')}`);
    const { url, process: receiver } = await startedReceiver(directory, { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret });
    const printed: string[] = [];
    createInterface({ input: receiver.stdout }).on('line', (line) => printed.push(line));

    for (const each of [url, `http://localhost:4010/_sandbox/inbox/all?world=${world}`]) {
      await harness.api('POST', '/api/subscriptions', { body: { url: each, includeAll: true } }, world);
    }
    await harness.control('POST', '/faults', { on: 'DELIVERY', when: { url }, times: 3, effect: { duplicate: 1 } }, world);
    const expected = await live();
    await harness.quiet(world);
    await expect.poll(() => printed.length).toBeGreaterThanOrEqual(expected.length);
    expect(printed).toEqual(expected);

    await harness.control('POST', '/faults', { on: 'DELIVERY', when: { url }, times: 1, effect: { corruptSignature: true } }, world);
    await harness.control('POST', '/events', { eventType: 'ASSET_ACTIVATED' }, world);
    await harness.quiet(world);
    const refused = [...harness.sandbox.world(world).state.executionLogs.values()].filter((log) => log.status === 'FAILED');
    expect(refused).toMatchObject([{ httpStatus: 401, eventType: 'ASSET_ACTIVATED' }]);
    receiver.kill();

    const { body } = await harness.control('GET', `/inbox/all/await?count=${expected.length}`, undefined, world);
    const messages = body.data as { headers: Record<string, string>; body: string }[];
    expect(new Set(messages.map(({ headers }) => headers['x-event-type']))).toEqual(new Set(eventTypes));
    const verifier = new Webhook(Buffer.from(clientSecret).toString('base64'));
    for (const message of messages) {
      const id = message.headers['x-message-id'];
      const named = createHmac('sha256', clientSecret).update(`${id}+${clientId}`).digest('hex');
      expect(message.headers['x-message-signature']).toBe(named);
      expect(verifier.verify(message.body, message.headers)).toEqual(JSON.parse(message.body));
    }
    const literals = messages.map((each) => `{ type: '${each.headers['x-event-type']}', body: ${each.body} },`);
    writeFileSync(
      join(directory, 'events.ts'),
      `${snippet('ts', 'events')}\nexport const received: Webhook[] = [\n${literals.join('\n')}\n];\n`,
    );
    const checked = spawnSync(join(root, 'node_modules/.bin/tsc'), ['--noEmit', '--strict', 'events.ts'], {
      cwd: directory,
      encoding: 'utf8',
    });
    expect(checked.stdout).toBe('');
    expect(checked.status).toBe(0);
    await transport.close();
    rmSync(directory, { recursive: true });
  });
});

function btoaUtf8(text: string): string {
  return Buffer.from(text).toString('base64');
}
