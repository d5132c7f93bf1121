import { getExplorationRoute, putExplorationRoute } from '../../../../contract/control/routes/analysis/exploration.js';
import { notFound } from '../../../../domain/errors.js';
import type { ControlPlane } from '../../plane.js';

export function serveExploration(plane: ControlPlane): void {
  const { explorations } = plane.options.analysis;
  plane.serve(putExplorationRoute, ({ body, session: { world } }) => explorations.put(world, body));
  plane.serve(getExplorationRoute, ({ session: { world } }) => {
    const exploration = explorations.of(world);
    if (!exploration) throw notFound('exploration', { world: world.identity.name });
    return exploration;
  });
}
