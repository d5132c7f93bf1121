import recorded from '../../openapi/public-examples.json' with { type: 'json' };
import { z } from '@hono/zod-openapi';
import { stringify } from 'yaml';
import { AmountRequestSchema, AmountSchema, AmountValueSchema } from '../contract/common.js';
import { AssetActivatedEventSchema, InstructionEventSchema, OperationEventSchema } from '../contract/events.js';
import { eventTypes, type EventType } from '../contract/webhooks.js';
import { checkBrowser } from '../web/guard.js';
import { writeDocument } from '../web/document.js';
import { documentErrors, documentRoute } from '../web/route.js';
import { docsPage, type ShownDocument } from './docs-page.js';
import type { PublicPlane } from './plane.js';
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

/** The schema of each event's body. */
const eventBodies: Readonly<Record<EventType, z.ZodType>> = {
  OPERATION_REQUESTED: OperationEventSchema,
  OPERATION_COMPLETED: OperationEventSchema,
  OPERATION_FAILED: OperationEventSchema,
  BENEFICIARY_PAYMENT_INSTRUCTION_CREATED: InstructionEventSchema,
  BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED: InstructionEventSchema,
  BENEFICIARY_PAYMENT_INSTRUCTION_REJECTED: InstructionEventSchema,
  ASSET_ACTIVATED: AssetActivatedEventSchema,
};

/** Bodies of events as the sandbox sent them when the examples were recorded. */
const eventExamples: Readonly<Record<string, object>> = recorded.events;

const EventHeadersSchema = z.object({
  'X-Message-Id': z
    .string()
    .openapi({ format: 'uuid', description: 'The same for all attempts to deliver one event to one subscription.' }),
  'X-Event-Type': z.enum(eventTypes),
  'X-Company-Id': z.string(),
  'X-Resource-Name': z.string(),
  'X-Message-Signature': z
    .string()
    .openapi({ description: 'Hex HMAC-SHA256 of `<message id>+<client id>`, keyed with the client secret.' }),
  'Webhook-Id': z.string().openapi({ description: 'Standard Webhooks: the message id.' }),
  'Webhook-Timestamp': z.string().openapi({ description: 'Standard Webhooks: real seconds since 1970.' }),
  'Webhook-Signature': z.string().openapi({ description: 'Standard Webhooks: covers id, timestamp and body.' }),
});

/** The OpenAPI document of the public plane. */
export function publicDocument(plane: PublicPlane): unknown {
  describe(plane);
  return writeDocument(plane.app, about);
}

/** Tells the document everything that stands in it. */
function describe({ app, routes }: PublicPlane): void {
  for (const route of routes) documentRoute(app, route, shared);
  const { openAPIRegistry: registry } = app;
  registry.registerComponent('securitySchemes', 'accessToken', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'From POST /api/oauth/client/token.',
  });
  documentErrors(app);
  // First, since what the first field to name a shape says of it would become the shape's own.
  registry.register('Amount', AmountSchema);
  registry.register('AmountValue', AmountValueSchema);
  registry.register('AmountRequest', AmountRequestSchema);
  for (const [name, schema] of Object.entries(eventBodies)) {
    const example = eventExamples[name];
    registry.registerWebhook({
      method: 'post',
      path: name,
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

/** Serves the document of the plane; it is made when it is first asked for, since a start has no time for it. */
export function describePublicPlane(plane: PublicPlane): void {
  let json: string | undefined;
  let yaml: string | undefined;
  const text = () => (json ??= JSON.stringify(publicDocument(plane), null, 2));
  plane.serveDocument('/openapi.json', 'application/json', text);
  plane.serveDocument(
    '/openapi.yaml',
    'application/yaml',
    () => (yaml ??= stringify(JSON.parse(text()), { aliasDuplicateObjects: false })),
  );

  let page: string | undefined;
  plane.serveDocument(
    '/docs',
    'text/html; charset=utf-8',
    async (c) => {
      checkBrowser(c.req.raw.headers, new URL(c.req.url).protocol.slice(0, -1), plane);
      return (page ??= String(await docsPage(JSON.parse(text()) as ShownDocument)));
    },
    { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'" },
  );
}
