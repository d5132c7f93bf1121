import { builtFile, builtScripts, hashedHeaders, pageHeaders, shellPage } from '../../plane/built-page.js';
import { ReadyDocument } from '../../plane/ready-document.js';
import type { ControlPlane } from '../plane.js';

const base = '/_sandbox/console';

const shell = shellPage({
  title: 'crossborder-sandbox',
  script: `${base}/assets/console.js`,
  modules: builtScripts('console-chunk').map((name) => `${base}/assets/${name}`),
  styles: `${base}/assets/console.css`,
  without: 'The console requires JavaScript. You can do everything with curl too: see /_sandbox/openapi.json.',
});

/** Files that the page loads, with their media types. */
const assets = [
  ['console.js', 'text/javascript; charset=utf-8'],
  ['console.css', 'text/css; charset=utf-8'],
  ['console-operations.json', 'application/json'],
  ['console-scenario-words.json', 'application/json'],
] as const;

/** Serves the console. Only the console's own page may load its files. */
export function serveConsole(plane: ControlPlane): void {
  const serve = (path: string, type: string, made: ReadyDocument) => plane.serveDocument(path, type, () => made, pageHeaders);
  for (const [name, type] of assets) serve(`${base}/assets/${name}`, type, new ReadyDocument(() => builtFile(name)));
  for (const name of builtScripts('console-')) {
    const script = new ReadyDocument(() => builtFile(name));
    plane.serveDocument(`${base}/assets/${name}`, 'text/javascript; charset=utf-8', () => script, hashedHeaders);
  }
  const page = new ReadyDocument(async () => String(await shell));
  for (const path of [base, `${base}/*`]) serve(path, 'text/html; charset=utf-8', page);
}
