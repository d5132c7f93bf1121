import type { Context } from 'hono';
import type { InboxMessage } from '../../../contract/control/deliveries.js';
import { DomainError } from '../../../domain/errors.js';
import { onePage, type Page } from '../../../domain/lists/page.js';
import { setInboxResponses } from '../../../services/webhooks/inboxes.js';
import { inboxMessageView, isAbout, type InboxMessageRecord, messageFilters } from '../../../domain/webhooks/inbox.js';
import { bindingsOf, readBytes } from '../../plane/body/body.js';
import { waitWith } from '../../plane/wait-with.js';
import type { Change } from '../../../world/state.js';
import type { Session } from '../../../world/session.js';
import type { View } from '../../../world/view.js';
import type { World } from '../../../world/world.js';
import { page } from '../../plane/page.js';
import { listText, streamed } from '../../plane/streamed.js';
import { internalReceiver } from '../../../sandbox/delivery/internal-receivers.js';
import { waitFor } from '../../../sandbox/waits.js';
import { RawResponse, type ControlPlane } from '../plane.js';
import { frozenClockHint } from './waiting.js';
import {
  awaitInboxMessagesRoute,
  getInboxResponsesRoute,
  listInboxMessagesRoute,
  postToInboxRoute,
  putInboxResponsesRoute,
} from '../../../contract/control/routes/inboxes.js';

/** Maximum characters of messages in a response that is built in memory. A longer list is streamed. */
const maxWhole = 256 * 1024;

function asList(list: Page<InboxMessage>): Page<InboxMessage> | ReadableStream {
  const length = list.data.reduce((sum, { body }) => sum + body.length, 0);
  return length > maxWhole ? streamed(listText(list)) : list;
}

export function serveInboxes(plane: ControlPlane): void {
  const { sandbox } = plane;
  /** Holds the response to a message that is already stored. Answers at once if too many calls of the world wait. */
  const hold = async (context: Context, world: World, ms: number) => {
    const release = sandbox.held.take(world);
    if (release) await waitWith(bindingsOf(context).outgoing, ms).finally(release);
  };
  plane.serve(postToInboxRoute, async ({ params: { inboxName: name }, context, session }) => {
    const message = { headers: Object.fromEntries(context.req.raw.headers), body: await readBytes(context) };
    await sandbox.tickerOf(session.world).runDueJobs(); // World time advanced while the body arrived.
    const { status, delayMs } = await sandbox.inboxes.receive(session, name, message);
    if (delayMs > 0) await hold(context, session.world, delayMs);
    return new RawResponse({ status, body: null, headers: {} });
  });
  plane.serve(listInboxMessagesRoute, async ({ params: { inboxName: name }, query, session }) => {
    const messages = await session.read((uow) =>
      page(uow.list('inboxMessages', 'inbox', `${name} `), query, `${uow.identity.name}/inbox/${name}`, messageFilters, inboxMessageView),
    );
    return asList(messages);
  });
  plane.serve(
    awaitInboxMessagesRoute,
    async ({ params: { inboxName: name }, query: { eventType, resourceId, count, timeoutMs }, session }) => {
      const fitting = (view: View) =>
        Array.from(view.find('inboxMessages', 'inbox', `${name} `)).filter((message) => isAbout(message, eventType, resourceId));
      const enough = (view: View) => {
        const messages = fitting(view);
        return messages.length >= count ? messages : null;
      };
      let came = session.read(fitting).length;
      // Look through all messages only after the last expected one has arrived.
      const isNews = ({ row }: Change) => row !== null && isAbout(row as InboxMessageRecord, eventType, resourceId) && (came += 1) >= count;
      const messages = await waitFor(sandbox.watch, session, { awaited: { inbox: name }, look: enough, isNews, timeoutMs });
      if (messages) return asList(onePage(messages.map(inboxMessageView)));
      const arrived = session.read(fitting).map(inboxMessageView);
      const message = `${arrived.length} of ${count} messages arrived in inbox ${name} within ${timeoutMs} ms.${obstacle(session, name)}`;
      throw new DomainError('WAIT_TIMEOUT', message, {
        expected: count,
        received: arrived.length,
        messages: arrived,
      });
    },
  );
  plane.serve(getInboxResponsesRoute, async ({ params: { inboxName: name }, session }) =>
    session.read((uow) => uow.get('inboxes', name)?.responses ?? []),
  );
  plane.serve(putInboxResponsesRoute, ({ params: { inboxName: name }, body, session }) =>
    session.commit((uow) => {
      setInboxResponses(uow, { name, responses: body });
      return body;
    }),
  );
}

/** Returns a hint why messages do not reach an inbox; empty if unknown. */
function obstacle({ world }: Session, name: string): string {
  const sends = ({ url }: { url: string }) => {
    const place = internalReceiver(url, '');
    return place?.kind === 'inbox' && place.name === name;
  };
  if (!Array.from(world.state.subscriptions.values()).some(sends)) return ' No subscription of this world sends to this inbox.';
  return world.state.jobs.size > 0 ? frozenClockHint(world) : '';
}
