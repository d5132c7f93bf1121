import { builtFile, pageHeaders, shellPage } from '../../web/built-page.js';
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
  for (const [name, type] of assets) plane.serveDocument(`${base}/assets/${name}`, type, () => builtFile(name), pageHeaders);
  plane.serveDocument(base, 'text/html; charset=utf-8', () => shell, pageHeaders);
  plane.serveDocument(`${base}/*`, 'text/html; charset=utf-8', () => shell, pageHeaders);
}
