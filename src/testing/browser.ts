import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
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

/**
 * What axe finds wrong with a page as it is shown: the rule, and the first element that breaks it.
 * @param within a part of the page to look at; all of it when left out
 * @param rules to judge by; all when left out
 */
export async function accessibilityFaults(page: Page, within?: string, rules?: readonly string[]): Promise<(string | undefined)[][]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) });
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run(${JSON.stringify(within) ?? 'document'}, ${options})`,
  );
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
}
