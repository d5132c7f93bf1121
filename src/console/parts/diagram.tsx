import type { JSX } from 'preact';
import type { Kinds } from '../../contract/control/kinds.js';
import { inWords } from './words.js';

type Kind = Kinds['data'][number];

const box = { width: 96, height: 26, x: 112, y: 44 };

/** The column of each status: one more than that of the earliest before it, and the last for those that nothing follows. */
function columnsOf({ statuses, transitions }: Kind): Map<string, number> {
  const ends = statuses.filter((status) => transitions.every(({ from }) => from !== status));
  const columns = new Map<string, number>([[statuses[0]!, 0]]);
  for (const from of columns.keys()) {
    for (const { to } of transitions.filter((each) => each.from === from)) {
      if (!columns.has(to) && !ends.includes(to)) columns.set(to, columns.get(from)! + 1);
    }
  }
  const last = Math.max(...columns.values()) + 1;
  for (const end of ends) columns.set(end, last);
  return columns;
}

/** Where each status stands, and how large the whole is. Detours stand lower, so that the straight way to the end stays free. */
function layoutOf(kind: Kind) {
  const columns = columnsOf(kind);
  const last = Math.max(...columns.values());
  const next: number[] = Array.from({ length: last + 1 }, (_, column) => (column >= 2 && column < last ? 1 : 0));
  const places = new Map(
    kind.statuses.map((status) => {
      const column = columns.get(status) ?? 0;
      const row = next[column]!;
      next[column] = row + 1;
      return [status, { x: 1 + column * box.x, y: 1 + row * box.y }] as const;
    }),
  );
  return { places, width: last * box.x + box.width + 2, height: (Math.max(...next) - 1) * box.y + box.height + 2 };
}

/** The line from one status to another: a curve to the right, or an arc below to where it came from. */
function wayBetween(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const [middle, half] = [box.width / 2, box.height / 2];
  if (to.x > from.x) {
    const bend = (from.x + box.width + to.x) / 2;
    return `M${from.x + box.width} ${from.y + half} C${bend} ${from.y + half} ${bend} ${to.y + half} ${to.x} ${to.y + half}`;
  }
  if (to.x < from.x) {
    const low = Math.max(from.y, to.y) + box.height;
    const [start, end] = [from.x + middle, to.x + middle];
    return `M${start} ${from.y + box.height} C${start} ${low + 14} ${end} ${low + 14} ${end} ${to.y + box.height}`;
  }
  const [start, end] = to.y > from.y ? [from.y + box.height, to.y] : [from.y, to.y + box.height];
  const side = from.x + middle + (to.y > from.y ? 12 : -12);
  return `M${side} ${start} L${side} ${end}`;
}

/** The statuses of a kind and the ways between them. It is for those who see it: beside it the same has to stand as a list. */
export function Diagram({
  kind,
  classOfStatus,
  classOfWay,
}: {
  readonly kind: Kind;
  readonly classOfStatus: (status: string) => string;
  readonly classOfWay: (from: string, to: string) => string;
}): JSX.Element {
  const { places, width, height } = layoutOf(kind);
  return (
    <svg class="diagram" viewBox={`0 0 ${width} ${height + 12}`} style={{ maxWidth: `${width}px` }} aria-hidden="true">
      {kind.transitions.map(({ from, to }) => (
        <path key={`${from}${to}`} class={classOfWay(from, to)} d={wayBetween(places.get(from)!, places.get(to)!)} />
      ))}
      {kind.statuses.map((status) => {
        const { x, y } = places.get(status)!;
        return (
          <g key={status} class={classOfStatus(status)}>
            <rect x={x} y={y} width={box.width} height={box.height} rx={13} />
            <text x={x + box.width / 2} y={y + 17} text-anchor="middle">
              {inWords(status)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
