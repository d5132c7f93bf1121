import type { Exchange } from '../../world/witness.js';
import type { Redactor } from './redaction.js';
import type { Stored } from './stored.js';

/** How much of a body is kept, in bytes. */
const limits = { request: 16 * 1024, write: 16 * 1024, read: 4 * 1024 } as const;
/** How much more is looked at for secrets, of which none may be cut in two: more than any is long. */
const lookAhead = 4 * 1024;

/** What parts the blocks of a text: no header and no URL has it, and JSON escapes it. */
export const blockEnd = '\u0000';

/** A line of facts about a body, and its beginning without secrets. */
type Part = readonly [facts: string, text: string];

const nothing: Part = ['', ''];

/** @param redact takes the secrets out of a text */
function part(redact: (text: string) => string, text: string, bytes: number, limit: number): Part {
  if (bytes <= limit) return [`${bytes} 0`, redact(text)];
  const shown = redact(text.slice(0, limit + lookAhead)).slice(0, limit);
  return [`${bytes} 1`, Buffer.from(shown).toString('utf8', 0, limit)];
}

function requestPart(redactor: Redactor, { body }: Exchange): Part {
  if (!body) return nothing;
  const [facts, text] = part((each) => redactor.text(each), body.text, body.size, body.file ? Infinity : limits.request);
  const file = body.file ? ` ${JSON.stringify(body.file)}` : '';
  return [`${facts} ${body.mediaType}${file}`, text];
}

/** Of what the API answers, tokens and refusals alone may name secrets. */
function answerPart(redactor: Redactor, { answer, kind, operationId, status }: Exchange, limit: number): Part {
  if (answer.body === null) return nothing;
  const mayName = kind === 'CONTROL' || operationId === 'createToken' || status >= 400;
  const redact = (text: string) => (mayName ? redactor.text(text) : redactor.plainText(text));
  return part(redact, answer.body, Buffer.byteLength(answer.body), limit);
}

const json = (value: unknown) => (value === null ? '' : JSON.stringify(value));

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
  const asked = `${seen.method}\n${redactor.target(seen.target)}\n${seen.operationId ?? ''}\n${seen.version ?? ''}\n${seen.token ?? ''}\n`;
  const key = idempotencyKey === null ? '' : redactor.plainText(idempotencyKey);
  const ids = `${key}\n${seen.traceId ?? ''}\n${unknown.length === 0 ? '' : redactor.text(JSON.stringify(unknown))}\n`;
  const came = `${seen.status}\n${seen.code ?? ''}\n${seen.outcome}\n${seen.replay ? 1 : 0}\n${seen.fate}\n`;
  const struck = `${json(seen.ruleId)}\n${json(seen.effect)}\n${json(caused)}`;
  const heads = `${redactor.headers(seen.rawHeaders)}${blockEnd}${answerHeaders(seen.answer.headers)}`;
  const lengths = `${requestFacts}${blockEnd}${answerFacts}${blockEnd}${request.length}`;
  return `${times}${asked}${ids}${came}${struck}${blockEnd}${heads}${blockEnd}${lengths}${blockEnd}${request}${answered}`;
}
