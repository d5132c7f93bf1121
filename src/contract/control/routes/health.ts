import { HealthSchema } from '../health.js';
import { defineRoute } from '../../shared/route.js';

export const getLivenessRoute = defineRoute({
  operationId: 'getLiveness',
  method: 'get',
  path: '/_sandbox/health/live',
  tag: 'Health',
  world: 'none',
  access: 'open',
  lane: 'health',
  summary: 'Check that the process is alive',
  description: 'For the liveness probe of an orchestrator: any response means that the process is alive. Needs no token.',
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
  lane: 'health',
  summary: 'Check that the sandbox accepts requests',
  description: 'For the readiness probe of an orchestrator: 503 while the sandbox starts, stops, or cannot store data. Needs no token.',
  status: 200,
  response: HealthSchema,
  errors: ['SERVICE_UNAVAILABLE'],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const healthRoutes = [getLivenessRoute, getReadinessRoute] as const;
