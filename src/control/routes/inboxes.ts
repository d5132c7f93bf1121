import { setTimeout as wait } from 'node:timers/promises';
import { z } from '@hono/zod-openapi';
import { PageQuerySchema } from '../../contract/shared/common.js';
import {
  InboxAwaitQuerySchema,
  InboxAwaitedSchema,
  InboxNameSchema,
  InboxPageSchema,
  InboxResponsesSchema,
} from '../../contract/control/deliveries.js';
import { DomainError } from '../../domain/errors.js';
import { flag, text, timestamp, type FilterFields } from '../../domain/lists/fields.js';
import { setInboxResponses } from '../../services/webhooks/set-inbox-responses.js';
import { inboxMessageView, isAbout, type InboxMessageRecord } from '../../domain/webhooks/inbox.js';
import { readBytes } from '../../web/body.js';
import { page } from '../../web/page.js';
import { defineRoute } from '../../web/route.js';
import type { ControlPlane } from '../plane.js';

const tag = 'Inboxes';
const params = z.object({ inboxName: InboxNameSchema });

const postToInbox = defineRoute({
  operationId: 'postToInbox',
  method: 'post',
  path: '/_sandbox/inbox/{inboxName}',
  tag,
  summary: 'Receive a webhook',
  description:
    'Use this URL as that of a subscription, with `?world=` unless the world is the default one. It takes any body from anywhere, without a control token, and answers as its responses say, else 200.',
  params,
  status: 200,
  response: null,
  errors: ['INVALID_DATA', 'PAYLOAD_TOO_LARGE'],
});

const listInboxMessages = defineRoute({
  operationId: 'listInboxMessages',
  method: 'get',
  path: '/_sandbox/inbox/{inboxName}/messages',
  tag,
  summary: 'List what an inbox has received',
  description: 'A world keeps its newest 2,000 messages, and at most 16 Mi characters of them.',
  params,
  query: PageQuerySchema,
  status: 200,
  response: InboxPageSchema,
  errors: ['INVALID_FILTER_FORMAT'],
});

const awaitInboxMessages = defineRoute({
  operationId: 'awaitInboxMessages',
  method: 'get',
  path: '/_sandbox/inbox/{inboxName}/await',
  tag,
  summary: 'Wait until enough messages have arrived',
  description: 'What had arrived before counts. When time is up, `details.messages` of the error holds what came.',
  params,
  query: InboxAwaitQuerySchema,
  status: 200,
  response: InboxAwaitedSchema,
  errors: ['WAIT_TIMEOUT'],
});

const putInboxResponses = defineRoute({
  operationId: 'putInboxResponses',
  method: 'put',
  path: '/_sandbox/inbox/{inboxName}/responses',
  tag,
  summary: 'Decide how an inbox answers from now on',
  params,
  body: InboxResponsesSchema,
  status: 200,
  response: InboxResponsesSchema,
  errors: [],
});

/** The fields that messages can be filtered by. */
export const messageFilters: FilterFields<InboxMessageRecord> = {
  body: text(({ body }) => body),
  signatureValid: flag(({ signatureValid }) => signatureValid),
  receivedAt: timestamp(({ createdAt }) => createdAt),
};

export function serveInboxes(plane: ControlPlane): void {
  const { sandbox } = plane;
  plane.serveOpen(postToInbox, async ({ params: { inboxName: name }, context, world, causeId }) => {
    const message = { headers: Object.fromEntries(context.req.raw.headers), body: await readBytes(context) };
    await sandbox.tickerOf(world()).runDueJobs();
    const { status, delayMs } = await sandbox.inboxes.receive(world(), name, message, causeId);
    if (delayMs > 0) await wait(delayMs);
    return { status, body: null, headers: {} };
  });
  plane.serve(listInboxMessages, ({ params: { inboxName: name }, query, world }) =>
    world().read((uow) =>
      page(uow.list('inboxMessages', 'inbox', `${name} `), query, `${uow.identity.name}/inbox/${name}`, messageFilters, inboxMessageView),
    ),
  );
  plane.serve(awaitInboxMessages, async ({ params: { inboxName: name }, query: { eventType, resourceId, count, timeoutMs }, world }) => {
    const target = world();
    const fitting = () =>
      target.read((uow) =>
        Array.from(uow.find('inboxMessages', 'inbox', `${name} `)).filter((message) => isAbout(message, eventType, resourceId)),
      );
    const enough = () => {
      const messages = fitting();
      return messages.length >= count ? messages : null;
    };
    const messages = await sandbox.watch.until(target, enough, timeoutMs);
    if (messages) return { data: messages.map(inboxMessageView), meta: { previousCursor: null, nextCursor: null, total: messages.length } };
    const came = fitting().map(inboxMessageView);
    throw new DomainError('WAIT_TIMEOUT', `${came.length} of ${count} messages came to inbox ${name} within ${timeoutMs} ms.`, {
      expected: count,
      received: came.length,
      messages: came,
    });
  });
  plane.serve(putInboxResponses, ({ params: { inboxName: name }, body, write }) =>
    write((uow) => {
      setInboxResponses(uow, { name, responses: body });
      return body;
    }),
  );
}
