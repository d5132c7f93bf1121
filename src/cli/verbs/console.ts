import { spawn } from 'node:child_process';
import type { Verb } from '../verb.js';

/** What opens an address, by the platform. */
const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens an address in the browser, if there is one; nothing waits for it. */
function open(url: string): void {
  const [program = '', ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
  child.once('error', () => {}); // Its address has been shown all the same.
  child.unref();
}

/** The verb that leads to the page. */
export const consoleVerb: Verb = {
  name: 'console',
  group: 'run',
  summary: 'Shows the address of the console of a world, and opens it at a terminal.',
  args: [{ name: 'path', meaning: 'Where to go there: timeline, operations, calls/<id>, ….', isOptional: true }],
  options: [{ name: 'print', meaning: 'Only show the address.' }],
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
    // The token goes to the browser alone: what is shown may be kept in a log.
    if (out.isTerminal && !given.has('print')) open(token === null ? url : `${url}#token=${encodeURIComponent(token)}`);
  },
};
