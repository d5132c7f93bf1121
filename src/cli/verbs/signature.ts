import { answered, defined } from '../../client/caller.js';
import type { SignatureRequest } from '../../client/types.js';
import { startOf } from '../../contract/shared/messages/cut.js';
import { UsageError } from '../failure.js';
import { textOf } from '../values.js';
import type { Verb } from '../verb.js';

type Webhook = Pick<SignatureRequest, 'headers' | 'body'>;

const expected = 'expected a webhook: lines with headers, an empty line and the body, or JSON with `headers` and `body`';

/** Reads a webhook from JSON. @throws UsageError */
function fromJson(text: string, file: string): Webhook {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not one JSON object; ${expected}.`, { cause: error });
  }
  const { headers, body } = value as Partial<Record<string, unknown>>;
  if (typeof headers !== 'object' || headers === null || typeof body !== 'string')
    throw new UsageError(`${file} has no object \`headers\` and string \`body\`; ${expected}.`);
  return { headers: headers as Record<string, string>, body };
}

/** Reads a webhook from the text of an HTTP request, with or without its first line. The body stays unchanged. @throws UsageError */
function fromHttp(text: string, file: string): Webhook {
  const end = /\r?\n\r?\n/.exec(text);
  const lines = text
    .slice(0, end?.index ?? text.length)
    .split(/\r?\n/)
    .filter((line, index) => line !== '' && !(index === 0 && /^[A-Z]+ \S+ HTTP\//.test(line)));
  const wrong = lines.find((line) => line.indexOf(':') < 1);
  if (lines.length === 0) throw new UsageError(`${file} is empty; ${expected}.`);
  if (wrong !== undefined)
    throw new UsageError(`${file} has the line ${JSON.stringify(startOf(wrong, 60))}, which is no header; ${expected}.`);
  const headers = lines.map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
  });
  return { headers: Object.fromEntries(headers), body: end === null ? '' : text.slice(end.index + end[0].length) };
}

export const signature: Verb = {
  name: 'signature',
  group: 'webhooks',
  summary: 'Check the signatures of a webhook, and name the mistake if your code computed another one.',
  args: [{ name: 'file', meaning: 'The webhook as it was received: headers, an empty line and the body, or JSON; - for standard input.' }],
  options: [
    { name: 'computed', value: 'signature', meaning: 'The value that your code compared with X-Message-Signature.' },
    { name: 'secret', value: 'secret', meaning: 'The secret that your code uses.', usual: 'the client secret of the world' },
  ],
  examples: [
    'crossborder-sandbox inbox orders --limit 1 --json | crossborder-sandbox signature -',
    'crossborder-sandbox inbox orders --limit 1 --json | crossborder-sandbox signature - --secret sandbox-secret',
    'crossborder-sandbox inbox orders --limit 1 --json | crossborder-sandbox signature - --json',
  ],
  exits: { 1: 'a signature is wrong, or rejected by the sandbox' },
  calls: ['POST /_sandbox/signatures/check'],
  run: async (invocation) => {
    const { control, args, given, out, signal } = invocation;
    const file = args[0]!;
    const text = await textOf(file, invocation);
    const name = file === '-' ? 'Standard input' : file;
    const webhook = text.trimStart().startsWith('{') ? fromJson(text, name) : fromHttp(text, name);
    const body = { ...webhook, ...defined({ computed: given.text('computed'), secret: given.text('secret') }) };
    const result = await answered(control.POST('/_sandbox/signatures/check', { body, signal }));
    out.show(result, [result.valid ? result.message : `${result.part}: ${result.message}`], []);
    return result.valid ? 0 : 1;
  },
};
