import type { JSX } from 'preact';
import type { CoverageItem } from '../../contract/control/analysis/coverage.js';
import { linkTo, show, shownItem } from '../router.js';
import { presentationOf, partsOf } from './looks.js';

/** A link to the pane of a coverage item. */
export function CellLink({
  dimension,
  cell,
  text,
}: {
  readonly dimension: string;
  readonly cell: CoverageItem;
  readonly text?: string;
}): JSX.Element {
  const pane = `coverage/${dimension}/${cell.id}`;
  const { tone, sign, word } = presentationOf(cell);
  return (
    <a
      class={`cell ${tone}`}
      href={linkTo({ query: { show: pane } })}
      aria-current={shownItem.value === pane ? 'true' : undefined}
      aria-label={`${cell.id}: ${word}`}
      title={`${cell.id}: ${word}${cell.count > 0 ? `, ${cell.count} times` : ''}`}
      onClick={(event) => (event.preventDefault(), show(pane))}
    >
      {sign}
      {text !== undefined && ` ${text}`}
    </a>
  );
}

/** Coverage items as a table, for a dimension with few columns. */
export function Matrix({ dimension, cells }: { readonly dimension: string; readonly cells: readonly CoverageItem[] }): JSX.Element {
  const rows = new Map<string, Map<string, CoverageItem>>();
  const columns = new Set<string>();
  for (const cell of cells) {
    const [row, column] = partsOf(cell);
    columns.add(column);
    rows.set(row, (rows.get(row) ?? new Map<string, CoverageItem>()).set(column, cell));
  }
  const heads = [...columns].toSorted((a, b) => (/^\d+$/.test(a) && /^\d+$/.test(b) ? Number(a) - Number(b) : 0));
  return (
    <div class="wide-table" tabIndex={0} role="region" aria-label={`${dimension} as a matrix`}>
      <table class="matrix">
        <thead>
          <tr>
            <td />
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...rows].map(([row, own]) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              {heads.map((head) => {
                const cell = own.get(head);
                return <td key={head}>{cell !== undefined && <CellLink dimension={dimension} cell={cell} />}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Coverage items grouped by the first part of their ids, for a dimension whose second parts differ in each group. */
export function Chips({ dimension, cells }: { readonly dimension: string; readonly cells: readonly CoverageItem[] }): JSX.Element {
  const rows = new Map<string, CoverageItem[]>();
  for (const cell of cells) {
    const [row, column] = partsOf(cell);
    const name = column === '' ? '' : row;
    rows.set(name, [...(rows.get(name) ?? []), cell]);
  }
  return (
    <dl class="chips">
      {[...rows].map(([row, own]) => (
        <div key={row}>
          {row !== '' && <dt>{row}</dt>}
          <dd>
            {own.map((cell) => (
              <CellLink key={cell.id} dimension={dimension} cell={cell} text={partsOf(cell)[1] || cell.id} />
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
