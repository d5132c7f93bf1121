import recorded from '../../openapi/public-examples.json' with { type: 'json' };
import { OpenAPIHono, z } from '@hono/zod-openapi';
import { publicRoutes } from '../contract/public/routes.js';
import { eventSchemas } from '../contract/public/events.js';
import { getJwksRoute } from '../contract/public/routes/tokens.js';
import { EventTypeSchema, ResourceNameSchema, eventMeanings, eventTypes } from '../contract/public/webhooks.js';
import { UuidSchema } from '../contract/shared/common.js';
import type { Version } from '../contract/versions/version.js';
import { webhookPath, writeDocument, yamlText } from '../web/openapi/document.js';
import { documentRoute, errorShapes, type PlaneDocumentation, type RouteExamples } from '../web/openapi/route.js';
import { shared } from './plane-documentation.js';

const about = {
  title: 'Cross-border payments API',
  description: [
    'Accounts, quotes, operations, beneficiaries and webhooks of a cross-border payments service, as the sandbox serves it. Ask for an access token with a client id and secret, and send it as a bearer token with every other request.',
    'Amounts are decimal strings with a point; compute with decimals, never with binary floating point. Instants are UTC and end with `Z`. Ids are UUIDs. Field names are camelCase; fields that are not known are ignored in requests, and clients have to bear new ones in answers. A null for an optional field of a creation is the same as leaving it out.',
    'Every POST, PUT and PATCH but the token request carries X-Idempotency-Key, so that it can be repeated without being done twice.',
    'Operations are answered as REQUESTED and settle later: follow OPERATION_COMPLETED and OPERATION_FAILED, or get the operation. Beneficiaries and accounts are reviewed later, too.',
    'Every refusal has the shape of ErrorBody, with a header X-Request-Id; decide on `code`. ErrorCode lists all codes with their meaning, cause and remedy. INVALID_DATA names every field that is wrong, all at once.',
    'Lists are paged by cursors and filtered by `field[operator]=value`; each says its fields.',
  ].join('\n\n'),
  tags: [
    { name: 'Authentication', description: 'Access tokens, and the keys to verify them with.' },
    { name: 'Accounts', description: 'Accounts of companies and individuals, and what their verification needs.' },
    { name: 'Beneficiaries', description: 'Payees outside the service and their payment instructions.' },
    { name: 'Quotes', description: 'Rates locked for a short while, each for one operation.' },
    { name: 'Operations', description: 'Movements of money: out, in, between accounts, from one asset into another.' },
    { name: 'Reports', description: 'What came in and went out in a period, by asset.' },
    { name: 'Webhooks', description: 'Subscriptions to events, and the attempts to deliver them.' },
  ],
};

/** What the sandbox answered, and the bodies of the events that it sent, when the examples were recorded. */
const { operations, refusals, events: eventExamples }: Recorded = recorded;

interface Recorded {
  readonly operations: Readonly<Record<string, RouteExamples>>;
  readonly refusals: Readonly<Record<string, unknown>>;
  readonly events: Readonly<Record<string, object>>;
}

const documentation: PlaneDocumentation = {
  ...shared,
  examples: ({ operationId }) => {
    const own = operations[operationId];
    return { ...own, refusals: { ...refusals, ...own?.refusals } };
  },
};

const withoutExamples: PlaneDocumentation = { ...documentation, examples: () => undefined };

const standard = 'Left out where the setting `standardWebhooks` is false; the real service never sends it.';

const EventHeadersSchema = z.object({
  'X-Message-Id': UuidSchema.meta({
    description: 'Names the delivery: the same for all attempts to deliver one event to one subscription. Handle each once.',
  }),
  'X-Event-Type': EventTypeSchema.describe('What happened; the name of this webhook.'),
  'X-Company-Id': z.string().meta({ description: 'The company that the event belongs to: `companyId` of the subscription.' }),
  'X-Resource-Name': ResourceNameSchema.describe('What the event is about.'),
  'X-Message-Signature': z.string().meta({
    description: 'HMAC-SHA256 in hex of `<X-Message-Id>+<client id>`, keyed with the client secret. Verify it before anything else.',
  }),
  'X-Sandbox-Synthetic': z
    .literal('true')
    .optional()
    .meta({ description: 'Is there when a tester has fired the event with an example as its body.' }),
  'webhook-id': z
    .string()
    .optional()
    .meta({ description: `Message id in the form of Standard Webhooks. ${standard}` }),
  'webhook-timestamp': z
    .string()
    .optional()
    .meta({ description: `Seconds since 1970 in real time, in the form of Standard Webhooks. ${standard}` }),
  'webhook-signature': z
    .string()
    .optional()
    .meta({
      description: `Signature of id, timestamp and body in the form of Standard Webhooks, keyed with the bytes of the client secret. ${standard}`,
    }),
});

/** Tells the document of a version everything that stands in it. Examples were recorded in the wording of the newest version. */
function describe(app: OpenAPIHono, { routes, events }: Version): void {
  for (const route of routes) documentRoute(app, route, publicRoutes.includes(route) ? documentation : withoutExamples);
  const { openAPIRegistry: registry } = app;
  documentRoute(app, getJwksRoute, { ...documentation, errors: () => ['METHOD_NOT_ALLOWED'] });
  registry.registerComponent('securitySchemes', 'accessToken', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `accessToken` of POST /api/oauth/client/token: good for an hour, for all that its customer may do.',
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
            'Received. Any other status, or none within ten seconds, counts as a failed delivery, which is tried again if the subscription allows it.',
        },
      },
    });
  }
}

/** The document of a plane in the forms that it is served in; each is made when it is first asked for. */
export interface PublicDocument {
  json(): string;
  yaml(): string;
}

/** The OpenAPI document of a version of the public plane, from its routes alone. */
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
