import type { JSX } from 'preact';
import type { Kinds } from '../../contract/control/kinds.js';
import { toneOf } from '../parts/status.js';

const box = { width: 104, height: 26, x: 132, y: 42 };

/** The column of each status: one more than that of the earliest before it. */
function columnsOf(statuses: readonly string[], transitions: Kinds['data'][number]['transitions']): Map<string, number> {
  const columns = new Map<string, number>([[statuses[0]!, 0]]);
  for (const from of columns.keys()) {
    for (const { to } of transitions.filter((each) => each.from === from)) if (!columns.has(to)) columns.set(to, columns.get(from)! + 1);
  }
  return columns;
}

/** The statuses of a kind and the ways between them, with those that were gone; beside it the same as a list, for those who do not see it. */
export function Diagram({ kind, states }: { readonly kind: Kinds['data'][number]; readonly states: readonly string[] }): JSX.Element {
  const { statuses, transitions } = kind;
  const columns = columnsOf(statuses, transitions);
  const rows = new Map<string, number>();
  const filled: number[] = [];
  for (const status of statuses) {
    const column = columns.get(status) ?? 0;
    filled[column] = (filled[column] ?? -1) + 1;
    rows.set(status, filled[column]);
  }
  const place = (status: string) => ({ x: 1 + (columns.get(status) ?? 0) * box.x, y: 1 + (rows.get(status) ?? 0) * box.y });
  const width = (Math.max(...columns.values()) + 1) * box.x;
  const height = Math.max(...filled.map((count) => count + 1)) * box.y;
  const gone = new Set(states.slice(1).map((to, index) => `${states[index]}>${to}`));
  return (
    <>
      <svg class="diagram" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {transitions.map(({ from, to }) => {
          const [start, end] = [place(from), place(to)];
          const y1 = start.y + box.height / 2;
          const y2 = end.y + box.height / 2;
          const [x1, x2] = end.x > start.x ? [start.x + box.width, end.x] : [start.x + box.width / 2, end.x + box.width / 2];
          const middle = end.x > start.x ? (x1 + x2) / 2 : x1 + 34;
          return (
            <path
              key={`${from}${to}`}
              class={gone.has(`${from}>${to}`) ? 'gone' : ''}
              d={`M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`}
            />
          );
        })}
        {statuses.map((status) => {
          const { x, y } = place(status);
          const isNow = states.at(-1) === status;
          return (
            <g key={status} class={isNow ? toneOf(status) : states.includes(status) ? 'past' : 'ahead'}>
              <rect x={x} y={y} width={box.width} height={box.height} rx={13} />
              <text x={x + box.width / 2} y={y + 17} text-anchor="middle">
                {status.toLowerCase().replaceAll('_', ' ')}
              </text>
            </g>
          );
        })}
      </svg>
      <ol class="unseen" aria-label="Statuses so far">
        {states.map((status, index) => (
          <li key={index}>{status}</li>
        ))}
      </ol>
    </>
  );
}
