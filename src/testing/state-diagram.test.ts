import { describe, expect, it } from 'vitest';
import { kinds } from '../domain/kinds.js';
import { boxHeight, drawingOf, pathOf, type Drawing, type Ways } from '../console/parts/routing.js';

const all = Object.entries(kinds).map(([name, { statuses, transitions }]): [string, Ways] => [
  name,
  {
    statuses: [...statuses],
    transitions: statuses.flatMap((from) => ((transitions as Record<string, readonly string[]>)[from] ?? []).map((to) => ({ from, to }))),
  },
]);

/** Returns the statuses whose boxes a route crosses. */
function crossed({ boxes, boxWidth }: Drawing, { points }: Drawing['routes'][number]): string[] {
  return boxes
    .filter(({ x, y }) =>
      points.slice(1).some((end, index) => {
        const start = points[index]!;
        const [left, right] = [Math.min(start.x, end.x), Math.max(start.x, end.x)];
        const [top, bottom] = [Math.min(start.y, end.y), Math.max(start.y, end.y)];
        return right > x && left < x + boxWidth && bottom > y && top < y + boxHeight;
      }),
    )
    .map(({ status }) => status);
}

describe('the diagram of statuses', () => {
  it.each(all)('draws every transition of %s once, around all boxes and inside the picture', (_name, ways) => {
    const drawing = drawingOf(ways);
    expect(drawing.routes.map(({ from, to }) => ({ from, to }))).toEqual(ways.transitions);
    for (const route of drawing.routes) {
      expect([route.from, route.to, crossed(drawing, route)]).toEqual([route.from, route.to, []]);
      for (const { x, y } of route.points) {
        expect(x).toBeGreaterThan(0);
        expect(x).toBeLessThan(drawing.width);
        expect(y).toBeGreaterThan(0);
        expect(y).toBeLessThan(drawing.height);
      }
      expect(pathOf(route)).not.toContain('NaN');
    }
  });

  it.each(all)('has room for the labels of %s, and no overlapping transitions', (_name, ways) => {
    const { routes, boxWidth } = drawingOf(ways);
    for (const status of ways.statuses) expect(boxWidth).toBeGreaterThan(status.length * 6.5 + 10);
    const level = routes.flatMap(({ points }) =>
      points.slice(1).flatMap((end, index) => {
        const start = points[index]!;
        return start.y === end.y && start.x !== end.x ? [`${start.y}`] : [];
      }),
    );
    expect(new Set(level).size).toBe(level.length);
  });
});
