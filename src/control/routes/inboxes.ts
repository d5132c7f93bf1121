import { setTimeout as wait } from 'node:timers/promises';
import { DomainError } from '../../domain/errors.js';
import { flag, text, timestamp, type FilterFields } from '../../domain/lists/fields.js';
import { setInboxResponses } from '../../services/webhooks/set-inbox-responses.js';
import { inboxMessageView, isAbout, type InboxMessageRecord } from '../../domain/webhooks/inbox.js';
import { readBytes } from '../../web/body.js';
import { page } from '../../web/page.js';
import type { ControlPlane } from '../plane.js';
import { postToInbox, listInboxMessages, awaitInboxMessages, putInboxResponses } from '../../contract/control/routes/inboxes.js';

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
