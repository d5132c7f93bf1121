import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Path of a browser; undefined without one. */
export const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

/** Starts a browser without background requests. `rules` map names to addresses, in the syntax of `--host-resolver-rules`. */
export function launchBrowser(rules?: string): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(rules === undefined ? [] : [`--host-resolver-rules=${rules}`]),
    ],
  });
}

let shared: Promise<Browser> | undefined;

/** Returns the browser of this process, which ends with the process. The files of tests use it one after another: each closes its pages. */
export function sharedBrowser(): Promise<Browser> {
  return (shared ??= launchBrowser());
}

/** Closes all pages of a browser, and deletes what they stored. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}
