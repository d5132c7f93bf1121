import type { InboxRecord } from '../../domain/webhooks/inbox.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Sets the next responses of an inbox. After them, the inbox responds with 200. */
export function setInboxResponses(uow: UnitOfWork, { name, responses }: { name: string; responses: InboxRecord['responses'] }): void {
  if (responses.length === 0) uow.delete('inboxes', name);
  else uow.put('inboxes', { id: name, responses });
}
