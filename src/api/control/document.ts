import recorded from '../../../openapi/control-examples.json' with { type: 'json' };
import { OpenAPIHono, z } from '@hono/zod-openapi';
import { controlRoutes } from '../../contract/control/routes.js';
import { writeDocument } from '../plane/openapi/document.js';
import { documentRoute, errorShapes, type PlaneDocumentation, type RouteExamples } from '../plane/openapi/route.js';

const about = {
  title: 'Sandbox control plane',
  version: '1',
  description: [
    'Test control for the sandbox: worlds, time, forced outcomes, scenarios, faults, webhook inboxes, and explanations. The application under test never calls it.',
    'A request is about one world: from X-Sandbox-World or `world=`, or from an access token in Authorization. Default: `default`. Bodies are JSON; unknown fields are rejected. There are no idempotency keys.',
    'Without SANDBOX_CONTROL_TOKEN no token is needed, but requests from pages of other sites and for unknown host names are rejected. With SANDBOX_CONTROL_TOKEN, all requests except health and inboxes must send this token as a bearer token. If worlds are stored in PostgreSQL, requests about a world can instead use its client id and secret as Basic authentication.',
    'Every error has the format ErrorBody; use `code` to distinguish errors. ErrorCode lists all codes of this API with their meaning, cause and remedy.',
  ].join('\n\n'),
  tags: [
    { name: 'Worlds', description: 'Isolated copies of all data, each with its own client credentials: create, reset, delete.' },
    { name: 'Clock', description: 'The time of a world: freeze, run, advance.' },
    { name: 'Forcing', description: 'Force an outcome now, within the state machine of each resource.' },
    { name: 'Ledger', description: 'Balances, ledger postings, and quotes.' },
    { name: 'Reads', description: 'Lists that the public API does not have.' },
    { name: 'Scenarios', description: 'Automatic steps, their delays, and their failures.' },
    { name: 'Webhooks', description: 'Events on demand, and their deliveries.' },
    { name: 'Inboxes', description: 'Receivers inside the sandbox, for tests without their own endpoint.' },
    {
      name: 'Listeners',
      description: 'Receivers that connect to the sandbox, for an application that the sandbox cannot reach.',
    },
    { name: 'Settings', description: 'Rates, fees, times and policies of a world.' },
    { name: 'Findings', description: 'Errors of the client, with evidence and fixes.' },
    { name: 'Why', description: 'Explanations of causes, and waiting for a status.' },
    {
      name: 'Requests',
      description: 'Requests of clients with their responses, and webhook attempts.',
    },
    { name: 'State', description: 'Worlds as documents to store and edit, and snapshots to restore.' },
    { name: 'Faults', description: 'Injected failures: lost or damaged responses, late or forged webhooks.' },
    { name: 'Health', description: 'Liveness and readiness, for the probes of an orchestrator.' },
  ],
};

/** Recorded example responses. */
const { operations, errors }: { operations: Record<string, RouteExamples>; errors: Record<string, unknown> } = recorded;

const worldHeader = {
  'X-Sandbox-World': z.string().optional().meta({
    description:
      'World to use; the query parameter `world` does the same. Default: the world of an access token in Authorization, or `default`.',
    example: 'default',
  }),
};
const lastEventHeader = {
  'Last-Event-ID': z.string().optional().meta({ description: 'Id of the last event that you have read. The stream continues after it.' }),
};

/** Documentation that all operations of the control API share. */
const documentation: PlaneDocumentation = {
  examples: ({ operationId }) => ({ ...operations[operationId], errors }),
  emptyBodyAllowed: true,
  requestHeaders: (route) => {
    const headers = { ...(route.world ? {} : worldHeader), ...(route.eventStream ? lastEventHeader : {}) };
    return Object.keys(headers).length === 0 ? undefined : z.object(headers);
  },
  responseHeaders: () => ({
    'X-Request-Id': {
      description: 'Id of this response, for the log of the sandbox and for `why`.',
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
    ...(route.access === 'open' ? [] : (['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'] as const)),
    'INTERNAL_ERROR',
  ],
  security: (route) =>
    route.access ? [] : [{}, { controlToken: [] }, ...(route.world ? [] : [{ publicToken: [] }]), { clientCredentials: [] }],
};

/** Returns the OpenAPI document of the control API, created only from its routes. */
export function controlDocument(): object {
  const app = new OpenAPIHono();
  for (const route of controlRoutes) documentRoute(app, route, documentation);
  app.openAPIRegistry.registerComponent('securitySchemes', 'controlToken', {
    type: 'http',
    scheme: 'bearer',
    description: 'The value of SANDBOX_CONTROL_TOKEN, if it is set.',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'publicToken', {
    type: 'http',
    scheme: 'bearer',
    description:
      'An access token of the payments API, which selects the world that issued it, even after its expiry. Only if no control token is set.',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'clientCredentials', {
    type: 'http',
    scheme: 'basic',
    description: 'The client id and secret of a world, for requests about that world. Only if worlds are stored in PostgreSQL.',
  });
  return writeDocument(app, about, errorShapes(controlRoutes, documentation));
}
