import { ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { journey, type Headers } from './journey.js';

interface Pair {
  key: string;
  value: string;
  disabled?: boolean;
}
interface Item {
  name: string;
  item?: Item[];
  request?: { method: string; header?: Pair[]; url: { path: string[]; query: Pair[]; variable: Pair[] }; body?: { raw?: string } };
}

const baseUrl = process.argv[2];
const items = ['public', 'control'].flatMap((plane) => flat((JSON.parse(readFileSync(`generated/${plane}.json`, 'utf8')) as Item).item));

function flat(list: readonly Item[] = []): Item[] {
  return list.flatMap((each) => [each, ...flat(each.item)]);
}

interface Changes {
  headers?: Headers;
  body?: object;
  path?: Record<string, string>;
  query?: Record<string, string>;
}

/** Sends a request of the collection as somebody who has imported it would: with what it says, but for what is changed. */
async function send<T>(method: string, path: string, { headers, body, path: inPath, query }: Changes = {}): Promise<T> {
  const request = items.find((each) => each.request?.method === method && each.request.url.path.join('/') === path)?.request;
  ok(request, `the collection has no ${method} ${path}`);
  const { url, header = [] } = request;
  const variables = { ...Object.fromEntries(url.variable.map(({ key, value }) => [key, value])), ...inPath };
  const place = url.path.map((part) => (part.startsWith(':') ? encodeURIComponent(variables[part.slice(1)] ?? '') : part)).join('/');
  const asked = url.query.filter(({ disabled }) => query === undefined && disabled !== true).map(({ key, value }) => [key, value]);
  const imported = header.filter(({ disabled }) => disabled !== true).map(({ key, value }): [string, string] => [key, value]);
  const answer = await fetch(`${baseUrl}/${place}?${new URLSearchParams(query ?? Object.fromEntries(asked))}`, {
    method,
    headers: { ...Object.fromEntries(imported), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
  return (await answer.json()) as T;
}

let last: Headers | undefined;
await journey({
  token: (body) => send('POST', 'api/oauth/client/token', { body }),
  accounts: async (headers) =>
    (await send<{ data: { id: string }[] }>('GET', 'api/accounts', { headers, query: { sortOrder: 'ASCENDING' } })).data,
  fundingInstructions: async (headers, accountId) =>
    (
      await send<{ data: { rail: string }[] }>('GET', 'api/accounts/:accountId/fundingInstructions', {
        headers,
        path: { accountId },
        query: { limit: '100' },
      })
    ).data,
  quote: (headers, body) => send('POST', 'api/quotes', { headers, body }),
  withdrawal: (headers, body) => send('POST', 'api/operations/withdrawal', { headers, body }),
  operation: (headers, operationId) => send('GET', 'api/operations/:operationId', { headers: (last = headers), path: { operationId } }),
  beneficiaries: async (filters) =>
    (await send<{ data: { id: string; paymentInstructions: { id: string }[] }[] }>('GET', '_sandbox/beneficiaries', { query: { filters } }))
      .data,
  advance: (by) => send('POST', '_sandbox/clock/advance', { body: { by } }),
});
ok(last);
await send('GET', 'api/reports', { headers: last });
await send('GET', 'api/operations/:operationId', { headers: last });
