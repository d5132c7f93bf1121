import { crowdedOut, inboxLimits, nextResponse } from '../../domain/webhooks/inbox.js';
import { isGenuine } from '../../domain/webhooks/signature.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Keeps what was sent to an inbox, and says how the inbox answers. `realS` is real time in seconds since 1970, for the signature. */
export function receiveMessage(
  uow: UnitOfWork,
  { name, headers, body, realS }: { name: string; headers: Readonly<Record<string, string>>; body: Uint8Array; realS: number },
): { status: number; delayMs: number } {
  const text = Buffer.from(body).toString('utf8');
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
  makeRoom(uow, text.length);
  const { response, inbox } = nextResponse(uow.get('inboxes', name) ?? { id: name, responses: [] });
  if (inbox.responses.length > 0) uow.put('inboxes', inbox);
  else uow.delete('inboxes', name);
  return response;
}

/** The counter of the characters that all inboxes of a world hold. */
const lengthCounter = 'inboxCharacters';

/** Lets the oldest messages go until all fit, the new one of `added` characters among them. */
function makeRoom(uow: UnitOfWork, added: number): void {
  let total = (uow.get('counters', lengthCounter)?.value ?? 0) + added;
  const excess = { messages: uow.sizeOf('inboxMessages') - inboxLimits.messages, characters: total - inboxLimits.characters };
  for (const { id, body } of crowdedOut(uow.rows('inboxMessages'), excess)) {
    uow.delete('inboxMessages', id);
    total -= body.length;
  }
  uow.put('counters', { id: lengthCounter, value: total });
}
