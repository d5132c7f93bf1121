import { builtFile, pageHeaders, shellPage } from '../../web/built-page.js';
import { ReadyDocument } from '../../web/ready-document.js';
import type { ControlPlane } from '../plane.js';

const base = '/_sandbox/console';

const shell = shellPage({
  title: 'crossborder-sandbox',
  script: `${base}/assets/console.js`,
  styles: `${base}/assets/console.css`,
  without: 'The console is a page of scripts. All it does can be done with curl: /_sandbox/openapi.json says how.',
});

/** What the page loads, and of which type each is. */
const assets = [
  ['console.js', 'text/javascript; charset=utf-8'],
  ['console.css', 'text/css; charset=utf-8'],
  ['console-operations.json', 'application/json'],
] as const;

/** Serves the console: the page itself to whoever comes, what it loads to nobody but itself. */
export function serveConsole(plane: ControlPlane): void {
  const serve = (path: string, type: string, made: ReadyDocument) => plane.serveDocument(path, type, () => made, pageHeaders);
  for (const [name, type] of assets) serve(`${base}/assets/${name}`, type, new ReadyDocument(() => builtFile(name)));
  const page = new ReadyDocument(async () => String(await shell));
  for (const path of [base, `${base}/*`]) serve(path, 'text/html; charset=utf-8', page);
}
