import type { ReportedReconciliation } from '../../../contract/control/analysis/reconcile.js';
import type { Report, ReportedFinding } from '../../../contract/control/analysis/report.js';
import { isProvoked } from '../../project/findings/finding-store.js';
import { printable } from '../../../domain/printable.js';
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

/** Maximum size of a Markdown report, in bytes. CI services allow longer job summaries, but people do not read them. */
export const maxMarkdownBytes = 64 * 1024;
const maxFindings = 20;
const maxMissing = 40;
const maxReconciliations = 20;

/** Characters with a meaning in HTML, and those of `http://` and `www.`, which would become links. */
const entities: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  ':': '&#58;',
  '.': '&#46;',
};

/** Escapes a string for Markdown and HTML, on one line. */
function plain(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' ')).replaceAll(
    /[\\`*[\]<>|#&]|:(?=\/\/)|(?<=\bwww)\./gi,
    (sign) => entities[sign] ?? `\\${sign}`,
  );
}

/** Returns a name as code, also for use in a table. */
const coded = (name: string) => `\`${printable(name.replaceAll(/[`|\s]/g, ' '))}\``;

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function evidenceItem(each: ReportedFinding['evidence'][number]): string {
  const { ref, what, request } = each;
  const text = evidenceText(each);
  const body = request?.body ? ` ${coded(request.body)}` : '';
  return `- ${coded(ref)} ${plain(what)}${text === '' ? '' : `<br>${coded(text)}${body}`}`;
}

function findingText(finding: ReportedFinding): string {
  const { rule, title, advice, evidence, alternativeExplanation } = finding;
  const money = moneyText(finding);
  return [
    `### ${plain(title)}: ${plain(subjectOf(finding))}`,
    `\`${rule}\` (${kindText(finding)}) · ${plain(placeText(finding))}`,
    `**${plain(advice)}**${money === '' ? '' : ` ${money}`}`,
    ...(alternativeExplanation === undefined ? [] : [`Alternative explanation: ${plain(alternativeExplanation)}`]),
    `<details><summary>Evidence</summary>\n\n${evidence.map(evidenceItem).join('\n')}\n\n</details>`,
  ].join('\n\n');
}

/** Returns the last reconciliation of a world with its differences. */
function reconciliationSection(reconciliation: ReportedReconciliation): string {
  const rows = reconciliation.differences.map(({ kind, suspect, operation, what, advice }) => [
    kind,
    suspect ?? '',
    operation === null ? '' : coded(operation),
    plain(`${what} ${advice}`),
  ]);
  const head = `**${plain(reconciliation.world)}** ${plain(reconciliationText(reconciliation))}`;
  return rows.length === 0 ? head : `${head}\n\n${table(['difference', 'suspect', 'operation', 'what and advice'], rows)}`;
}

/** Returns a report in Markdown, at most {@link maxMarkdownBytes}, the problems first. */
export function markdownOf(report: Report): string {
  const { verdict, why, findings, profile, coverage, notProven, explorations = [] } = report;
  const open = findings.filter(({ state, negative, rule }) => state === 'NEW' && !isProvoked(negative, rule));
  const provoked = findings.filter((each) => each.negative && !open.includes(each)).length;
  const others = findings.length - open.length - provoked;
  const missing = Object.entries(coverage.dimensions).flatMap(([name, { items }]) =>
    items.filter(({ how }) => how !== undefined).map(({ id, state, how }) => [name, coded(id), state, plain(how!)]),
  );
  const sections = [
    `# ${verdict}${profile ? `: ${plain(profile.profile)}` : ''}`,
    [...why, ...headerTexts(report), scopeText(report), evictedText(report)]
      .flatMap((each) => (each === '' ? [] : [`- ${plain(each)}`]))
      .join('\n'),
    `## Findings`,
    ...(open.length === 0 ? ['None.'] : open.slice(0, maxFindings).map(findingText)),
    ...(open.length > maxFindings ? [`And ${open.length - maxFindings} more.`] : []),
    ...(others > 0 ? [`${others} were announced or are accepted.`] : []),
    ...(provoked > 0 ? [`${provoked} were provoked by negative tests.`] : []),
    ...(profile
      ? [
          `## Requirements`,
          table(
            ['', 'requirement', 'result', 'evidence'],
            profile.requirements.map(({ id, title, result, what, how = '' }) => [id, plain(title), result, plain(`${what} ${how}`.trim())]),
          ),
        ]
      : []),
    ...(notProven.length === 0
      ? []
      : [`## Not proven`, notProven.map((each) => `- ${each.fails ? '**FAILED** ' : ''}${plain(notProvenText(each))}`).join('\n')]),
    ...(explorations.length === 0
      ? []
      : [
          `## Explorations`,
          table(
            explorationHead,
            explorationRows(report).map((row) => row.map(plain)),
          ),
        ]),
    ...(report.reconciliations.length === 0
      ? []
      : [`## Reconciliations`, ...report.reconciliations.slice(0, maxReconciliations).map(reconciliationSection)]),
    ...(report.reconciliations.length > maxReconciliations ? [`And ${report.reconciliations.length - maxReconciliations} more.`] : []),
    `## Coverage`,
    table(['what', 'covered'], coverageFigures(report)),
    ...(missing.length === 0
      ? []
      : [
          `<details><summary>${missing.length} missing</summary>\n\n${table(['what', 'item', 'state', 'how'], missing.slice(0, maxMissing))}\n\n</details>`,
        ]),
  ];
  return fitted(sections);
}

/** Joins as many sections as the limit allows. */
function fitted(sections: readonly string[]): string {
  const cut = '\n\nThe report was cut here. The JSON report is complete.\n';
  let text = '';
  for (const section of sections) {
    if (Buffer.byteLength(text) + Buffer.byteLength(section) + cut.length + 2 > maxMarkdownBytes) return text + cut;
    text += text === '' ? section : `\n\n${section}`;
  }
  return `${text}\n`;
}
