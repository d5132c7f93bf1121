import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { describe } from 'vitest';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

/** A suite that needs a browser; without one there is nothing to ask. .ci/run installs one. */
export const describeInBrowser = executablePath === undefined ? describe.skip : describe;

/** The end of such a suite's name, which says why it was skipped. */
export const orWhyNot = executablePath === undefined ? ' (skipped: no chromium here, apt-get install chromium)' : '';

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
