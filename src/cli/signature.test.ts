import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '../index.js';
import { connect } from '../client/sandbox.js';
import { livelyWorld, runCommandLine as typed } from '../testing/command-line.js';

let sandbox: RunningSandbox;
let webhook: { headers: Record<string, string>; body: string };
let secret: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  const world = await livelyWorld(connect({ url: sandbox.url }));
  secret = (await world.credentials()).clientSecret;
  webhook = (await world.inbox('orders').waitFor())[0]!;
});
afterAll(() => sandbox.close());

const run = (options: string, input: string) =>
  typed(`crossborder-sandbox signature - ${options}`, { environment: { SANDBOX_URL: sandbox.url }, input });
const asHttp = () =>
  `POST /hooks HTTP/1.1\r\n${Object.entries(webhook.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n')}\r\n\r\n${webhook.body}`;

it('the command accepts a webhook as JSON and as the text of an HTTP request', async () => {
  for (const input of [JSON.stringify(webhook), asHttp(), asHttp().replaceAll('\r', '')])
    expect(await run('', input)).toEqual({ code: 0, stdout: 'The signatures are valid.\n', stderr: '' });
});

it('the command names the mistake in a computed signature, and exits with 1', async () => {
  const computed = createHmac('sha256', secret).update(webhook.body).digest('hex');
  const { code, stdout } = await run(`--computed ${computed}`, asHttp());
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^SIGNATURE: It was computed over the body/) });
  expect(await run('--secret another', asHttp())).toMatchObject({ code: 1, stdout: expect.stringMatching(/^SECRET: /) });
});

it.each([
  ['', /^Standard input is empty/],
  ['{"headers":{}}', /no object `headers` and string `body`/],
  ['{"headers":', /is not one JSON object/],
  ['X-Message-Id\n\n{}', /the line "X-Message-Id", which is no header/],
])('the command rejects input that is no webhook: %j', async (input, message) => {
  expect(await run('', input)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
});
