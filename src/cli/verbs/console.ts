import { spawn } from 'node:child_process';
import type { Verb } from '../verb.js';

/** Commands that open a URL, by platform. */
const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a URL in the browser, if there is one. Does not wait for the browser. */
function open(url: string): void {
  const [program = '', ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
  child.once('error', () => {}); // The URL is already printed.
  child.unref();
}

export const consoleVerb: Verb = {
  name: 'console',
  group: 'run',
  summary: "Show the URL of a world's console. At a terminal, also open it.",
  args: [{ name: 'path', meaning: 'Page to open: timeline, operations, calls/<id>, ….', isOptional: true }],
  options: [{ name: 'print', meaning: 'Only show the URL.' }],
  examples: [
    'crossborder-sandbox console',
    'crossborder-sandbox console operations --print',
    'crossborder-sandbox console --world default --print',
  ],
  calls: [],
  run: async ({ sandbox, world, connection: { token }, args, given, out }) => {
    const path = (args[0] ?? '').replace(/^\/+/, '');
    const url = `${sandbox.controlUrl}/_sandbox/console/${world.name}${path === '' ? '' : `/${path}`}`;
    out.line(url);
    // Only the browser gets the token: printed output may end up in a log.
    if (out.isTerminal && !given.has('print')) open(token === null ? url : `${url}#token=${encodeURIComponent(token)}`);
  },
};
