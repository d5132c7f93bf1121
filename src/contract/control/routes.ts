import { statusRoutes } from './routes/status.js';
import { healthRoutes } from './routes/health.js';
import { worldRoutes } from './routes/worlds.js';
import { auditRoutes } from './routes/audit.js';
import { clockRoutes } from './routes/clock.js';
import { allForcingRoutes } from './routes/forcing.js';
import { bookRoutes } from './routes/books.js';
import { listRoutes } from './routes/lists.js';
import { scenarioRoutes } from './routes/scenarios.js';
import { deliveryRoutes } from './routes/deliveries.js';
import { signatureRoutes } from './routes/signatures.js';
import { inboxRoutes } from './routes/inboxes.js';
import { listenerRoutes } from './routes/listeners.js';
import { faultRoutes } from './routes/faults.js';
import { stateRoutes } from './routes/state.js';
import { findingRoutes } from './routes/analysis/findings.js';
import { clientRoutes } from './routes/analysis/client.js';
import { coverageRoutes } from './routes/analysis/coverage.js';
import { explorationRoutes } from './routes/analysis/exploration.js';
import { reconcileRoutes } from './routes/analysis/reconcile.js';
import { reportRoutes } from './routes/analysis/report.js';
import { streamRoutes } from './routes/analysis/stream.js';
import { waitingRoutes } from './routes/waiting.js';
import { recordRoutes } from './routes/analysis/record.js';
import { replayRoutes } from './routes/analysis/replay.js';
import { settingsRoutes } from './routes/settings.js';
import type { AnyRoute } from '../shared/route.js';

/** The operations of the control API, in the order of its OpenAPI document. */
export const controlRoutes = [
  ...statusRoutes,
  ...healthRoutes,
  ...worldRoutes,
  ...auditRoutes,
  ...clockRoutes,
  ...allForcingRoutes,
  ...bookRoutes,
  ...listRoutes,
  ...scenarioRoutes,
  ...deliveryRoutes,
  ...signatureRoutes,
  ...inboxRoutes,
  ...listenerRoutes,
  ...faultRoutes,
  ...stateRoutes,
  ...findingRoutes,
  ...coverageRoutes,
  ...explorationRoutes,
  ...reconcileRoutes,
  ...reportRoutes,
  ...clientRoutes,
  ...streamRoutes,
  ...waitingRoutes,
  ...recordRoutes,
  ...replayRoutes,
  ...settingsRoutes,
] as unknown as readonly AnyRoute[];
