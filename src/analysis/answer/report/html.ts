import type { Report, ReportedFinding } from '../../../contract/control/analysis/report.js';
import { escaped } from './markup.js';
import {
  coverageFigures,
  evictedText,
  evidenceText,
  explorationHead,
  explorationRows,
  headerTexts,
  kindText,
  moneyText,
  notProvenText,
  placeText,
  reconciliationText,
  scopeText,
  subjectOf,
} from './words.js';

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1f; background: #fff; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #d0d0d8; overflow-wrap: break-word; min-width: 4rem; }
th { white-space: nowrap; } td code, pre { overflow-wrap: anywhere; white-space: pre-wrap; }
.scroll { overflow-x: auto; } code { font-size: .9em; } article { border: 1px solid #d0d0d8; border-radius: .4rem; padding: 0 1rem 1rem; margin: 1rem 0; }
.PASSED, .COVERED { color: #11603a; } .FAILED { color: #a11224; } .INCONCLUSIVE, .NOT_COVERED, .PENDING { color: #6b4a00; }
summary { cursor: pointer; } .advice { font-weight: 600; }
@media (prefers-color-scheme: dark) { body { color: #e6e6ea; background: #17171b; } th, td, article { border-color: #44444c; }
.PASSED, .COVERED { color: #6fd39c; } .FAILED { color: #ff8a95; } .INCONCLUSIVE, .NOT_COVERED, .PENDING { color: #f0c069; } }`;

/** Content security policy: only the inline style of the page may load. */
export const htmlPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

type Cell = string | { readonly html: string };
const shown = (cell: Cell) => (typeof cell === 'string' ? escaped(cell) : cell.html);
const colored = (word: string): Cell => ({ html: `<span class="${escaped(word)}">${escaped(word)}</span>` });
const coded = (text: string): Cell => ({ html: `<code>${escaped(text)}</code>` });

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (tag: string, cells: readonly Cell[]) => `<tr>${cells.map((each) => `<${tag}>${shown(each)}</${tag}>`).join('')}</tr>`;
  return `<div class="scroll"><table><thead>${line('th', head)}</thead><tbody>${rows.map((each) => line('td', each)).join('')}</tbody></table></div>`;
}

function evidenceHtml(each: ReportedFinding['evidence'][number]): string {
  const text = evidenceText(each);
  const body = each.request?.body;
  const folded = body ? `<details><summary>Body</summary><pre>${escaped(body)}</pre></details>` : '';
  return `${escaped(each.what)}${text === '' ? '' : `<br><code>${escaped(text)}</code>`}${folded}`;
}

function findingHtml(finding: ReportedFinding): string {
  const { rule, title, advice, evidence, alternativeExplanation } = finding;
  return `<article><h3>${escaped(title)}: ${escaped(subjectOf(finding))}</h3>
<p><code>${rule}</code> (${kindText(finding)}) · ${escaped(placeText(finding))}</p>
<p class="advice">${escaped(advice)}</p>${moneyText(finding) === '' ? '' : `<p>${escaped(moneyText(finding))}</p>`}${alternativeExplanation === undefined ? '' : `<p>Alternative explanation: ${escaped(alternativeExplanation)}</p>`}
<details><summary>Evidence</summary>${table(
    ['request or attempt', 'evidence'],
    evidence.map((each) => [coded(each.ref), { html: evidenceHtml(each) }]),
  )}</details></article>`;
}

function requirementsHtml(profile: NonNullable<Report['profile']>): string {
  const rows = profile.requirements.map(({ id, title, result, what, how, test }) => [
    id,
    title,
    colored(result),
    how === undefined ? what : `${what} ${how}`,
    test ?? '',
  ]);
  return `<h2>Requirements of ${escaped(profile.profile)}</h2><p>${escaped(profile.summary)}</p>
${table(['', 'requirement', 'result', 'evidence', 'test'], rows)}<p>SHA-256 of the profile: <code>${profile.sha256}</code></p>`;
}

function reconciliationsHtml({ reconciliations }: Report): string {
  if (reconciliations.length === 0) return '';
  const sections = reconciliations.map((each) => {
    const rows = each.differences.map(({ kind, suspect, operation, what, advice }) => [
      kind,
      suspect ?? '',
      coded(operation ?? ''),
      `${what} ${advice}`,
    ]);
    const differences = rows.length === 0 ? '' : table(['difference', 'suspect', 'operation', 'what and advice'], rows);
    return `<h3>${escaped(each.world)}</h3><p>${escaped(reconciliationText(each))}</p>${differences}`;
  });
  return `<h2>Reconciliations</h2>${sections.join('\n')}`;
}

/** Returns a report as one HTML file without external resources or scripts. */
export function htmlOf(report: Report): string {
  const { verdict, why, findings, profile, coverage, worlds, at, tool, contract, notProven, explorations = [] } = report;
  const dimensions = Object.entries(coverage.dimensions).map(([name, { covered, total, percent, items }]) => {
    const rows = items.map(({ id, state, count, firstAt, test, how }) => [
      coded(id),
      colored(state),
      String(count),
      firstAt ?? '',
      test ?? '',
      how ?? '',
    ]);
    return `<details><summary>${escaped(name)}: ${covered} of ${total} (${percent} %)</summary>${table(['item', 'state', 'times', 'first', 'test', 'how'], rows)}</details>`;
  });
  const worldRows = worlds.map(({ name, isDeleted, scenario, seed, generations, calls, writes, attempts, evicted }) => [
    isDeleted ? `${name} (deleted)` : name,
    scenario,
    seed,
    String(generations),
    String(calls),
    String(writes),
    String(attempts),
    String(evicted),
  ]);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${verdict}${profile ? ` · ${escaped(profile.profile)}` : ''}</title><style>${style}</style></head><body><main>
<h1 class="${verdict}">${verdict}</h1><ul>${why.map((each) => `<li>${escaped(each)}</li>`).join('')}</ul>
<ul>${headerTexts(report)
    .map((each) => `<li>${escaped(each)}</li>`)
    .join('')}</ul>
<p>${escaped(`${scopeText(report)} ${evictedText(report)}`.trim())}</p>
<h2>Findings</h2>${findings.length === 0 ? '<p>None.</p>' : findings.map(findingHtml).join('\n')}
${profile ? requirementsHtml(profile) : ''}
${
  notProven.length === 0
    ? ''
    : `<h2>Not proven</h2>${table(
        ['', 'not proven', 'examples'],
        notProven.map((each) => [each.fails ? colored('FAILED') : each.kind, notProvenText(each), each.examples.join(', ')]),
      )}`
}
${
  explorations.length === 0
    ? ''
    : `<h2>Explorations</h2>${table(
        explorationHead,
        explorationRows(report).map((row) => row.map(escaped)),
      )}`
}
${reconciliationsHtml(report)}
<h2>Coverage</h2>${table(['what', 'covered'], coverageFigures(report))}
${dimensions.join('\n')}
<h2>Worlds</h2>${table(['world', 'scenario', 'seed', 'generations', 'calls', 'writes', 'webhook attempts', 'evicted from the recorded requests'], worldRows)}
<p>${tool.name} ${escaped(tool.version)}, API version ${escaped(contract)}, ${at}</p></main></body></html>
`;
}
