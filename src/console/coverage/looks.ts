import type { CoverageItem } from '../../contract/control/analysis/coverage.js';

/** The CSS class, the sign and the word for each state of a coverage item. */
const looks: Readonly<Record<CoverageItem['state'], { readonly tone: string; readonly sign: string; readonly word: string }>> = {
  COVERED: { tone: 'ok', sign: '✓', word: 'covered' },
  PASSED: { tone: 'ok', sign: '✓', word: 'passed' },
  FAILED: { tone: 'bad', sign: '✕', word: 'failed' },
  PENDING: { tone: 'wait', sign: '◐', word: 'pending' },
  NOT_COVERED: { tone: 'left', sign: '○', word: 'not covered' },
};

export const presentationOf = ({ state }: Pick<CoverageItem, 'state'>) => looks[state];

/** Whether the client still has to cover or pass a coverage item. */
export const isUncovered = ({ state }: CoverageItem): boolean => state === 'NOT_COVERED' || state === 'FAILED' || state === 'PENDING';

/** Returns the two parts of the id of a coverage item, for example `createQuote` and `503`. */
export function partsOf({ id }: CoverageItem): readonly [row: string, column: string] {
  const at = id.indexOf('.');
  return at === -1 ? [id, ''] : [id.slice(0, at), id.slice(at + 1)];
}
