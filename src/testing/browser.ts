import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { executablePath } from './chromium.js';

export { closePages, launchBrowser, sharedBrowser } from './chromium.js';

/** `describe` for tests that need a browser; skipped without one. `.ci/run` installs a browser. */
export const describeInBrowser = executablePath === undefined ? describe.skip : describe;

/** Suffix for the title of such a suite: the reason if it is skipped. */
export const skipReason = executablePath === undefined ? ' (skipped: no chromium here, apt-get install chromium)' : '';

/**
 * Returns the violations that axe finds in a page: the rule and the first element.
 * @param within selector of a part of the page. Default: the whole page
 * @param rules ids of axe rules. Default: all rules
 */
export async function accessibilityProblems(page: Page, within?: string, rules?: readonly string[]): Promise<(string | undefined)[][]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) });
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run(${JSON.stringify(within) ?? 'document'}, ${options})`,
  );
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
}
