import recorded from '../../openapi/control-examples.json' with { type: 'json' };
import { OpenAPIHono, z } from '@hono/zod-openapi';
import { controlRoutes } from '../contract/control/routes.js';
import { writeDocument } from '../web/openapi/document.js';
import { documentRoute, errorShapes, type PlaneDocumentation, type RouteExamples } from '../web/openapi/route.js';

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

/** What the sandbox answered when the examples were recorded. */
const { operations, refusals }: { operations: Record<string, RouteExamples>; refusals: Record<string, unknown> } = recorded;

/** What the document says of all operations of the plane. */
const documentation: PlaneDocumentation = {
  examples: ({ operationId }) => ({ ...operations[operationId], refusals }),
  emptyBodyAllowed: true,
  requestHeaders: (route) =>
    route.world
      ? undefined
      : z.object({
          'X-Sandbox-World': z.string().optional().meta({
            description:
              'The world meant, which the query `world` names as well. Without one, that of a public token in Authorization, else `default`.',
            example: 'default',
          }),
        }),
  responseHeaders: () => ({
    'X-Request-Id': { description: 'Names this very answer.', required: true, schema: { type: 'string' } },
  }),
  errors: (route) => [
    ...(route.world && !route.params && !route.query && !route.body ? [] : (['INVALID_DATA'] as const)),
    ...(route.body ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(route.world === 'none' ? [] : (['RESOURCE_NOT_FOUND', 'WORLD_REPLACED'] as const)),
    ...(route.access ? [] : (['CONTROL_TOKEN_REQUIRED'] as const)),
    ...(route.access || route.world ? [] : (['INVALID_ACCESS_TOKEN'] as const)),
    ...(route.access === 'anywhere' ? [] : (['HOST_NOT_ALLOWED', 'ORIGIN_NOT_ALLOWED'] as const)),
    ...(route.method === 'get' || route.access === 'open' ? [] : (['RATE_LIMIT_EXCEEDED'] as const)),
    'INTERNAL_ERROR',
  ],
  security: (route) => (route.access ? [] : [{}, { controlToken: [] }, ...(route.world ? [] : [{ publicToken: [] }])]),
};

/** The OpenAPI document of the control plane, from its routes alone. */
export function controlDocument(): object {
  const app = new OpenAPIHono();
  for (const route of controlRoutes) documentRoute(app, route, documentation);
  app.openAPIRegistry.registerComponent('securitySchemes', 'controlToken', {
    type: 'http',
    scheme: 'bearer',
    description: 'Only when SANDBOX_CONTROL_TOKEN is set.',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'publicToken', {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token of the public API, expired or not, names its world. Only where no control token is set.',
  });
  return writeDocument(app, about, errorShapes(controlRoutes, documentation));
}
