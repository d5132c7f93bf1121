import { createHmac } from 'node:crypto';
import type { signatureMistakes } from '../../contract/control/signatures.js';
import { isSameSecret } from '../secret.js';
import { bodySignature, messageSignature, type Signer } from './signature.js';

export type SignatureMistake = (typeof signatureMistakes)[number];

/** The world whose secret signed a message. */
export interface NamedSigner extends Signer {
  readonly name: string;
}

/** The explanation of each mistake. */
const meanings: Readonly<Record<SignatureMistake, string>> = {
  BODY: 'It was computed over the body, which X-Message-Signature does not cover.',
  ID_ALONE: 'It was computed over the message id alone: append "+" and the client id.',
  OTHER_SCHEME: 'It was computed as webhook-signature of Standard Webhooks, which is another header.',
  UPPER_CASE: 'It is in upper case: compare in lower case.',
  BASE64: 'It is in base64: encode it in lower-case hexadecimal.',
  OTHER_WORLD: 'It was computed with the client secret of another world.',
};

/** How to compute the signature correctly, for messages. */
export const formula =
  'X-Message-Signature is the lower-case hexadecimal HMAC-SHA256 of X-Message-Id + "+" + clientId, with the client secret as key.';

/** Returns the mistakes in the encoding if `signature` encodes these bytes; undefined if it does not. */
function encodingOf(signature: string, digest: Buffer): SignatureMistake[] | undefined {
  const hex = digest.toString('hex');
  const base64 = [digest.toString('base64'), digest.toString('base64url')];
  if (isSameSecret(signature, hex)) return [];
  if (isSameSecret(signature.toLowerCase(), hex)) return ['UPPER_CASE'];
  return base64.some((each) => isSameSecret(signature, each)) ? ['BASE64'] : undefined;
}

/** Returns the mistakes of a signature that was made with this secret; undefined if none of the usual mistakes gives it. */
function mistakesWith(
  signature: string,
  { id, timestamp, body }: { id: string; timestamp: string; body: string },
  signer: Signer,
): SignatureMistake[] | undefined {
  const other = Buffer.from(bodySignature(id, timestamp, body, signer).slice('v1,'.length), 'base64');
  const parts = signature.split(' ').map((each) => each.replace(/^v1,/, ''));
  if (parts.some((each) => encodingOf(each, other))) return ['OTHER_SCHEME'];
  const digest = (data: string) => createHmac('sha256', signer.clientSecret).update(data).digest();
  const over: [SignatureMistake[], Buffer][] = [
    [[], Buffer.from(messageSignature(id, signer), 'hex')],
    [['BODY'], digest(body)],
    [['ID_ALONE'], digest(id)],
  ];
  for (const [mistakes, bytes] of over) {
    const encoding = encodingOf(signature, bytes);
    if (encoding) return [...mistakes, ...encoding];
  }
  return undefined;
}

/**
 * Recognises the usual mistakes in a wrong X-Message-Signature.
 * @param webhook message id, webhook-timestamp (empty if absent) and body
 * @param others signers of other worlds that the caller may know
 * @returns the mistakes, and a message about them; null if none is recognised
 */
export function recognisedMistakes(
  signature: string,
  webhook: { readonly id: string; readonly timestamp: string; readonly body: string },
  signer: Signer,
  others: Iterable<NamedSigner>,
): { readonly mistakes: SignatureMistake[]; readonly message: string } | null {
  const own = mistakesWith(signature, webhook, signer);
  if (own && own.length > 0) return { mistakes: own, message: `${own.map((each) => meanings[each]).join(' ')} ${formula}` };
  for (const other of others) {
    const keys = [other, { ...signer, clientSecret: other.clientSecret }];
    const digests = keys.map((key) => Buffer.from(messageSignature(webhook.id, key), 'hex'));
    const encoding = digests.map((each) => encodingOf(signature, each)).find((each) => each !== undefined);
    if (encoding === undefined) continue;
    const named = `It was computed with the client secret of the world "${other.name}". Use that of the world that sent the webhook.`;
    return { mistakes: ['OTHER_WORLD', ...encoding], message: [named, ...encoding.map((each) => meanings[each])].join(' ') };
  }
  return null;
}
