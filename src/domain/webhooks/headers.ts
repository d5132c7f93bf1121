import type { DeliveryRecord, SubscriptionRecord } from './delivery.js';
import type { SigningEffect } from './delivery-effect.js';
import { resourceOf } from '../event.js';
import { messageSignature, standardHeaders, type Signer } from './signature.js';

/** How an attempt is signed. */
export interface Signing {
  readonly signer: Signer;
  /** The body, which is signed. */
  readonly payload: string;
  /** Real time in seconds since 1970. */
  readonly realS: number;
  /** Whether the headers of Standard Webhooks come along. */
  readonly standardWebhooks: boolean;
  readonly effect: SigningEffect;
}

/** How far in the past the timestamp of a stale signature lies, in seconds. */
const staleS = 3600;

/** The headers of one attempt, named as they go over the wire: what it is, for whom, and its signatures. */
export function attemptHeaders(delivery: DeliveryRecord, subscription: SubscriptionRecord, signing: Signing): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'crossborder-sandbox',
    'X-Message-Id': delivery.id,
    'X-Event-Type': delivery.eventType,
    'X-Company-Id': subscription.companyId,
    'X-Resource-Name': resourceOf(delivery.eventType),
    ...(delivery.synthetic ? { 'X-Sandbox-Synthetic': 'true' } : {}),
    ...(signing.effect.unsigned ? {} : signatureHeaders(delivery, signing)),
  };
}

function signatureHeaders({ id }: DeliveryRecord, { signer: genuine, payload, realS, standardWebhooks, effect }: Signing) {
  const signer = effect.corruptSignature ? forger(genuine) : genuine;
  const signedS = realS - (effect.staleTimestamp ? staleS : 0);
  return {
    'X-Message-Signature': messageSignature(id, signer),
    ...(standardWebhooks ? standardHeaders(id, payload, signer, signedS) : {}),
  };
}

/** A signer with another key, whose signatures look genuine and are not. */
function forger({ clientId, clientSecret }: Signer): Signer {
  return { clientId, clientSecret: `not ${clientSecret}` };
}
