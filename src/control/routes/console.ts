import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError } from '../../domain/errors.js';
import type { ControlPlane } from '../plane.js';

/** Where the page's script and styles are: beside the program, or where the build puts them while it runs from its sources. */
const directory = [import.meta.dirname, join(import.meta.dirname, '../../../dist')].find((each) => existsSync(join(each, 'console.js')));

const base = '/_sandbox/console';

/** What a page of this origin may do: run its own script and styles, ask its own server, and nothing else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const headers = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
};

const shell = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>crossborder-sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/assets/console.css">
<script defer src="${base}/assets/console.js"></script>
</head>
<body>
<div id="app"></div>
<noscript>The console is a page of scripts. All it does can be done with curl: /_sandbox/openapi.json says how.</noscript>
</body>
</html>
`;

/** @throws DomainError ROUTE_NOT_FOUND when the page was not built */
function asset(name: string): string {
  if (directory === undefined) {
    throw new DomainError('ROUTE_NOT_FOUND', 'The console is not there: npm run build makes it.', { method: 'GET', path: base });
  }
  return readFileSync(join(directory, name), 'utf8');
}

/** Serves the console: the page itself to whoever comes, what it loads to nobody but itself. */
export function serveConsole(plane: ControlPlane): void {
  plane.serveDocument(`${base}/assets/console.js`, 'text/javascript; charset=utf-8', () => asset('console.js'), headers);
  plane.serveDocument(`${base}/assets/console.css`, 'text/css; charset=utf-8', () => asset('console.css'), headers);
  plane.serveDocument(`${base}/assets/console-operations.json`, 'application/json', () => asset('console-operations.json'), headers);
  plane.serveDocument(base, 'text/html; charset=utf-8', () => shell, headers);
  plane.serveDocument(`${base}/*`, 'text/html; charset=utf-8', () => shell, headers);
}
