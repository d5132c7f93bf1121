import { excerptOf } from '../../contract/shared/messages/cut.js';
import type { SignatureCheck, signatureParts } from '../../contract/control/signatures.js';
import { isSameSecret } from '../secret.js';
import { formula, recognisedMistakes, type NamedSigner, type SignatureMistake } from './signature-mistakes.js';
import { isSignedBody, isStandard, isTimely, messageSignature, toleranceS, type Signer } from './signature.js';

/** A webhook as an endpoint received it. */
export interface Received {
  /** The received headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Access to the sent messages. */
export interface Sent {
  /** Returns the body of a message; undefined if no message has this id. */
  bodyOf(messageId: string): string | undefined;
  /** Returns the ids of the messages with this body. */
  idsOf(body: string): Iterable<string>;
}

type Part = (typeof signatureParts)[number];

const differs = (part: Part, message: string, mistakes: SignatureMistake[] = []): SignatureCheck => ({
  valid: false,
  part,
  mistakes,
  message,
});

/** Decodes a secret, which may have the Standard Webhooks format. */
function secretOf(given: string): string {
  return given.startsWith('whsec_') ? Buffer.from(given.slice('whsec_'.length), 'base64').toString('utf8') : given;
}

/** The data against which the signatures of a webhook are checked. */
interface Against {
  /** The signer of this world. */
  readonly genuine: Signer;
  /** The secret of the endpoint. Default: that of the world. */
  readonly given: string | undefined;
  /** The signature that the endpoint computed, if known. */
  readonly computed: string | undefined;
  /** Signers of other worlds that the caller may know. */
  readonly others: Iterable<NamedSigner>;
  /** Real time in Unix seconds. */
  readonly realS: number;
  readonly sent: Sent;
}

/** Checks whether an endpoint with this secret accepts a webhook. If not, the result names the part that differs from the signed webhook. */
export function checkSignatures(received: Received, against: Against): SignatureCheck {
  const { genuine, given, computed, others, realS, sent } = against;
  const { headers } = received;
  const id = headers['x-message-id'] ?? '';
  const missing = missingHeaders(headers);
  if (missing.length > 0) {
    const hint = 'Pass on all headers; a rule or fault with the effect `unsigned` leaves signatures out.';
    return differs('HEADERS', `Missing headers: ${missing.join(', ')}. ${hint}`);
  }
  if (isStandard(headers) && headers['webhook-id'] !== id)
    return differs('ID', `X-Message-Id is ${id}, but webhook-id is ${headers['webhook-id']}. Both must contain the message id.`);
  const signer = given === undefined ? genuine : { ...genuine, clientSecret: secretOf(given) };
  if (computed !== undefined && !isSameSecret(computed, messageSignature(id, signer)))
    return recognised(computed, received, signer, others) ?? differs('SIGNATURE', `The computed signature is wrong. ${formula}`);
  const isOwnGood = hasOwnSignature(headers, id, signer);
  const isBodyGood = isStandard(headers) ? isBodySigned(received, id, signer) : isOwnGood;
  if (isOwnGood && isBodyGood) return judgeTime(headers, realS);
  if (isOwnGood) return judgeBody(received, id, signer, sent.bodyOf(id));
  const mistaken = recognised(headers['x-message-signature'] ?? '', received, signer, others);
  if (mistaken) return mistaken;
  if (isBodyGood) return differs('HEADERS', 'X-Message-Signature was changed: webhook-signature is valid for this message.');
  return judgeSecret(received, signer, against);
}

/** Returns the result for a signature with usual mistakes; null if none is recognised. */
function recognised(signature: string, { headers, body }: Received, signer: Signer, others: Iterable<NamedSigner>): SignatureCheck | null {
  const webhook = { id: headers['x-message-id'] ?? '', timestamp: headers['webhook-timestamp'] ?? '', body };
  const found = recognisedMistakes(signature, webhook, signer, others);
  if (!found) return null;
  return differs(found.mistakes[0] === 'OTHER_WORLD' ? 'SECRET' : 'SIGNATURE', found.message, found.mistakes);
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
  if (!isStandard(headers) || isTimely(timestamp, realS))
    return { valid: true, part: null, mistakes: [], message: 'The signatures are valid.' };
  const age = realS - Number(timestamp);
  const distance = age > 0 ? `${age} seconds ago` : `${-age} seconds ahead`;
  return differs(
    'TIMESTAMP',
    `The signatures are valid, but webhook-timestamp is ${distance}; verifiers accept at most ${toleranceS}. Compare the clocks of both machines. Other causes: the effect \`staleTimestamp\`, or a check long after the delivery.`,
  );
}

/** Finds the difference if secret and id are correct but the body signature is not. @param sent the body that was sent, if known */
function judgeBody({ headers, body }: Received, id: string, signer: Signer, sent: string | undefined): SignatureCheck {
  if (sent === body)
    return differs('TIMESTAMP', 'Secret, id and body are correct, but webhook-timestamp or webhook-signature was changed.');
  const isOriginal = sent !== undefined && isBodySigned({ headers, body: sent }, id, signer);
  const where = sent === undefined ? '' : ` ${firstDifference(sent, body)}`;
  const sure = isOriginal ? 'The body is not the one that was signed.' : 'The body, or webhook-timestamp, is not the one that was signed.';
  return differs('BODY', `${sure}${where} Verify the received bytes, before they are parsed and serialised again.`);
}

function firstDifference(sent: string, received: string): string {
  let at = 0;
  while (at < sent.length && sent[at] === received[at]) at += 1;
  const excerpt = (text: string) => JSON.stringify(excerptOf(text, at, 20));
  return `At character ${at + 1}, ${excerpt(sent)} was sent and ${excerpt(received)} received.`;
}

/** Finds the difference if no signature matches this id and secret. */
function judgeSecret({ headers, body }: Received, signer: Signer, { genuine, others, sent }: Against): SignatureCheck {
  const id = headers['x-message-id'] ?? '';
  if (hasOwnSignature(headers, id, genuine)) {
    const signed = "The webhook was signed with this world's client secret; you gave";
    for (const { name, clientSecret } of others)
      if (isSameSecret(clientSecret, signer.clientSecret))
        return differs('SECRET', `${signed} that of the world "${name}".`, ['OTHER_WORLD']);
    return differs('SECRET', `${signed} a different secret.`);
  }
  if (sent.bodyOf(id) === undefined) {
    for (const other of sent.idsOf(body))
      if (hasOwnSignature(headers, other, signer)) return differs('ID', `The signature belongs to message ${other}, not to ${id}.`);
  }
  const known =
    sent.bodyOf(id) === undefined ? 'This world has not sent this message; another world may have.' : 'This world has sent this message.';
  return differs(
    'SECRET',
    `The signatures were not made with this secret. ${known} Use the client secret of the world as key, without decoding it. The effect \`corruptSignature\` signs with another key on purpose.`,
  );
}
