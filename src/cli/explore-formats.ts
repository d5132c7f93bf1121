import { escaped } from '../analysis/answer/report/markup.js';
import type { ExplorationResult, Failure } from '../client/explore/result.js';
import { sentenceOf, typeOf, type Deviation } from '../client/explore/schedule.js';
import { failureLines, textOf } from '../client/explore/text.js';

/** The output formats of an exploration. */
export const exploreFormats = ['text', 'json', 'junit', 'html'] as const;
export type ExploreFormat = (typeof exploreFormats)[number];

/** Formats the result of an exploration. */
export function formatExploration(format: ExploreFormat, result: ExplorationResult): string {
  switch (format) {
    case 'text':
      return textOf(result);
    case 'json':
      return JSON.stringify(result, null, 2);
    case 'junit':
      return junitOf(result);
    case 'html':
      return htmlOf(result);
  }
}

/** Returns the name of the test case of a deviation: its kind, and the event type or operation. */
function caseOf({ kind, subject, at }: Deviation): string {
  return `${kind} ${typeOf(kind === 'early' ? at! : subject)}`;
}

/** Returns a JUnit file with a test case for each kind of deviation and event type or operation. */
function junitOf(result: ExplorationResult): string {
  const { baseline, failures, notOccurred, verdict, unstable } = result;
  const names = new Set(baseline.deviations.map(caseOf));
  const failed = (name: string) => failures.filter(({ deviations }) => deviations.some((each) => caseOf(each) === name));
  const isSkipped = (name: string) =>
    baseline.deviations
      .filter((each) => caseOf(each) === name)
      .every((each) => notOccurred.some((other) => sentenceOf(other) === sentenceOf(each)));
  const cases = [...names].map((name) => {
    const found = failed(name);
    const text = found.flatMap((failure) => failureLines(failure, result)).join('\n');
    const inner =
      found.length > 0
        ? `<failure message="${escaped(titleOf(found[0]!))}">${escaped(text)}</failure>`
        : isSkipped(name)
          ? '<skipped message="the deviation did not occur"/>'
          : '';
    return { isFailed: found.length > 0, isSkipped: found.length === 0 && inner !== '', xml: testCase(name, inner) };
  });
  if (verdict === 'UNSTABLE') {
    const paths = unstable.map(({ path }) => path).join(', ');
    cases.push({ isFailed: true, isSkipped: false, xml: testCase('baseline', `<failure message="${escaped(`${paths} differ`)}"/>`) });
  }
  const [fails, skips] = [cases.filter(({ isFailed }) => isFailed).length, cases.filter((each) => each.isSkipped).length];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="crossborder-sandbox">',
    `  <testsuite name="explore" tests="${cases.length}" failures="${fails}" skipped="${skips}">`,
    ...cases.map(({ xml }) => `    ${xml}`),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const testCase = (name: string, inner: string) =>
  inner === ''
    ? `<testcase classname="explore" name="${escaped(name)}"/>`
    : `<testcase classname="explore" name="${escaped(name)}">${inner}</testcase>`;

const titleOf = ({ deviations }: Failure) => deviations.map(sentenceOf).join('; ');

const style =
  'body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}pre{background:#f4f4f4;padding:1rem;overflow:auto}.FAILED,.UNSTABLE{color:#b00020}.PASSED{color:#1b6e2d}';

function htmlOf(result: ExplorationResult): string {
  const { verdict, failures, tried, seed, baseline } = result;
  const sections = failures.map(
    (failure) => `<section><h2>${escaped(titleOf(failure))}</h2><pre>${escaped(failureLines(failure, result).join('\n'))}</pre></section>`,
  );
  const [singles, pairs] = [tried.singles, tried.pairs].map(([count = 0, of = 0]) => `${count} of ${of}`);
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>Exploration: ${verdict}</title><style>${style}</style></head><body><main>`,
    `<h1 class="${verdict}">Exploration: ${verdict}</h1>`,
    `<p>Tried ${singles} singles, ${pairs} pairs and ${tried.triples} triples, seed ${seed}.</p>`,
    `<p>Events: ${escaped(baseline.events.join(', ') || 'none')}. Writes: ${escaped(baseline.writes.join(', ') || 'none')}.</p>`,
    ...(verdict === 'UNSTABLE' ? [`<pre>${escaped(textOf(result))}</pre>`] : []),
    ...sections,
    '</main></body></html>',
    '',
  ].join('\n');
}
