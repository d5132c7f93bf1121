import type { Cell } from '../../contract/control/analysis/coverage.js';

/** How a cell is shown: the status whose tone it has, its sign, its word. */
const looks: Readonly<Record<Cell['state'], { readonly tone: string; readonly sign: string; readonly word: string }>> = {
  COVERED: { tone: 'ok', sign: '✓', word: 'covered' },
  PASSED: { tone: 'ok', sign: '✓', word: 'passed' },
  FAILED: { tone: 'bad', sign: '✕', word: 'failed' },
  PENDING: { tone: 'wait', sign: '◐', word: 'pending' },
  NOT_COVERED: { tone: 'left', sign: '○', word: 'not covered' },
};

export const lookOf = ({ state }: Pick<Cell, 'state'>) => looks[state];

/** Whether something is left to do about a cell. */
export const isLeft = ({ state }: Cell): boolean => state === 'NOT_COVERED' || state === 'FAILED' || state === 'PENDING';

/** The two parts of the name of a cell: `createQuote` and `503`. */
export function partsOf({ id }: Cell): readonly [row: string, column: string] {
  const at = id.indexOf('.');
  return at === -1 ? [id, ''] : [id.slice(0, at), id.slice(at + 1)];
}
