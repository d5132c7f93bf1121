/** Statuses and the ways between them, as the sandbox lists them. */
export interface Ways {
  readonly statuses: readonly string[];
  readonly transitions: readonly { readonly from: string; readonly to: string }[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A status with its place. */
export interface Box extends Point {
  readonly status: string;
}

/** A way from one status to another, around all others. */
export interface Route {
  readonly from: string;
  readonly to: string;
  /** Its corners from the edge of one box to the edge of the other: each part is upright or level. */
  readonly points: readonly Point[];
}

export interface Drawing {
  readonly boxes: readonly Box[];
  readonly routes: readonly Route[];
  readonly width: number;
  readonly height: number;
  readonly boxWidth: number;
}

/** Sizes in pixels. A letter is the widest usual one in the font of the labels. */
const letter = 6.7;
export const boxHeight = 26;
const [labelMargin, sideGap, endGap, track, lane, portMargin] = [20, 26, 12, 6, 5, 16];

/** The layer of each status: one more than that of the earliest before it, and the last for those that nothing follows. */
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

/** The places of statuses in layers and columns. Detours stand aside, so that the straight way to the end stays free. */
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

/** A way before its corners have numbers: where it leaves, passes and arrives. */
interface Plan {
  readonly from: string;
  readonly to: string;
  readonly start: Cell;
  readonly end: Cell;
  /** The gaps below layers in which it goes sideways: one, or one on each side of the layers that it passes. */
  readonly gaps: readonly number[];
  /** Where it passes layers: in a column without boxes there, or beside one. */
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

/** Gives each of some things a number of its own among those with the same key. */
function numberer(): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count;
  };
}

/** Whether a way leaves, or arrives at, the lower edge of a box. */
const leavesBelow = ({ start, end }: Plan): boolean => end.layer >= start.layer;
const arrivesBelow = ({ start, end }: Plan): boolean => end.layer <= start.layer;

/** Places statuses in layers from top to bottom, and leads each way between them around all boxes. */
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

/** Spreads the ends of ways along the edges of their boxes, in the order of the other ends. @returns where an end is */
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

/** The radius of corners. */
const radius = 4;

/** A route as the path of an SVG, with round corners and the head of an arrow at its end. */
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

/** The point near a corner on the way to another: at the radius, or half way if that is nearer. */
function towards(corner: Point, other: Point): Point {
  const by = (from: number, to: number) => from + Math.sign(to - from) * Math.min(radius, Math.abs(to - from) / 2);
  return { x: by(corner.x, other.x), y: by(corner.y, other.y) };
}
