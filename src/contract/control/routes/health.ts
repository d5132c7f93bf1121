import { HealthSchema } from '../health.js';
import { defineRoute } from '../../shared/route.js';

export const live = defineRoute({
  operationId: 'getLiveness',
  method: 'get',
  path: '/_sandbox/health/live',
  tag: 'Health',
  world: 'none',
  access: 'open',
  summary: 'Whether the process answers',
  status: 200,
  response: HealthSchema,
  errors: [],
});

export const ready = defineRoute({
  operationId: 'getReadiness',
  method: 'get',
  path: '/_sandbox/health/ready',
  tag: 'Health',
  world: 'none',
  access: 'open',
  summary: 'Whether requests are welcome',
  status: 200,
  response: HealthSchema,
  errors: ['SERVICE_UNAVAILABLE'],
});
