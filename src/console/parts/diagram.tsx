import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Kinds } from '../../contract/control/kinds.js';
import { boxHeight, drawingOf, pathOf } from './routing.js';
import { inWords } from './words.js';

type Kind = Kinds['data'][number];

/** A diagram of the statuses of a kind and their transitions. Screen readers skip the diagram, so show its content as a list too. */
export function Diagram({
  kind,
  classOfStatus,
  classOfWay,
}: {
  readonly kind: Kind;
  readonly classOfStatus: (status: string) => string;
  readonly classOfWay: (from: string, to: string) => string;
}): JSX.Element {
  const { boxes, routes, width, height, boxWidth } = useMemo(() => drawingOf(kind), [kind]);
  return (
    <svg class="diagram" viewBox={`0 0 ${width} ${height}`} style={{ maxWidth: `${width}px` }} aria-hidden="true">
      {routes.map((route) => (
        <path key={`${route.from}${route.to}`} class={classOfWay(route.from, route.to)} d={pathOf(route)} />
      ))}
      {boxes.map(({ status, x, y }) => (
        <g key={status} class={classOfStatus(status)}>
          <rect x={x} y={y} width={boxWidth} height={boxHeight} rx={13} />
          <text x={x + boxWidth / 2} y={y + 17} text-anchor="middle">
            {inWords(status)}
          </text>
        </g>
      ))}
    </svg>
  );
}
