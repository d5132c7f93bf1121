import { HealthSchema } from '../health.js';
import { defineRoute } from '../../shared/route.js';

export const getLivenessRoute = defineRoute({
  operationId: 'getLiveness',
  method: 'get',
  path: '/_sandbox/health/live',
  tag: 'Health',
  world: 'none',
  access: 'open',
  summary: 'Whether the process answers',
  description: 'For the liveness probe of an orchestrator: an answer is all that it takes. Needs no token.',
  status: 200,
  response: HealthSchema,
  errors: [],
});

export const getReadinessRoute = defineRoute({
  operationId: 'getReadiness',
  method: 'get',
  path: '/_sandbox/health/ready',
  tag: 'Health',
  world: 'none',
  access: 'open',
  summary: 'Whether requests are welcome',
  description: 'For the readiness probe of an orchestrator: 503 while the sandbox starts, stops, or cannot store anything. Needs no token.',
  status: 200,
  response: HealthSchema,
  errors: ['SERVICE_UNAVAILABLE'],
});

/** In the order of the document. */
export const healthRoutes = [getLivenessRoute, getReadinessRoute] as const;
