/** Statuses and transitions of a kind of resource, as the sandbox lists them. */
export interface Ways {
  readonly statuses: readonly string[];
  readonly transitions: readonly { readonly from: string; readonly to: string }[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A status with the upper left corner of its box. */
export interface Box extends Point {
  readonly status: string;
}

/** The line of a transition, around all other boxes. */
export interface Route {
  readonly from: string;
  readonly to: string;
  /** The corners of the line, from the edge of one box to the edge of the other. Each segment is vertical or horizontal. */
  readonly points: readonly Point[];
}

export interface Drawing {
  readonly boxes: readonly Box[];
  readonly routes: readonly Route[];
  readonly width: number;
  readonly height: number;
  readonly boxWidth: number;
}

/** Width of a wide letter in the font of the labels. This and the following sizes are in pixels. */
const letter = 6.7;
export const boxHeight = 26;
const [labelMargin, sideGap, endGap, track, lane, portMargin] = [20, 26, 12, 6, 5, 16];

/** Returns the layer of each status: one more than its earliest predecessor; the last layer for final statuses. */
function layersOf({ statuses, transitions }: Ways): Map<string, number> {
  const ends = new Set(statuses.filter((status) => transitions.every(({ from }) => from !== status)));
  const layers = new Map<string, number>([[statuses[0]!, 0]]);
  for (const from of layers.keys()) {
    for (const { to } of transitions.filter((each) => each.from === from)) {
      if (!layers.has(to) && !ends.has(to)) layers.set(to, layers.get(from)! + 1);
    }
  }
  const last = Math.max(...layers.values()) + 1;
  for (const status of statuses) if (!layers.has(status)) layers.set(status, last);
  return layers;
}

interface Cell {
  readonly layer: number;
  readonly column: number;
}

/** Returns the layer and column of each status. From layer 2 to the last but one, column 0 stays empty for lines. */
function cellsOf(ways: Ways): Map<string, Cell> {
  const layers = layersOf(ways);
  const last = Math.max(...layers.values());
  const next = Array.from<unknown, number>({ length: last + 1 }, (_, layer) => (layer >= 2 && layer < last ? 1 : 0));
  return new Map(
    ways.statuses.map((status) => {
      const layer = layers.get(status)!;
      const column = next[layer]!;
      next[layer] = column + 1;
      return [status, { layer, column }] as const;
    }),
  );
}

/** The course of a line before its coordinates are known. */
interface Plan {
  readonly from: string;
  readonly to: string;
  readonly start: Cell;
  readonly end: Cell;
  /** The gaps in which the line is horizontal, by the layer above: one gap, or one on each side of the layers that the line passes. */
  readonly gaps: readonly number[];
  /** The column in which the line passes other layers, or the column to its left (`isBeside`); null if it passes none. */
  readonly pass: { readonly column: number; readonly isBeside: boolean } | null;
}

function planOf(from: string, to: string, cells: Map<string, Cell>): Plan {
  const [start, end] = [cells.get(from)!, cells.get(to)!];
  const isDown = end.layer > start.layer;
  const [upper, lower] = isDown ? [start.layer, end.layer] : [end.layer, start.layer];
  const first = isDown ? start.layer : start.layer - 1;
  const second = isDown ? end.layer - 1 : end.layer;
  if (start.layer === end.layer) return { from, to, start, end, gaps: [start.layer], pass: null };
  if (lower - upper === 1) return { from, to, start, end, gaps: [upper], pass: null };
  const isFree = (column: number) =>
    [...cells.values()].every((cell) => cell.column !== column || cell.layer <= upper || cell.layer >= lower);
  const column = [start.column, end.column].find(isFree);
  const pass = column === undefined ? { column: Math.max(start.column, end.column), isBeside: true } : { column, isBeside: false };
  return { from, to, start, end, gaps: [first, second], pass };
}

/** Returns a function that numbers its calls with the same key, from 0. */
function numberer(): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count;
  };
}

/** Whether a line starts at the lower edge of a box. */
const leavesBelow = ({ start, end }: Plan): boolean => end.layer >= start.layer;
/** Whether a line ends at the lower edge of a box. */
const arrivesBelow = ({ start, end }: Plan): boolean => end.layer <= start.layer;

/** Places statuses in layers from top to bottom, and routes the line of each transition around all boxes. */
export function drawingOf(ways: Ways): Drawing {
  const cells = cellsOf(ways);
  const boxWidth = Math.ceil(Math.max(...ways.statuses.map(({ length }) => length)) * letter) + labelMargin;
  const plans = ways.transitions.map(({ from, to }) => planOf(from, to, cells));
  const layerCount = Math.max(...Array.from(cells.values(), ({ layer }) => layer)) + 1;
  const columnCount = Math.max(...Array.from(cells.values(), ({ column }) => column)) + 1;
  const tracks = Array.from({ length: layerCount }, (_, gap) =>
    plans.reduce((sum, { gaps }) => sum + gaps.filter((each) => each === gap).length, 0),
  );
  const tops: number[] = [1];
  for (let layer = 0; layer < layerCount; layer += 1) tops.push(tops[layer]! + boxHeight + 2 * endGap + tracks[layer]! * track);
  const leftOf = (column: number) => 1 + column * (boxWidth + sideGap);
  const portX = portsOf(plans, ways.statuses, cells, leftOf, boxWidth);
  const nextTrack = numberer();
  const nextLane = numberer();
  const trackY = (gap: number) => tops[gap]! + boxHeight + endGap + nextTrack(String(gap)) * track;
  const routes = plans.map((plan, index): Route => {
    const { from, to, start, end, gaps, pass } = plan;
    const leave = { x: portX(index, 'from'), y: tops[start.layer]! + (leavesBelow(plan) ? boxHeight : 0) };
    const arrive = { x: portX(index, 'to'), y: tops[end.layer]! + (arrivesBelow(plan) ? boxHeight : 0) };
    const first = trackY(gaps[0]!);
    if (pass === null) return { from, to, points: [leave, { x: leave.x, y: first }, { x: arrive.x, y: first }, arrive] };
    const number = nextLane(`${pass.column} ${pass.isBeside}`);
    const x = pass.isBeside ? leftOf(pass.column) + boxWidth + lane * (number + 1) : leftOf(pass.column) + boxWidth / 2 + lane * number;
    const second = trackY(gaps[1]!);
    const points = [leave, { x: leave.x, y: first }, { x, y: first }, { x, y: second }, { x: arrive.x, y: second }, arrive];
    return { from, to, points };
  });
  const boxes = ways.statuses.map((status) => {
    const { layer, column } = cells.get(status)!;
    return { status, x: leftOf(column), y: tops[layer]! };
  });
  const corners = routes.flatMap(({ points }) => points);
  return {
    boxes,
    routes,
    boxWidth,
    width: Math.max(leftOf(columnCount - 1) + boxWidth, ...corners.map(({ x }) => x)) + 2,
    height: Math.max(tops[layerCount - 1]! + boxHeight, ...corners.map(({ y }) => y)) + 2,
  };
}

/** Spreads the ends of lines along the edges of their boxes, in the order of the opposite ends. @returns the x coordinate of an end */
function portsOf(
  plans: readonly Plan[],
  statuses: readonly string[],
  cells: Map<string, Cell>,
  leftOf: (column: number) => number,
  boxWidth: number,
): (plan: number, end: 'from' | 'to') => number {
  const places = new Map<string, number>();
  for (const status of statuses) {
    for (const isBelow of [true, false]) {
      const ends = plans.flatMap((plan, index) => [
        ...(plan.from === status && leavesBelow(plan) === isBelow ? [{ key: `${index} from`, other: plan.end.column }] : []),
        ...(plan.to === status && arrivesBelow(plan) === isBelow ? [{ key: `${index} to`, other: plan.start.column }] : []),
      ]);
      const left = leftOf(cells.get(status)!.column) + portMargin;
      const room = boxWidth - 2 * portMargin;
      ends
        .toSorted((a, b) => a.other - b.other)
        .forEach(({ key }, index) => places.set(key, left + (ends.length === 1 ? room / 2 : (room * index) / (ends.length - 1))));
    }
  }
  return (plan, end) => places.get(`${plan} ${end}`)!;
}

/** Radius of corners in pixels. */
const radius = 4;

/** Returns a route as an SVG path, with round corners and an arrowhead at its end. */
export function pathOf({ points }: Route): string {
  const way = points.filter(({ x, y }, index) => index === 0 || x !== points[index - 1]!.x || y !== points[index - 1]!.y);
  const [start, end] = [way[0]!, way.at(-1)!];
  let path = `M${start.x} ${start.y}`;
  for (let index = 1; index < way.length - 1; index += 1) {
    const [before, corner, after] = [way[index - 1]!, way[index]!, way[index + 1]!];
    const [near, far] = [towards(corner, before), towards(corner, after)];
    path += ` L${near.x} ${near.y} Q${corner.x} ${corner.y} ${far.x} ${far.y}`;
  }
  const back = end.y > way.at(-2)!.y ? -5 : 5;
  return `${path} L${end.x} ${end.y} M${end.x - 3} ${end.y + back} L${end.x} ${end.y} L${end.x + 3} ${end.y + back}`;
}

/** Returns the point on the line from a corner to another where the rounding ends: at the radius, or halfway if that is nearer. */
function towards(corner: Point, other: Point): Point {
  const by = (from: number, to: number) => from + Math.sign(to - from) * Math.min(radius, Math.abs(to - from) / 2);
  return { x: by(corner.x, other.x), y: by(corner.y, other.y) };
}
