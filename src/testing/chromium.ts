import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Where a browser is; undefined when there is none. */
export const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

/** A browser that calls nobody by itself. `rules` map names to addresses, as `--host-resolver-rules` has them. */
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
