import recorded from '../../openapi/control-examples.json' with { type: 'json' };
import { OpenAPIHono, z } from '@hono/zod-openapi';
import { controlRoutes } from '../contract/control/routes.js';
import { writeDocument } from '../web/openapi/document.js';
import { documentRoute, errorShapes, type PlaneDocumentation, type RouteExamples } from '../web/openapi/route.js';

const about = {
  title: 'Sandbox control plane',
  version: '1',
  description: [
    'What a tester has beyond the public API: worlds, time, forced outcomes, scenarios, faults, inboxes for webhooks, and why things are as they are. The application under test never calls it.',
    'A call is about one world: the one that X-Sandbox-World or `world=` names, else that of a public token in Authorization, else `default`. Bodies are JSON; fields that are not known are refused. There are no idempotency keys.',
    'Without SANDBOX_CONTROL_TOKEN no token is needed, but pages of other sites and unknown host names are kept out. With one, all calls but health and inboxes carry it as a bearer token. Where worlds are kept in PostgreSQL, the client id and secret of a world as Basic authentication do for calls about that world.',
    'Every refusal has the shape of ErrorBody; decide on `code`. ErrorCode lists all codes of this API with their meaning, cause and remedy.',
  ].join('\n\n'),
  tags: [
    { name: 'Worlds', description: 'Isolated copies of everything, one for each client credential: to make, to reset, to delete.' },
    { name: 'Clock', description: 'The time of a world: to freeze it, to let it run, to move it forward.' },
    { name: 'Forcing', description: 'Make an outcome happen now, as the state machine of each resource allows.' },
    { name: 'Books', description: 'What accounts hold, what was booked, and the quotes.' },
    { name: 'Reads', description: 'Lists that the public API does not have.' },
    { name: 'Scenarios', description: 'What happens by itself, after what time, and when it goes wrong.' },
    { name: 'Webhooks', description: 'Events on demand, and what becomes of them.' },
    { name: 'Inboxes', description: 'Receivers inside the sandbox, for tests without an endpoint of their own.' },
    {
      name: 'Listeners',
      description: 'Receivers somewhere else that are connected from outside, for an application that the sandbox cannot reach.',
    },
    { name: 'Settings', description: 'Rates, fees, times and policies of a world.' },
    { name: 'Mirror', description: 'What the client has done that it should not, what shows it, and what mends it.' },
    { name: 'Why', description: 'What led to what, and waiting for it.' },
    {
      name: 'Record',
      description: 'What clients did: their calls and what these were answered, the attempts to deliver webhooks to them.',
    },
    { name: 'State', description: 'Worlds as documents to keep and edit, and snapshots to go back to.' },
    { name: 'Faults', description: 'What goes wrong on the way: answers that are lost or damaged, webhooks that are late or forged.' },
    { name: 'Health', description: 'Whether the sandbox is up, for the probes of an orchestrator.' },
  ],
};

/** What the sandbox answered when the examples were recorded. */
const { operations, refusals }: { operations: Record<string, RouteExamples>; refusals: Record<string, unknown> } = recorded;

const worldHeader = {
  'X-Sandbox-World': z.string().optional().meta({
    description:
      'The world meant, which the query `world` names as well. Without one, that of a public token in Authorization, else `default`.',
    example: 'default',
  }),
};
const lastEventHeader = {
  'Last-Event-ID': z.string().optional().meta({ description: 'The id of the last event that you have read, to go on behind it.' }),
};

/** What the document says of all operations of the plane. */
const documentation: PlaneDocumentation = {
  examples: ({ operationId }) => ({ ...operations[operationId], refusals }),
  emptyBodyAllowed: true,
  requestHeaders: (route) => {
    const headers = { ...(route.world ? {} : worldHeader), ...(route.eventStream ? lastEventHeader : {}) };
    return Object.keys(headers).length === 0 ? undefined : z.object(headers);
  },
  responseHeaders: () => ({
    'X-Request-Id': {
      description: 'Names this very answer, for the log of the sandbox and for `why`.',
      required: true,
      schema: { type: 'string' },
    },
  }),
  errors: (route) => [
    ...(route.world && !route.params && !route.query && !route.body ? [] : (['INVALID_DATA'] as const)),
    ...(route.body ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(route.world === 'none' ? [] : (['RESOURCE_NOT_FOUND', 'WORLD_REPLACED'] as const)),
    ...(route.access ? [] : (['CONTROL_TOKEN_REQUIRED', 'INVALID_CREDENTIALS', 'NOT_PERMITTED'] as const)),
    ...(route.access || route.world ? [] : (['INVALID_ACCESS_TOKEN'] as const)),
    ...(route.access === 'anywhere' ? [] : (['HOST_NOT_ALLOWED', 'ORIGIN_NOT_ALLOWED'] as const)),
    ...(route.method === 'get' || route.access === 'open' ? [] : (['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'] as const)),
    'INTERNAL_ERROR',
  ],
  security: (route) =>
    route.access ? [] : [{}, { controlToken: [] }, ...(route.world ? [] : [{ publicToken: [] }]), { clientCredentials: [] }],
};

/** The OpenAPI document of the control plane, from its routes alone. */
export function controlDocument(): object {
  const app = new OpenAPIHono();
  for (const route of controlRoutes) documentRoute(app, route, documentation);
  app.openAPIRegistry.registerComponent('securitySchemes', 'controlToken', {
    type: 'http',
    scheme: 'bearer',
    description: 'The value of SANDBOX_CONTROL_TOKEN, where that is set; nothing else.',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'publicToken', {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token of the public API, expired or not, names its world. Only where no control token is set.',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'clientCredentials', {
    type: 'http',
    scheme: 'basic',
    description: 'The client id and secret of a world, for calls about that world alone. Only where worlds are kept in PostgreSQL.',
  });
  return writeDocument(app, about, errorShapes(controlRoutes, documentation));
}
