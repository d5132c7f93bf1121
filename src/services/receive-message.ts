import { crowdedOut, nextResponse } from '../domain/inbox.js';
import { isGenuine } from '../domain/webhook-signature.js';
import type { UnitOfWork } from '../world/unit-of-work.js';

/** Keeps what was sent to an inbox, and says how the inbox answers. `realS` is real time in seconds since 1970, for the signature. */
export function receiveMessage(
  uow: UnitOfWork,
  name: string,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: Uint8Array },
  realS: number,
): { status: number; delayMs: number } {
  const text = Buffer.from(body).toString('utf8');
  for (const message of crowdedOut(uow.rows('inboxMessages'), text.length)) uow.delete('inboxMessages', message.id);
  const seq = uow.count('inboxMessage');
  uow.put('inboxMessages', {
    id: `${name}/${seq}`,
    seq,
    inbox: name,
    headers,
    body: text,
    signatureValid: isGenuine(headers, body, uow.identity, realS),
    createdAt: uow.now,
  });
  const { response, inbox } = nextResponse(uow.get('inboxes', name) ?? { id: name, responses: [] });
  if (inbox.responses.length > 0) uow.put('inboxes', inbox);
  else uow.delete('inboxes', name);
  return response;
}
