import type { OpenAPIHono } from '@hono/zod-openapi';
import { ControlPlane, type ControlPlaneOptions } from './plane.js';
import { serveHealth } from './routes/health.js';

/**
 * The control plane as a server starts with it: it tells of its health at once, and is loaded with the first other call.
 * A client of the API alone never makes one, and would wait for all of it.
 */
export function startControlApp(options: ControlPlaneOptions): OpenAPIHono {
  const plane = new ControlPlane(options);
  const { app } = plane;
  serveHealth(plane);
  let whole: Promise<OpenAPIHono> | undefined;
  const load = () => (whole ??= import('./app.js').then(({ createControlApp }) => createControlApp(options)));
  app.notFound(async (c) => (await load()).fetch(c.req.raw, c.env));
  return app;
}
