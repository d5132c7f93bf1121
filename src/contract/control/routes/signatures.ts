import { SignatureCheckSchema, SignatureRequestSchema } from '../signatures.js';
import { defineRoute } from '../../shared/route.js';

export const checkSignatureRoute = defineRoute({
  operationId: 'checkSignature',
  method: 'post',
  path: '/_sandbox/signatures/check',
  tag: 'Webhooks',
  summary: 'Check the signatures of a webhook for differences',
  description:
    'Use this if your endpoint rejects valid webhooks. Send the webhook that it received and the secret that it uses. The check compares them with the stored deliveries of the world to distinguish a changed body from a wrong secret, and recognises usual mistakes in a signature that you computed. Changes nothing.',
  body: SignatureRequestSchema,
  status: 200,
  response: SignatureCheckSchema,
  errors: [],
  client: 'world.checkSignature(webhook)',
});

/** The operations of this file, in the order of the OpenAPI document. */
export const signatureRoutes = [checkSignatureRoute] as const;
