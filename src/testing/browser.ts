import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { executablePath } from './chromium.js';

export { launchBrowser } from './chromium.js';

/** A suite that needs a browser; skipped without one. `.ci/run` installs one. */
export const describeInBrowser = executablePath === undefined ? describe.skip : describe;

/** The end of such a suite's name, with the reason if it is skipped. */
export const orWhyNot = executablePath === undefined ? ' (skipped: no chromium here, apt-get install chromium)' : '';

/**
 * Returns the violations that axe finds in a page: the rule and the first element.
 * @param within a part of the page; default: all of it
 * @param rules default: all rules
 */
export async function accessibilityFaults(page: Page, within?: string, rules?: readonly string[]): Promise<(string | undefined)[][]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) });
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run(${JSON.stringify(within) ?? 'document'}, ${options})`,
  );
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
}
