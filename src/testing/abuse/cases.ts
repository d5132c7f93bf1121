import { randomUUID } from 'node:crypto';
import { fractions } from '../chance.js';
import type { Contract, ListedOperation } from './contract.js';
import { hostileFilters, hostileTexts } from './values.js';

/** A hostile request, or bytes that are deliberately not valid HTTP. */
export type Case = { readonly name: string } & (
  | { readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body?: Body }
  | { readonly bytes: Buffer }
);

/** A body, sent as a whole, or piece by piece while the receiver reads. */
export type Body = string | Buffer | (() => Iterable<string | Buffer>);

const mib = 2 ** 20;
const json = { 'content-type': 'application/json' };

/** Number of hostile cases, and the size of the largest. */
export interface CaseExtent {
  /** Number of cases that are generated from the operations of the contract, in addition to the named cases. */
  readonly generated: number;
  /** Sent part of an endless body, in MiB. */
  readonly endlessMib: number;
}

/** The client whose credentials the cases use. */
export interface Victim {
  readonly world: string;
  readonly token: string;
  readonly accountId: string;
}

/** Returns all cases, named and generated. @param state the exported state of the world */
export function hostileCases(contract: Contract, victim: Victim, state: string, extent: CaseExtent): Case[] {
  const asClient = { authorization: `Bearer ${victim.token}` };
  const asTester = { 'x-sandbox-world': victim.world };
  const headersOf = (path: string): Record<string, string> =>
    path.startsWith('/_sandbox') ? asTester : { ...asClient, 'x-idempotency-key': randomUUID() };
  const post = (name: string, path: string, body: Body, headers: Record<string, string> = json): Case => ({
    name: `${name}: POST ${path}`,
    method: 'POST',
    path,
    headers: { ...headersOf(path), ...headers },
    body,
  });
  return [
    ...lists(post),
    ...uploads((name, body, headers) => post(name, '/api/documents', body, headers)),
    ...imports(state, extent).map(([name, body]): Case => ({
      name: `import: ${name}`,
      method: 'PUT',
      path: '/_sandbox/state',
      headers: { ...asTester, ...json },
      body,
    })),
    ...requestLines(victim),
    ...contract.operations
      .filter(({ parameters }) => parameters.some(({ name }) => name === 'filters'))
      .flatMap(({ method, path }) =>
        hostileFilters(['id', 'createdAt', 'states.status', 'owner.legalName', 'currentState.status']).map((filter): Case => ({
          name: `filter ${filter.slice(0, 40)}: ${path}`,
          method,
          path: `${place(path, victim)}?filters=${encodeURIComponent(filter).slice(0, 12_000)}`,
          headers: headersOf(path),
        })),
      ),
    ...generated(contract, victim, headersOf, extent.generated),
  ];
}

/** Returns a path with values for its parameters. */
function place(path: string, { accountId }: Victim): string {
  return path
    .replace('{name}', 'nobody')
    .replace('{asset}', 'BRL')
    .replace(/\{[^}]+\}/g, accountId);
}

/** Returns the bodies that once stopped a sandbox, and similar bodies. */
function lists(post: (name: string, path: string, body: Body) => Case): Case[] {
  return [1000, 9000, 100_000].flatMap((count) =>
    ['1', '{}', '[]', 'null', '"x"', '{"code":1}'].flatMap((item) => {
      const list = `[${`${item},`.repeat(count - 1)}${item}]`;
      return [
        post(`${count} assets ${item}`, '/api/accounts', `{"assets":${list}}`),
        post(`${count} resources ${item}`, '/api/subscriptions', `{"url":"https://a.example/","resources":${list}}`),
        post(
          `${count} events ${item}`,
          '/api/subscriptions',
          `{"url":"https://a.example/","resources":[{"name":"OPERATION","events":${list}}]}`,
        ),
      ];
    }),
  );
}

function uploads(post: (name: string, body: Body, headers: Record<string, string>) => Case): Case[] {
  const type = { 'content-type': 'multipart/form-data; boundary=x' };
  const part = (name: string, content: string, more = '') =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
  const end = '--x--\r\n';
  const most = 10_900_000;
  const fill = (text: string, length = most) => text.repeat(Math.floor(length / text.length));
  return (
    [
      ['parts without anything', fill('--x\r\n\r\n\r\n')],
      ['boundaries', fill('--x\r\n')],
      ['nearly boundaries', fill('\r\n--')],
      ['dashes', fill('-')],
      ['line ends', fill('\r\n')],
      ['parts with names', fill(part('a', '')) + end],
      ['21 parts', part('a', '').repeat(21) + end],
      ['one header without end', `--x\r\nX: ${fill('a')}`],
      ['headers without end', `--x\r\n${fill('a: b\r\n')}`],
      ['a name without end', part(fill('n', 60_000), '') + end],
      ['a file name of much', part('file', '%PDF-', `; filename="${fill('\\"', 60_000)}"`) + end],
      ['a body of 60 KB', part('body', fill('[', 60_000)) + part('file', '%PDF-') + end],
      ['a body of 11 MB', part('body', fill(' ')) + end],
      ['a file of 11 MB', part('body', '{}') + part('file', `%PDF-${fill('x')}`, '; filename="a.pdf"') + end],
      ['a file of boundaries', part('body', '{}') + part('file', fill('\r\n--y'), '; filename="a.pdf"') + end],
      [
        'a picture of many chunks',
        part('body', '{}') +
          part('file', `\u0089PNG\r\n\u001a\n${fill('\u0000\u0000\u0000\u0000aaaa\u0000\u0000\u0000\u0000', 9_000_000)}`) +
          end,
      ],
      ['no end', part('body', '{}') + part('file', fill('x')).slice(0, -2)],
      ['much behind the end', end + fill('x')],
      ['an archive', part('body', '{}') + part('file', fill('PK\u0003\u0004aaaaaaaaaaaaaaaaaaaaaaaaaa', 9_000_000)) + end],
    ] as const
  )
    .map(([name, body]) => post(`upload of ${name}`, Buffer.from(body, 'latin1'), type))
    .concat([
      post('upload without a boundary', 'x', { 'content-type': 'multipart/form-data' }),
      post('upload with a boundary of much', 'x', { 'content-type': `multipart/form-data; boundary=${'x'.repeat(8000)}` }),
    ]);
}

function imports(state: string, { endlessMib }: CaseExtent): [name: string, body: Body][] {
  const head = state.slice(0, state.indexOf('"tables":{') + '"tables":{'.length);
  const many = (start: string, part: string, end = '') =>
    function* () {
      yield start;
      const piece = part.repeat(Math.ceil(mib / part.length));
      for (let sent = 0; sent < endlessMib; sent += 1) yield piece;
      yield end;
    };
  const rows = (table: string, row: string, end = ']}}') => many(`${head}"${table}":[`, row, end);
  return [
    ['a number', many('{"version":', '1', '}')],
    ['a number as a row', rows('accounts', '1')],
    ['a text as a row', rows('accounts', 'x')],
    ['a text in a row', many(`${head}"accounts":[{"id":"`, 'x', '"}]}}')],
    ['blanks', rows('accounts', ' ')],
    ['rows without anything', rows('accounts', '{},', '{}]}}')],
    ['lists as rows', rows('accounts', '[],', '[]]}}')],
    ['numbers as rows', rows('jobs', '0,', '0]}}')],
    ['levels', rows('accounts', '[')],
    ['lists in a row', many(`${head}"accounts":[{"id":"a","states":[`, '[],', '[]]}]}}')],
    ['objects in a row', many(`${head}"operations":[{"id":"a","states":[`, '{},', '{}]}]}}')],
    ['postings in a row', many(`${head}"ledgerEntries":[{"id":"a","postings":[`, '{"amount":"1"},', '{}]}]}}')],
    ['a list', many('[', '{},', '{}]')],
    ['lists in a list', many('[', '[],', '[]]')],
    ['keys', many('{"a":0', ',"a":0', '}')],
    ['tables', many(`${head}"a":[]`, ',"b":[]', '}}')],
    ['blank ends', many('{}', ' ', '')],
    ['not JSON', many('', '}', '')],
    ['zeros', many('', '\u0000', '')],
    ['itself', state],
    ['itself cut off', state.slice(0, -3)],
    ['itself with rows that are wrong', state.replaceAll('"createdAt"', '"madeAt"')],
    [
      'itself with a row of nearly a hundred thousand values',
      state.replace('"accounts":[', `"accounts":[{"id":"a","states":[${'{},'.repeat(90_000)}{}]},`),
    ],
    [
      'itself with a sum of many digits',
      state.replace(/"balances":\[\{/, `"balances":[{"id":"a","account":"a","asset":"BRL","value":"${'9'.repeat(4_000_000)}.00"},{`),
    ],
  ];
}

/** Returns hostile request lines, headers and framings. */
function requestLines({ token, world }: Victim): Case[] {
  const raw = (name: string, text: string): Case => ({ name: `HTTP: ${name}`, bytes: Buffer.from(text, 'latin1') });
  const get = (path: string, headers: Record<string, string>, name: string): Case => ({ name, method: 'GET', path, headers });
  const line = 'POST /api/quotes HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';
  const query = (text: string) => text.repeat(Math.floor(12_000 / text.length));
  const authorization = `Bearer ${token}`;
  return [
    raw('a header of 20 KB', `${line}X: ${'a'.repeat(20_000)}\r\n\r\n`),
    raw('2,000 headers', `${line}${Array.from({ length: 2000 }, (_each, index) => `h${index}: 1\r\n`).join('')}\r\n`),
    raw('one header a thousand times', `${line}${'authorization: a\r\n'.repeat(800)}\r\n`),
    raw('two lengths', `${line}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`),
    raw('a length and chunks', `${line}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    raw('an invalid length', `${line}Content-Length: -1\r\n\r\n`),
    raw('a length beyond all', `${line}Content-Length: 99999999999999999999\r\n\r\n`),
    raw('a chunk beyond all', `${line}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n`),
    raw(
      'chunks of one byte',
      `${line}Content-Type: application/json\r\nAuthorization: ${authorization}\r\nX-Idempotency-Key: ${randomUUID()}\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(300_000)}0\r\n\r\n`,
    ),
    raw('chunk extensions', `${line}Transfer-Encoding: chunked\r\n\r\n1;${'a=b;'.repeat(8000)}\r\na\r\n0\r\n\r\n`),
    raw('trailers', `${line}Transfer-Encoding: chunked\r\n\r\n0\r\n${'a: b\r\n'.repeat(1000)}\r\n`),
    raw('no HTTP', 'a'.repeat(100_000)),
    raw('HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    raw('TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'),
    raw('a target of 15 KB', `GET /${'a'.repeat(15_000)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    raw('a target of slashes', `GET ${'/'.repeat(15_000)}x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    raw('a target of dots', `GET /${'../'.repeat(4000)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    raw('a whole URL as target', `GET http://evil.example/_sandbox/worlds HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    raw('upgrade', `${line}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`),
    raw(
      'many requests at once',
      'GET /_sandbox/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(500) + line + 'Content-Length: 0\r\n\r\n',
    ),
    ...['1.2.3.4.5', '256.256.256.256', 'xn--a', '[::1', 'a'.repeat(10_000), 'a b', '..', 'localhost:99999', '%00', 'évil'].flatMap(
      (host) =>
        ['/_sandbox/clock', '/api/accounts', '/docs'].map((path) =>
          raw(`host ${host.slice(0, 20)} ${path}`, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
        ),
    ),
    ...['%', '%ff', '%00', '%2e%2e%2f', ':', '{id}', '\u00e9', 'null', '__proto__', 'constructor', ' '].flatMap((name) =>
      ['/api/operations/', '/_sandbox/why/', '/_sandbox/inbox/', '/_sandbox/worlds/'].map((path) =>
        get(path + encodeURI(name).replace('%25', '%'), path.startsWith('/_') ? {} : { authorization }, `path ${path}${name}`),
      ),
    ),
    get(`/api/accounts?${query('limit=1&')}`, { authorization }, 'a parameter many times'),
    get(`/api/accounts?${query('a&')}`, { authorization }, 'many parameters'),
    get(`/api/accounts?cursor=${query('A')}`, { authorization }, 'a long cursor'),
    get(`/api/accounts?limit=${query('9')}`, { authorization }, 'a long limit'),
    get(`/api/accounts?__proto__=1&constructor=2`, { authorization }, 'parameters of the prototype'),
    get(`/api/accounts?filters=%ff%fe`, { authorization }, 'a filter that is no UTF-8'),
    get(`/api/reports?periodStart=${query('2')}`, { authorization }, 'a long instant'),
    get('/api/accounts', { authorization: `Bearer ${'a.'.repeat(6000)}` }, 'a token of dots'),
    get('/api/accounts', { authorization: `Bearer ${'e'.repeat(5000)}.${'e'.repeat(5000)}.e` }, 'a long token'),
    get('/api/accounts', { authorization: `Bearer${' '.repeat(10_000)}x` }, 'a token behind blanks'),
    get('/_sandbox/clock', { 'x-sandbox-world': 'a'.repeat(10_000) }, 'a long name of a world'),
    get('/_sandbox/clock', { 'x-sandbox-world': '__proto__' }, 'a world of the prototype'),
    get('/_sandbox/clock', { 'x-sandbox-world': world, origin: `http://${'a'.repeat(10_000)}` }, 'a long origin'),
    get('/api/accounts', { authorization, 'x-service-version': 'x'.repeat(10_000) }, 'a long version'),
  ];
}

/** Returns `count` requests to operations with a body, each with a hostile value at a random position of the body. */
function generated(contract: Contract, victim: Victim, headersOf: (path: string) => Record<string, string>, count: number): Case[] {
  const values = hostileTexts();
  const chance = fractions(20_261_121);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(chance() * items.length)]!;
  const bodied = contract.operations.filter(
    ({ example, isUpload, path }) => example !== undefined && !isUpload && path !== '/_sandbox/state',
  );
  return Array.from({ length: count }, (_each, index) => {
    // Alternates operations and values, so that a short run covers most of them.
    const operation = bodied[index % bodied.length]!;
    const [name, text] = values[(index * 7) % values.length]!;
    const { place: at, body } = withHostile(operation, text, pick);
    const path = place(operation.path, victim);
    return {
      name: `${name} at ${at}: ${operation.operationId}`,
      method: operation.method,
      path,
      headers: { ...headersOf(path), ...json },
      body,
    };
  });
}

/** Returns the example body of an operation in which the JSON `text` replaces a random value or the whole body. */
function withHostile({ example }: ListedOperation, text: string, pick: <T>(items: readonly T[]) => T): { place: string; body: string } {
  const placesOf = (value: unknown, path: string[]): string[][] =>
    typeof value === 'object' && value !== null
      ? [path, ...Object.entries(value).flatMap(([key, each]) => placesOf(each, [...path, key]))]
      : [path];
  const path = pick(placesOf(example, []));
  const mark = `mark-${randomUUID()}`;
  const replaced = (value: unknown, rest: readonly string[]): unknown => {
    const [key, ...further] = rest;
    if (key === undefined) return mark;
    if (Array.isArray(value)) return value.map((each, index) => (String(index) === key ? replaced(each, further) : each));
    return { ...(value as object), [key]: replaced((value as Record<string, unknown>)[key], further) };
  };
  return { place: path.join('.') || 'the whole', body: JSON.stringify(replaced(example, path)).replace(`"${mark}"`, () => text) };
}
