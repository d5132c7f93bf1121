import { getCoverageRoute } from '../../../../contract/control/routes/analysis/coverage.js';
import type { ControlPlane } from '../../plane.js';

export function serveCoverage(plane: ControlPlane): void {
  const { coverage } = plane.options.analysis;
  plane.serve(getCoverageRoute, ({ query: { tier, missing }, session: { world } }) => coverage.view(world, tier, missing === 'true'));
}
