import recorded from '../../openapi/public-examples.json' with { type: 'json' };
import { OpenAPIHono, z } from '@hono/zod-openapi';
import { publicRoutes } from '../contract/public/routes.js';
import { eventSchemas } from '../contract/public/events.js';
import { eventTypes } from '../contract/public/webhooks.js';
import { webhookPath, writeDocument, yamlText } from '../web/openapi/document.js';
import { documentRoute, errorShapes, type PlaneDocumentation, type RouteExamples } from '../web/openapi/route.js';
import { docsPage, type ShownDocument } from '../web/openapi/docs-page.js';
import { shared } from './plane-documentation.js';

const about = {
  title: 'Cross-border payments API',
  description:
    'Accounts, quotes, operations, beneficiaries and webhooks of a cross-border payments service, as the sandbox serves it. ' +
    'Amounts are decimal strings; compute with decimals. All instants are UTC.',
  tags: [
    { name: 'Authentication', description: 'Access tokens.' },
    { name: 'Accounts', description: 'Accounts of companies and individuals, and what their verification needs.' },
    { name: 'Beneficiaries', description: 'Payees outside the service and their payment instructions.' },
    { name: 'Quotes', description: 'Rates locked for a short while.' },
    { name: 'Operations', description: 'Movements of money.' },
    { name: 'Reports', description: 'Sums of settled movements.' },
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

const EventHeadersSchema = z.object({
  'X-Message-Id': z.string().meta({ format: 'uuid', description: 'The same for all attempts to deliver one event to one subscription.' }),
  'X-Event-Type': z.enum(eventTypes),
  'X-Company-Id': z.string(),
  'X-Resource-Name': z.string(),
  'X-Message-Signature': z.string().meta({ description: 'Hex HMAC-SHA256 of `<message id>+<client id>`, keyed with the client secret.' }),
  'Webhook-Id': z.string().meta({ description: 'Standard Webhooks: the message id.' }),
  'Webhook-Timestamp': z.string().meta({ description: 'Standard Webhooks: real seconds since 1970.' }),
  'Webhook-Signature': z.string().meta({ description: 'Standard Webhooks: covers id, timestamp and body.' }),
});

/** Tells the document everything that stands in it. */
function describe(app: OpenAPIHono): void {
  for (const route of publicRoutes) documentRoute(app, route, documentation);
  const { openAPIRegistry: registry } = app;
  registry.registerComponent('securitySchemes', 'accessToken', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'From POST /api/oauth/client/token.',
  });
  for (const [name, schema] of Object.entries(eventSchemas)) {
    const example = eventExamples[name];
    registry.registerPath({
      method: 'post',
      path: webhookPath(name),
      operationId: `on${name
        .split('_')
        .map((word) => word[0] + word.slice(1).toLowerCase())
        .join('')}`,
      summary: name,
      tags: ['Webhooks'],
      security: [],
      request: {
        headers: EventHeadersSchema,
        body: { required: true, content: { 'application/json': { schema, ...(example ? { example } : {}) } } },
      },
      responses: { '2XX': { description: 'Received. Any other status counts as a failed delivery.' } },
    });
  }
}

/** The document of a plane in the forms that it is served in; each is made when it is first asked for. */
export interface PublicDocument {
  json(): string;
  yaml(): string;
  /** A page for people, as HTML. */
  page(): Promise<string>;
}

/** The OpenAPI document of the public plane, from its routes alone. */
export function publicDocument(): PublicDocument {
  let json: string | undefined;
  let yaml: string | undefined;
  let page: string | undefined;
  const text = () => (json ??= JSON.stringify(made(), null, 2));
  return {
    json: text,
    yaml: () => (yaml ??= yamlText(JSON.parse(text()))),
    page: async () => (page ??= String(await docsPage(JSON.parse(text()) as ShownDocument))),
  };
}

function made(): object {
  const app = new OpenAPIHono();
  describe(app);
  return writeDocument(app, about, errorShapes(publicRoutes, documentation));
}
