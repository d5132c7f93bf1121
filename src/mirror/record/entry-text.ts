import type { Exchange } from '../../world/witness.js';
import type { Redactor } from './redaction.js';
import type { Stored } from './stored.js';

/** How much of a body is kept, in bytes. */
const limits = { request: 16 * 1024, write: 16 * 1024, read: 4 * 1024 } as const;

/** What parts the blocks of a text: no header and no URL has it, and JSON escapes it. */
export const blockEnd = '\u0000';

/** A line of facts about a body, and its beginning without secrets. */
type Part = readonly [facts: string, text: string];

const nothing: Part = ['', ''];

function part(redactor: Redactor, text: string, bytes: number, limit: number): Part {
  if (bytes <= limit) return [`${bytes} 0`, redactor.text(text)];
  return [`${bytes} 1`, Buffer.from(redactor.text(text, limit)).toString('utf8', 0, limit)];
}

function requestPart(redactor: Redactor, { body }: Exchange): Part {
  if (!body) return nothing;
  const [facts, text] = part(redactor, body.text, body.size, body.file ? Infinity : limits.request);
  const file = body.file ? ` ${redactor.json(body.file)}` : '';
  return [`${facts} ${redactor.text(body.mediaType)}${file}`, text];
}

function answerPart(redactor: Redactor, { answer }: Exchange, limit: number): Part {
  return answer.sent === null ? nothing : part(redactor, answer.sent, Buffer.byteLength(answer.sent), limit);
}

/** Headers of an answer, which say nothing secret, one a line. */
function answerHeaders(headers: Readonly<Record<string, string>>): string {
  let block = '';
  for (const name in headers) block += `${name}: ${headers[name]}\n`;
  return block;
}

/**
 * The text of a call that has been answered, without secrets: facts, a line each; both headers; facts of both bodies, and the bodies as
 * they are. As JSON the bodies would be escaped, which takes longer than all else together; a fact that may have anything in it is JSON.
 */
export function callText(redactor: Redactor, { isRead, caused }: Stored, seen: Exchange): string {
  const { began, ended, connection, idempotencyKey, unknown } = seen;
  const [requestFacts, request] = requestPart(redactor, seen);
  const [answerFacts, answered] = answerPart(redactor, seen, isRead ? limits.read : limits.write);
  const times = `${began.worldMs ?? ''}\n${began.realMs}\n${ended.realMs}\n${connection ?? ''}\n`;
  const asked = `${seen.method}\n${redactor.text(seen.target)}\n${seen.operationId ?? ''}\n${seen.version ?? ''}\n${seen.token ?? ''}\n`;
  const key = idempotencyKey === null ? '' : redactor.text(idempotencyKey);
  const ids = `${key}\n${seen.traceId === null ? '' : redactor.text(seen.traceId)}\n${unknown.length === 0 ? '' : redactor.json(unknown)}\n`;
  const came = `${seen.status}\n${seen.code ?? ''}\n${seen.outcome}\n${seen.replay ? 1 : 0}\n${seen.fate}\n`;
  const json = (value: unknown) => (value === null ? '' : redactor.json(value));
  const struck = `${json(seen.ruleId)}\n${json(seen.effect)}\n${json(caused)}`;
  const heads = `${redactor.headers(seen.rawHeaders)}${blockEnd}${answerHeaders(seen.answer.headers)}`;
  const lengths = `${requestFacts}${blockEnd}${answerFacts}${blockEnd}${request.length}`;
  return `${times}${asked}${ids}${came}${struck}${blockEnd}${heads}${blockEnd}${lengths}${blockEnd}${request}${answered}`;
}
