import { resourceOf } from '../../contract/shared/event-types.js';
import type { DeliveryRecord, SubscriptionRecord } from './delivery.js';
import type { ContentEffect } from './delivery-effect.js';
import { messageSignature, standardHeaders, type Signer } from './signature.js';

/** The inputs of the signatures of an attempt. */
export interface Signing {
  readonly signer: Signer;
  /** The signer of an additional signature in the header of Standard Webhooks, which can have several; null without one. */
  readonly nextSigner: Signer | null;
  /** The signed body. */
  readonly payload: string;
  /** Real time in Unix seconds. */
  readonly realS: number;
  /** Whether to add the headers of Standard Webhooks. */
  readonly standardWebhooks: boolean;
  readonly effect: ContentEffect;
}

/** How old the timestamp of a deliberately stale signature is, in seconds. */
const staleS = 3600;

/** Returns the headers of one attempt. */
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

function signatureHeaders({ id }: DeliveryRecord, { signer: genuine, nextSigner, payload, realS, standardWebhooks, effect }: Signing) {
  const signers = [genuine, ...(nextSigner ? [nextSigner] : [])].map((each) => (effect.corruptSignature ? forger(each) : each));
  const signedS = realS - (effect.staleTimestamp ? staleS : 0);
  return {
    'X-Message-Signature': messageSignature(id, signers[0]!),
    ...(standardWebhooks ? standardHeaders(id, payload, signers, signedS) : {}),
  };
}

/** Returns a signer with a wrong key, whose signatures look valid. */
function forger({ clientId, clientSecret }: Signer): Signer {
  return { clientId, clientSecret: `not ${clientSecret}` };
}
