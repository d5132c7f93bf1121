import { HealthSchema } from '../../contract/control/health.js';
import { DomainError } from '../../domain/errors.js';
import { defineRoute } from '../../web/route.js';
import type { ControlPlane } from '../plane.js';

const live = defineRoute({
  operationId: 'getLiveness',
  method: 'get',
  path: '/_sandbox/health/live',
  tag: 'Health',
  summary: 'Whether the process answers',
  status: 200,
  response: HealthSchema,
  errors: [],
});

const ready = defineRoute({
  operationId: 'getReadiness',
  method: 'get',
  path: '/_sandbox/health/ready',
  tag: 'Health',
  summary: 'Whether requests are welcome',
  status: 200,
  response: HealthSchema,
  errors: ['SERVICE_UNAVAILABLE'],
});

export function serveHealth(plane: ControlPlane): void {
  plane.serve(live, () => ({ status: 'live' }));
  plane.serve(ready, () => {
    if (!plane.options.isReady()) throw new DomainError('SERVICE_UNAVAILABLE', 'The sandbox is stopping.');
    return { status: 'ready' };
  });
}
