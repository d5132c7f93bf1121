import { type InboxRecord, messagesToEvict, inboxLimits, nextResponse } from '../../domain/webhooks/inbox.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';
import { isGenuine } from '../../domain/webhooks/signature.js';
import { signingCredentials } from '../../world/credentials.js';

/** Sets the next responses of an inbox. After them, the inbox responds with 200. */
export function setInboxResponses(uow: UnitOfWork, { name, responses }: { name: string; responses: InboxRecord['responses'] }): void {
  if (responses.length === 0) uow.delete('inboxes', name);
  else uow.put('inboxes', { id: name, responses });
}

/** Stores a message in an inbox and returns the response of the inbox. `realS` is real time in Unix seconds, to verify the signature. */
export function receiveMessage(
  uow: UnitOfWork,
  { name, headers, body, realS }: { name: string; headers: Readonly<Record<string, string>>; body: Buffer; realS: number },
): { status: number; delayMs: number } {
  const text = body.toString('utf8');
  const seq = uow.count('inboxMessage');
  uow.put('inboxMessages', {
    id: `${name}/${seq}`,
    seq,
    inbox: name,
    headers,
    body: text,
    signatureValid: isGenuine(headers, body, signingCredentials(uow.identity, realS * 1000), realS),
    createdAt: uow.now,
  });
  makeRoom(uow, text.length);
  const { response, inbox } = nextResponse(uow.get('inboxes', name) ?? { id: name, responses: [] });
  if (inbox.responses.length > 0) uow.put('inboxes', inbox);
  else uow.delete('inboxes', name);
  return response;
}

/** Id of the counter for the characters in all inboxes of a world. */
const lengthCounter = 'inboxCharacters';

/** Evicts the oldest messages until all others fit into the limits, including the new message of `added` characters. */
function makeRoom(uow: UnitOfWork, added: number): void {
  let total = (uow.get('counters', lengthCounter)?.value ?? 0) + added;
  const excess = { messages: uow.sizeOf('inboxMessages') - inboxLimits.messages, characters: total - inboxLimits.characters };
  for (const { id, body } of messagesToEvict(uow.rows('inboxMessages'), excess)) {
    uow.delete('inboxMessages', id);
    total -= body.length;
  }
  uow.put('counters', { id: lengthCounter, value: total });
}
