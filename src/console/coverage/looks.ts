import type { Cell } from '../../contract/control/mirror/coverage.js';

/** How a cell is shown: the status whose tone it has, its sign, its word. */
const looks: Readonly<Record<Cell['state'], { readonly tone: string; readonly sign: string; readonly word: string }>> = {
  MET: { tone: 'ok', sign: '✓', word: 'met' },
  SURVIVED: { tone: 'ok', sign: '✓', word: 'survived' },
  FAILED: { tone: 'bad', sign: '✕', word: 'failed' },
  OPEN: { tone: 'wait', sign: '◐', word: 'open' },
  NOT_MET: { tone: 'left', sign: '○', word: 'not met' },
};

export const lookOf = ({ state }: Pick<Cell, 'state'>) => looks[state];

/** Whether something is left to do about a cell. */
export const isLeft = ({ state }: Cell): boolean => state === 'NOT_MET' || state === 'FAILED' || state === 'OPEN';

/** The two parts of the name of a cell: `createQuote` and `503`. */
export function partsOf({ id }: Cell): readonly [row: string, column: string] {
  const at = id.indexOf('.');
  return at === -1 ? [id, ''] : [id.slice(0, at), id.slice(at + 1)];
}
