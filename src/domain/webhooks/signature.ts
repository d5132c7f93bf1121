import { createHmac } from 'node:crypto';
import { isSameSecret } from '../secret.js';

/** The client id and key of a signature. */
export interface Signer {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Maximum difference between the timestamp of a signature and the verifier's time, in seconds, as Standard Webhooks defines it. */
export const toleranceS = 300;

/** Maximum number of signatures in one header: one for each key of a sender that changes its keys. */
const maxSignatures = 16;

const hmac = (key: string, data: string | Uint8Array) => createHmac('sha256', key).update(data);

/** Returns the service's own signature of message id and client id, in hex. The signature does not cover the body. */
export function messageSignature(messageId: string, { clientId, clientSecret }: Signer): string {
  return hmac(clientSecret, `${messageId}+${clientId}`).digest('hex');
}

/** Returns the Standard Webhooks signature, which covers the body. Its key is the bytes of the client secret. */
export function bodySignature(messageId: string, timestamp: string, body: string | Uint8Array, { clientSecret }: Signer): string {
  const signed = Buffer.concat([Buffer.from(`${messageId}.${timestamp}.`), Buffer.from(body)]);
  return `v1,${hmac(clientSecret, signed).digest('base64')}`;
}

/** Returns the Standard Webhooks headers, which cover the body, with a signature of each signer. `realS` is real time in Unix seconds. */
export function standardHeaders(messageId: string, body: string, signers: readonly Signer[], realS: number): Record<string, string> {
  const timestamp = String(realS);
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signers.map((signer) => bodySignature(messageId, timestamp, body, signer)).join(' '),
  };
}

/**
 * Whether all signatures of a received webhook are valid: the service's own and, if present, that of Standard Webhooks, with a timestamp at
 * most five minutes from now.
 * @param headers names in lower case
 */
export function isGenuine(headers: Readonly<Record<string, string>>, body: Uint8Array, signer: Signer, realS: number): boolean {
  const messageId = headers['x-message-id'] ?? '';
  if (messageId === '' || !isSameSecret(headers['x-message-signature'] ?? '', messageSignature(messageId, signer))) return false;
  if (!isStandard(headers)) return true;
  const timestamp = headers['webhook-timestamp'] ?? '';
  return headers['webhook-id'] === messageId && isTimely(timestamp, realS) && isSignedBody(headers, messageId, timestamp, body, signer);
}

/** Whether Standard Webhooks headers are present. @param headers names in lower case */
export function isStandard(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.startsWith('webhook-'));
}

/** Whether the timestamp of a signature is at most five minutes from now. */
export function isTimely(timestamp: string, realS: number): boolean {
  return /^[0-9]{1,12}$/.test(timestamp) && Math.abs(realS - Number(timestamp)) <= toleranceS;
}

/** Whether a Standard Webhooks signature matches this message, timestamp and body. @param headers names in lower case */
export function isSignedBody(
  headers: Readonly<Record<string, string>>,
  messageId: string,
  timestamp: string,
  body: string | Uint8Array,
  signer: Signer,
): boolean {
  const expected = bodySignature(messageId, timestamp, body, signer);
  return (headers['webhook-signature'] ?? '').split(' ', maxSignatures).some((each) => isSameSecret(each, expected));
}
