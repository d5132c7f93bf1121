import type { Context } from 'hono';
import { contractHeaders } from '../plane/every-response.js';
import { builtDocument } from '../plane/built-page.js';
import { ReadyDocument } from '../plane/ready-document.js';
import { unrouted } from '../plane/unrouted.js';
import { checkControlToken } from '../plane/guard.js';
import { otherWays } from './other-ways.js';
import { receiverWithoutName } from './named-world.js';
import { partnerOf } from './partner.js';
import { ControlPlane, contractPath, type ControlPlaneOptions } from './plane.js';
import { serveAudit } from './routes/audit.js';
import { serveBooks } from './routes/books.js';
import { serveClock } from './routes/clock.js';
import { serveCoverage } from './routes/analysis/coverage.js';
import { serveConsole } from './routes/console.js';
import { serveDeliveries } from './routes/deliveries.js';
import { serveExploration } from './routes/analysis/exploration.js';
import { serveFaults } from './routes/faults.js';
import { serveFindings } from './routes/analysis/findings.js';
import { serveForcing } from './routes/forcing.js';
import { serveHealth } from './routes/health.js';
import { serveInboxes } from './routes/inboxes.js';
import { serveListeners } from './routes/listeners.js';
import { serveLists } from './routes/lists.js';
import { serveRecord } from './routes/analysis/record.js';
import { serveReconcile } from './routes/analysis/reconcile.js';
import { serveReplay } from './routes/analysis/replay.js';
import { serveReport } from './routes/analysis/report.js';
import { serveScenarios } from './routes/scenarios.js';
import { serveSettings } from './routes/settings.js';
import { serveState } from './routes/state.js';
import { serveSignatures } from './routes/signatures.js';
import { serveStatus } from './routes/status.js';
import { serveStream } from './routes/analysis/stream.js';
import { serveWaiting } from './routes/waiting.js';
import { serveWorlds } from './routes/worlds.js';

/** Creates the control API of a sandbox: everything under /_sandbox. */
export function createControlPlane(options: ControlPlaneOptions): ControlPlane {
  const plane = new ControlPlane(options);
  const { app } = plane;
  serveStatus(plane);
  serveHealth(plane);
  serveWorlds(plane);
  serveAudit(plane);
  serveClock(plane);
  serveForcing(plane);
  serveBooks(plane);
  serveLists(plane);
  serveScenarios(plane);
  serveDeliveries(plane);
  serveSignatures(plane);
  serveInboxes(plane);
  serveListeners(plane);
  serveFaults(plane);
  serveState(plane);
  serveFindings(plane);
  serveCoverage(plane);
  serveExploration(plane);
  serveReconcile(plane);
  serveReport(plane);
  serveWaiting(plane);
  serveStream(plane);
  serveRecord(plane);
  serveReplay(plane);
  serveSettings(plane);
  serveConsole(plane);

  const make = async () => JSON.stringify((await import('./document.js')).controlDocument(), null, 2);
  const document = new ReadyDocument(() => builtDocument('openapi-control.json', make));
  const contract = (c: Context) => {
    if (partnerOf(c) === undefined) checkControlToken(c.req.raw.headers, options);
    return document;
  };
  plane.serveDocument(contractPath, 'application/json', contract, contractHeaders);

  plane.serveDocument(
    '/metrics',
    'text/plain; version=0.0.4; charset=utf-8',
    () => options.metrics(),
    { 'Cache-Control': 'no-store' },
    'metrics',
  );

  app.notFound((c) => {
    const places = [...plane.routes, ...plane.documentPaths];
    return plane.reject(c, receiverWithoutName(c) ?? unrouted(places, c.req.method, c.req.path, contractPath, otherWays));
  });
  return plane;
}
