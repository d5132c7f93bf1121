import type { SignatureCheck, signatureParts } from '../../contract/control/signatures.js';
import { isSameSecret } from '../secret.js';
import { isSignedBody, isStandard, isTimely, messageSignature, toleranceS, type Signer } from './signature.js';

/** A webhook as an endpoint received it. */
export interface Received {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is known of the messages that were really sent. */
export interface Sent {
  /** The body of a message; undefined when there is none of this id. */
  bodyOf(messageId: string): string | undefined;
  /** The ids of the messages with this body. */
  idsOf(body: string): Iterable<string>;
}

type Part = (typeof signatureParts)[number];

const differs = (part: Part, message: string): SignatureCheck => ({ valid: false, part, message });

/** The bytes that a secret stands for, as text: it may be in the form of Standard Webhooks. */
function secretOf(given: string): string {
  return given.startsWith('whsec_') ? Buffer.from(given.slice('whsec_'.length), 'base64').toString('utf8') : given;
}

/**
 * Tells whether an endpoint with this secret would take a webhook for genuine, and if not, which part differs from what was signed.
 * @param genuine who signs in this world
 * @param given the secret of the endpoint; that of the world when undefined
 * @param realS real time in seconds since 1970
 */
export function checkSignatures(
  received: Received,
  { genuine, given, realS, sent }: { genuine: Signer; given: string | undefined; realS: number; sent: Sent },
): SignatureCheck {
  const { headers } = received;
  const id = headers['x-message-id'] ?? '';
  const missing = missingHeaders(headers);
  if (missing.length > 0) {
    const hint = 'Pass on all headers; a rule or fault with the effect `unsigned` leaves signatures out.';
    return differs('HEADERS', `There is no ${missing.join(', no ')}. ${hint}`);
  }
  if (isStandard(headers) && headers['webhook-id'] !== id)
    return differs('ID', `X-Message-Id is ${id} and webhook-id is ${headers['webhook-id']}; both name the message.`);
  const signer = given === undefined ? genuine : { ...genuine, clientSecret: secretOf(given) };
  const isOwnGood = hasOwnSignature(headers, id, signer);
  const isBodyGood = isStandard(headers) ? isBodySigned(received, id, signer) : isOwnGood;
  if (isOwnGood && isBodyGood) return judgeTime(headers, realS);
  if (isOwnGood) return judgeBody(received, id, signer, sent.bodyOf(id));
  if (isBodyGood)
    return differs('HEADERS', 'X-Message-Signature is not that of this message, though webhook-signature is: it was changed.');
  return judgeSecret(received, id, signer, genuine, sent);
}

function missingHeaders(headers: Received['headers']): string[] {
  const standard = isStandard(headers) ? ['webhook-id', 'webhook-timestamp', 'webhook-signature'] : [];
  return ['X-Message-Id', 'X-Message-Signature', ...standard].filter((name) => (headers[name.toLowerCase()] ?? '') === '');
}

const hasOwnSignature = (headers: Received['headers'], id: string, signer: Signer) =>
  isSameSecret(headers['x-message-signature'] ?? '', messageSignature(id, signer));

const isBodySigned = ({ headers, body }: Received, id: string, signer: Signer) =>
  isSignedBody(headers, id, headers['webhook-timestamp'] ?? '', body, signer);

function judgeTime(headers: Received['headers'], realS: number): SignatureCheck {
  const timestamp = headers['webhook-timestamp'] ?? '';
  if (!isStandard(headers) || isTimely(timestamp, realS)) return { valid: true, part: null, message: 'The signatures are good.' };
  const age = realS - Number(timestamp);
  const distance = age > 0 ? `${age} seconds ago` : `${-age} seconds ahead`;
  return differs(
    'TIMESTAMP',
    `The signatures are good, but webhook-timestamp is ${distance}, and verifiers take at most ${toleranceS}. Compare the clocks of both machines; the effect \`staleTimestamp\` does this too, and so does a webhook that is checked later.`,
  );
}

/** What differs where secret and id are right and the signature over the body is not. @param sent the body that was sent, if it is known */
function judgeBody({ headers, body }: Received, id: string, signer: Signer, sent: string | undefined): SignatureCheck {
  if (sent === body)
    return differs(
      'TIMESTAMP',
      'Secret, id and body are those that were signed; webhook-timestamp, or webhook-signature itself, was changed.',
    );
  const isOriginal = sent !== undefined && isBodySigned({ headers, body: sent }, id, signer);
  const where = sent === undefined ? '' : ` ${firstDifference(sent, body)}`;
  const sure = isOriginal ? 'The body is not the one that was signed.' : 'The body, or webhook-timestamp, is not the one that was signed.';
  return differs('BODY', `${sure}${where} Verify the bytes as they came, before anything parses them and writes them anew.`);
}

function firstDifference(sent: string, received: string): string {
  let at = 0;
  while (at < sent.length && sent[at] === received[at]) at += 1;
  const excerpt = (text: string) => JSON.stringify(text.slice(at, at + 20));
  return `From character ${at + 1} on, ${excerpt(sent)} was sent and ${excerpt(received)} received.`;
}

/** What differs where no signature is that of this id and secret. */
function judgeSecret(received: Received, id: string, signer: Signer, genuine: Signer, sent: Sent): SignatureCheck {
  const { headers, body } = received;
  if (hasOwnSignature(headers, id, genuine))
    return differs('SECRET', "The webhook was signed with this world's client secret; the secret that you gave is another one.");
  if (sent.bodyOf(id) === undefined) {
    for (const other of sent.idsOf(body))
      if (hasOwnSignature(headers, other, signer)) return differs('ID', `The signature is that of message ${other}, not of ${id}.`);
  }
  const known =
    sent.bodyOf(id) === undefined ? 'This world has sent no such message: it may be of another world.' : 'This world has sent it.';
  return differs(
    'SECRET',
    `The signatures were not made with this secret. ${known} The key is the client secret of the world, its very characters; the effect \`corruptSignature\` signs with another one on purpose.`,
  );
}
