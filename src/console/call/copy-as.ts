import { publicUrl, type ApiCall } from '../api-calls.js';
import { headersFor } from '../api.js';

/** Returns a string literal that is valid in both TypeScript and Python. */
const literal = (text: string): string => JSON.stringify(text);

/** Returns the request of a program, which reads the access token from the environment variable TOKEN, as the curl command does. */
function partsOf({ plane, method, path, body, key }: ApiCall): {
  url: string;
  hasToken: boolean;
  headers: [string, string][];
  body: string | null;
  method: string;
} {
  const isPublic = plane === 'public';
  const world = isPublic ? undefined : headersFor()['X-Sandbox-World'];
  return {
    method,
    url: (isPublic ? publicUrl() : location.origin) + path,
    hasToken: isPublic && path !== '/api/oauth/client/token',
    headers: [
      ...(world === undefined ? [] : [['X-Sandbox-World', world] as [string, string]]),
      ...(key === null ? [] : [['X-Idempotency-Key', key] as [string, string]]),
      ...(body === null ? [] : [['Content-Type', 'application/json'] as [string, string]]),
    ],
    body,
  };
}

/** Returns a TypeScript program that sends a request with an unchanged body. */
export function callAsTypeScript(call: ApiCall): string {
  const { method, url, hasToken, headers, body } = partsOf(call);
  const fields = [
    ...(hasToken ? ['Authorization: `Bearer ${process.env.TOKEN}`'] : []),
    ...headers.map(([name, value]) => `${literal(name)}: ${literal(value)}`),
  ];
  return [
    `const response = await fetch(${literal(url)}, {`,
    `  method: ${literal(method)},`,
    ...(fields.length === 0 ? [] : ['  headers: {', ...fields.map((field) => `    ${field},`), '  },']),
    ...(body === null ? [] : [`  body: ${literal(body)},`]),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

/** Returns a Python program, with the standard library only, that sends a request with an unchanged body. */
export function callAsPython(call: ApiCall): string {
  const { method, url, hasToken, headers, body } = partsOf(call);
  const fields = [
    ...(hasToken ? ['"Authorization": "Bearer " + os.environ["TOKEN"]'] : []),
    ...headers.map(([name, value]) => `${literal(name)}: ${literal(value)}`),
  ];
  return [
    ...(hasToken ? ['import os'] : []),
    'import urllib.error',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${literal(url)},`,
    `    method=${literal(method)},`,
    ...(fields.length === 0 ? [] : ['    headers={', ...fields.map((field) => `        ${field},`), '    },']),
    ...(body === null ? [] : [`    data=${literal(body)}.encode(),`]),
    ')',
    'try:',
    '    response = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as refusal:',
    '    response = refusal',
    'print(response.status, response.read().decode())',
  ].join('\n');
}
