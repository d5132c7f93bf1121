import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { executablePath } from './chromium.js';

export { launchBrowser } from './chromium.js';

/** A suite that needs a browser; without one there is nothing to ask. .ci/run installs one. */
export const describeInBrowser = executablePath === undefined ? describe.skip : describe;

/** The end of such a suite's name, which says why it was skipped. */
export const orWhyNot = executablePath === undefined ? ' (skipped: no chromium here, apt-get install chromium)' : '';

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
