import type { OpenAPIHono } from '@hono/zod-openapi';
import { DurationSchema, RealDurationSchema } from '../contract/duration.js';
import { writeDocument } from '../web/document.js';
import { documentErrors, documentRoute } from '../web/route.js';
import { unrouted } from '../web/unrouted.js';
import { checkControlToken } from '../web/guard.js';
import { ControlPlane, shared, type ControlPlaneOptions } from './plane.js';
import { serveBooks } from './routes/books.js';
import { serveClock } from './routes/clock.js';
import { serveDeliveries } from './routes/deliveries.js';
import { serveFaults } from './routes/faults.js';
import { serveForcing } from './routes/forcing.js';
import { serveHealth } from './routes/health.js';
import { serveInboxes } from './routes/inboxes.js';
import { serveLists } from './routes/lists.js';
import { serveOnboarding } from './routes/onboarding.js';
import { serveScenarios } from './routes/scenarios.js';
import { serveSettings } from './routes/settings.js';
import { serveState } from './routes/state.js';
import { serveWaiting } from './routes/waiting.js';
import { serveWorlds } from './routes/worlds.js';

const about = {
  title: 'Sandbox control plane',
  description: 'What a tester has beyond the public API: worlds, time, forced outcomes, scenarios.',
  tags: [
    { name: 'Worlds', description: 'Isolated copies of everything, one for each client credential.' },
    { name: 'Clock', description: 'The time of a world.' },
    { name: 'Forcing', description: 'Make an outcome happen now.' },
    { name: 'Books', description: 'Balances, the ledger and quotes.' },
    { name: 'Reads', description: 'Lists that the public API does not have.' },
    { name: 'Scenarios', description: 'What happens by itself.' },
    { name: 'Webhooks', description: 'Events on demand, and what becomes of them.' },
    { name: 'Inboxes', description: 'Receivers inside the sandbox, for tests without an endpoint of their own.' },
    { name: 'Settings', description: 'Rates, fees, times and policies of a world.' },
    { name: 'Why', description: 'What led to what, and waiting for it.' },
    { name: 'State', description: 'Worlds as documents and snapshots.' },
    { name: 'Faults', description: 'What goes wrong on the way.' },
    { name: 'Health', description: 'For the orchestrator.' },
  ],
};

/** The OpenAPI document of the control plane. */
function controlDocument({ app, routes }: ControlPlane): unknown {
  for (const route of routes) documentRoute(app, route, shared);
  app.openAPIRegistry.registerComponent('securitySchemes', 'controlToken', {
    type: 'http',
    scheme: 'bearer',
    description: 'Only when SANDBOX_CONTROL_TOKEN is set.',
  });
  documentErrors(app);
  // First, since what the first field to name a shape says of it would become the shape's own.
  app.openAPIRegistry.register('Duration', DurationSchema);
  app.openAPIRegistry.register('RealDuration', RealDurationSchema);
  return writeDocument(app, about);
}

/** The control plane of a sandbox: everything under /_sandbox. */
export function createControlApp(options: ControlPlaneOptions): OpenAPIHono {
  return createControlPlane(options).app;
}

/** The control plane with everything it serves, for those who also want to know its routes. */
export function createControlPlane(options: ControlPlaneOptions): ControlPlane {
  const plane = new ControlPlane(options);
  const { app } = plane;
  serveHealth(plane);
  serveWorlds(plane);
  serveClock(plane);
  serveForcing(plane);
  serveBooks(plane);
  serveLists(plane);
  serveOnboarding(plane);
  serveScenarios(plane);
  serveDeliveries(plane);
  serveInboxes(plane);
  serveFaults(plane);
  serveState(plane);
  serveWaiting(plane);
  serveSettings(plane);

  let json: string | undefined;
  const path = '/_sandbox/openapi.json';
  plane.documentPaths.push({ method: 'get', path });
  app.get(path, (c) =>
    plane.answer(c, () => {
      checkControlToken(c.req.raw.headers, options);
      return Promise.resolve({ status: 200, body: (json ??= JSON.stringify(controlDocument(plane), null, 2)), headers: {} });
    }),
  );

  app.notFound((c) =>
    plane.answer(c, () => {
      throw unrouted([...plane.routes, ...plane.documentPaths], c.req.method, c.req.path, path);
    }),
  );
  app.onError((error, c) =>
    plane.answer(c, () => {
      throw error;
    }),
  );
  return plane;
}
