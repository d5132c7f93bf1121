import { eventMeanings, eventTypes } from '../../contract/shared/event-types.js';
import recorded from '../../../openapi/public-examples.json' with { type: 'json' };
import { OpenAPIHono, z } from '@hono/zod-openapi';
import { publicRoutes } from '../../contract/public/routes.js';
import { eventSchemas } from '../../contract/public/events.js';
import { getJwksRoute } from '../../contract/public/routes/tokens.js';
import { EventTypeSchema, ResourceNameSchema } from '../../contract/public/webhooks.js';
import { UuidSchema } from '../../contract/shared/common.js';
import type { Version } from '../../contract/versions/version.js';
import { webhookPath, writeDocument, yamlText } from '../plane/openapi/document.js';
import { documentRoute, errorShapes, type PlaneDocumentation, type RouteExamples } from '../plane/openapi/route.js';
import { shared } from './plane-documentation.js';

const about = {
  title: 'Cross-border payments API',
  description: [
    'Accounts, quotes, operations, beneficiaries and webhooks of a cross-border payments service, as the sandbox serves it. Get an access token with a client id and secret, and send it as a bearer token with every other request.',
    'Amounts are decimal strings with a point; calculate with decimals, never with binary floating point. Timestamps are UTC and end with `Z`. Ids are UUIDs. Field names are camelCase. The server ignores unknown fields in requests, and clients must accept new fields in responses. In a POST, null for an optional field is the same as omitting it.',
    'Every POST, PUT and PATCH except the token request requires X-Idempotency-Key, which makes a retry safe.',
    'A new operation is REQUESTED and settles later: subscribe to OPERATION_COMPLETED and OPERATION_FAILED, or get the operation. Beneficiaries and accounts are also reviewed later.',
    'Every error has the format ErrorBody and a header X-Request-Id; use `code` to distinguish errors. ErrorCode lists all codes with their meaning, cause and remedy. INVALID_DATA names all invalid fields at once.',
    'Lists are paged by cursors and filtered by `field[operator]=value`. Each list documents its fields.',
  ].join('\n\n'),
  tags: [
    { name: 'Authentication', description: 'Access tokens, and the public keys to verify the tokens.' },
    { name: 'Accounts', description: 'Accounts of companies and individuals, and the requirements for their verification.' },
    { name: 'Beneficiaries', description: 'Payees outside the service and their payment instructions.' },
    { name: 'Quotes', description: 'Exchange rates that are locked for a short time. Each quote is for one operation.' },
    { name: 'Operations', description: 'Money movements: withdrawals, deposits, transfers between accounts, and swaps between assets.' },
    { name: 'Reports', description: 'Incoming and outgoing amounts in a period, by asset.' },
    { name: 'Webhooks', description: 'Subscriptions to events, and the delivery attempts.' },
  ],
};

/** Recorded examples: successful responses by operation, errors by code, and bodies of events. */
const { operations, errors, events: eventExamples }: Recorded = recorded;

interface Recorded {
  readonly operations: Readonly<Record<string, RouteExamples>>;
  readonly errors: Readonly<Record<string, unknown>>;
  readonly events: Readonly<Record<string, object>>;
}

const documentation: PlaneDocumentation = {
  ...shared,
  examples: ({ operationId }) => {
    const own = operations[operationId];
    return { ...own, errors: { ...errors, ...own?.errors } };
  },
};

const withoutExamples: PlaneDocumentation = { ...documentation, examples: () => undefined };

const standard = 'Omitted if the setting `standardWebhooks` is false. The real service never sends it.';

const EventHeadersSchema = z.object({
  'X-Message-Id': UuidSchema.meta({
    description: 'Id of the delivery. All attempts to deliver one event to one subscription have one id. Process each id once.',
  }),
  'X-Event-Type': EventTypeSchema.describe('Event type; the name of this webhook.'),
  'X-Company-Id': z.string().meta({ description: 'The company that the event belongs to: `companyId` of the subscription.' }),
  'X-Resource-Name': ResourceNameSchema.describe('Kind of resource that the event is about.'),
  'X-Message-Signature': z.string().meta({
    description:
      'HMAC-SHA256 in hex of `<X-Message-Id>+<client id>`, keyed with the client secret. Verify it before you trust the webhook.',
  }),
  'X-Sandbox-Synthetic': z
    .literal('true')
    .optional()
    .meta({ description: 'Present if a tester triggered this event and the body is an example.' }),
  'webhook-id': z
    .string()
    .optional()
    .meta({ description: `Message id in Standard Webhooks format. ${standard}` }),
  'webhook-timestamp': z
    .string()
    .optional()
    .meta({ description: `Real time in Unix seconds, in Standard Webhooks format. ${standard}` }),
  'webhook-signature': z
    .string()
    .optional()
    .meta({
      description: `Signature of id, timestamp and body in Standard Webhooks format, keyed with the bytes of the client secret. ${standard}`,
    }),
});

/** Registers all parts of a version in its document. Routes of older versions get no examples, which are recorded in the newest version. */
function describe(app: OpenAPIHono, { routes, events }: Version): void {
  for (const route of routes) documentRoute(app, route, publicRoutes.includes(route) ? documentation : withoutExamples);
  const { openAPIRegistry: registry } = app;
  documentRoute(app, getJwksRoute, { ...documentation, errors: () => ['METHOD_NOT_ALLOWED'] });
  registry.registerComponent('securitySchemes', 'accessToken', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `accessToken` of POST /api/oauth/client/token: valid for one hour, with all permissions of its client.',
  });
  for (const type of eventTypes) {
    const example = events[type] === eventSchemas[type] ? eventExamples[type] : undefined;
    registry.registerPath({
      method: 'post',
      path: webhookPath(type),
      operationId: `on${type
        .split('_')
        .map((word) => word[0] + word.slice(1).toLowerCase())
        .join('')}`,
      summary: eventMeanings[type].summary,
      description: eventMeanings[type].description,
      tags: ['Webhooks'],
      security: [],
      request: {
        headers: EventHeadersSchema,
        body: {
          required: true,
          content: { 'application/json': { schema: events[type], ...(example ? { examples: { [type]: { value: example } } } : {}) } },
        },
      },
      responses: {
        '2XX': {
          description:
            'Received. Any other status, or no response within ten seconds, is a failed attempt. Failed attempts are retried if the subscription allows retries.',
        },
      },
    });
  }
}

/** The OpenAPI document as JSON and YAML. Each is created on first use. */
export interface PublicDocument {
  readonly json: () => string;
  readonly yaml: () => string;
}

/** Returns the OpenAPI document of a version of the payments API, created only from the routes and events of the version. */
export function publicDocument(version: Version): PublicDocument {
  let json: string | undefined;
  let yaml: string | undefined;
  const text = () => (json ??= JSON.stringify(made(version), null, 2));
  return {
    json: text,
    yaml: () => (yaml ??= yamlText(JSON.parse(text()))),
  };
}

function made(version: Version): object {
  const app = new OpenAPIHono();
  describe(app, version);
  return writeDocument(app, { ...about, version: version.name }, errorShapes(version.routes, documentation));
}
