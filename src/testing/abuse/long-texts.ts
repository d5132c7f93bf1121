import type { Case, Victim } from './cases.js';

/** Returns requests with strings that are expensive to record, to redact, or to compare with known names. */
export function longTexts({ world, token }: Victim): Case[] {
  const secret = 'eyJ';
  const fill = (part: string, length = 12_000) => part.repeat(Math.floor(length / part.length));
  const get = (name: string, path: string, headers: Record<string, string> = {}): Case => ({
    name: `text behind the response: ${name}`,
    method: 'GET',
    path,
    headers,
  });
  const part = (content: string) => `--x\r\nContent-Disposition: form-data; name="body"\r\n\r\n${content}\r\n--x--\r\n`;
  const upload = (name: string, content: string): Case => ({
    name: `text behind the response: a part of ${name}`,
    method: 'POST',
    path: '/api/documents',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
    body: Buffer.from(part(content)),
  });
  const unknownNames = Object.fromEntries(Array.from({ length: 3000 }, (_each, index) => [`operationIdd${index}`, 'x']));
  const verify = (name: string, body: object): Case => ({
    name: `text behind the response: ${name}`,
    method: 'POST',
    path: '/_sandbox/requests/verify',
    headers: { 'x-sandbox-world': world, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return [
    ...[secret, '%65yJ', 'eyJ.', 'Basic ', '%', '%25', 'a@', '4111', '"\\'].flatMap((each) => [
      get(`a path of ${each}`, `/${encodeURI(fill(each)).slice(0, 12_000)}`),
      get(`a query of ${each}`, `/api/nothing?q=${encodeURI(fill(each)).slice(0, 12_000)}`),
      get(`a header of ${each}`, '/api/nothing', { 'x-text': fill(each) }),
      get(`a token of ${each}`, '/api/accounts', { authorization: `Bearer ${fill(each)}` }),
    ]),
    ...[secret, '{"a":"eyJ"},', '%65yJ', 'a@b.'].map((each) => upload(each, fill(each, 60_000))),
    verify('3,000 unknown names', { match: { kind: 'REQUEST', ...unknownNames } }),
    verify('an unknown name of 900,000 letters', { match: { kind: 'REQUEST', ['operationId'.repeat(80_000)]: 'x' } }),
  ];
}
