import { createHmac } from 'node:crypto';
import { isSameSecret } from '../secret.js';

/** Whose key signs, and for whom. */
export interface Signer {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** How far the timestamp of a signature may be from the verifier's time, in seconds. Standard Webhooks' own tolerance. */
export const toleranceS = 300;

const hmac = (key: string, data: string | Uint8Array) => createHmac('sha256', key).update(data);

/** The service's own signature, in hexadecimal digits: it covers who sends which message, and not the body. */
export function messageSignature(messageId: string, { clientId, clientSecret }: Signer): string {
  return hmac(clientSecret, `${messageId}+${clientId}`).digest('hex');
}

/** The signature of Standard Webhooks, which covers the body. Its key is the bytes of the client secret. */
function bodySignature(messageId: string, timestamp: string, body: string | Uint8Array, { clientSecret }: Signer): string {
  const signed = Buffer.concat([Buffer.from(`${messageId}.${timestamp}.`), Buffer.from(body)]);
  return `v1,${hmac(clientSecret, signed).digest('base64')}`;
}

/** The headers of Standard Webhooks, which cover the body. `realS` is real time in seconds since 1970. */
export function standardHeaders(messageId: string, body: string, signer: Signer, realS: number): Record<string, string> {
  const timestamp = String(realS);
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': bodySignature(messageId, timestamp, body, signer),
  };
}

/**
 * Whether the signatures of a received webhook are good: the service's own, and that of Standard Webhooks where it came along,
 * made at most five minutes ago.
 * @param headers by their names in lower case
 */
export function isGenuine(headers: Readonly<Record<string, string>>, body: Uint8Array, signer: Signer, realS: number): boolean {
  const messageId = headers['x-message-id'] ?? '';
  if (messageId === '' || !isSameSecret(headers['x-message-signature'] ?? '', messageSignature(messageId, signer))) return false;
  if (!isStandard(headers)) return true;
  const timestamp = headers['webhook-timestamp'] ?? '';
  return headers['webhook-id'] === messageId && isTimely(timestamp, realS) && isSignedBody(headers, messageId, timestamp, body, signer);
}

/** Whether headers of Standard Webhooks came along. @param headers by their names in lower case */
export function isStandard(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.startsWith('webhook-'));
}

/** Whether the timestamp of a signature is an instant at most five minutes from now. */
export function isTimely(timestamp: string, realS: number): boolean {
  return /^[0-9]{1,12}$/.test(timestamp) && Math.abs(realS - Number(timestamp)) <= toleranceS;
}

/** Whether one of the signatures of Standard Webhooks is that of this message, timestamp and body. @param headers by their names in lower case */
export function isSignedBody(
  headers: Readonly<Record<string, string>>,
  messageId: string,
  timestamp: string,
  body: string | Uint8Array,
  signer: Signer,
): boolean {
  const expected = bodySignature(messageId, timestamp, body, signer);
  return (headers['webhook-signature'] ?? '').split(' ').some((each) => isSameSecret(each, expected));
}
