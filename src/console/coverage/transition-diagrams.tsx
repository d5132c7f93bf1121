import type { JSX } from 'preact';
import type { CoverageItem } from '../../contract/control/analysis/coverage.js';
import type { Kinds } from '../../contract/control/kinds.js';
import { Diagram } from '../parts/diagram.js';
import { useLoaded } from '../parts/loaded.js';
import { CellLink } from './matrix.js';
import { inWords } from '../parts/words.js';

/** Status transitions in one diagram for each kind of resource, each with its coverage. */
export function TransitionDiagrams({
  dimension,
  cells,
}: {
  readonly dimension: string;
  readonly cells: readonly CoverageItem[];
}): JSX.Element {
  const { value: kinds } = useLoaded<Kinds>('/kinds');
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  return (
    <div class="ways">
      {(kinds?.data ?? []).map((kind) => {
        const own = kind.transitions.map(({ from, to }) => byId.get(`${kind.kind}.${from}.${to}`)).filter((cell) => cell !== undefined);
        const covered = new Set(own.filter(({ state }) => state === 'COVERED').flatMap(({ id }) => id.split('.').slice(1)));
        return own.length === 0 ? null : (
          <figure key={kind.kind}>
            <figcaption>{inWords(kind.kind)}</figcaption>
            <Diagram
              kind={kind}
              classOf={(status) => (covered.has(status) ? 'now ok' : '')}
              noteOf={(status) => (covered.has(status) ? ', covered' : '')}
            >
              {(from, to) => {
                const cell = byId.get(`${kind.kind}.${from}.${to}`);
                return cell === undefined ? inWords(to) : <CellLink dimension={dimension} cell={cell} text={inWords(to)} />;
              }}
            </Diagram>
          </figure>
        );
      })}
    </div>
  );
}
