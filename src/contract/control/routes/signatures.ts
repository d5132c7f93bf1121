import { SignatureCheckSchema, SignatureRequestSchema } from '../signatures.js';
import { defineRoute } from '../../shared/route.js';

export const checkSignatureRoute = defineRoute({
  operationId: 'checkSignature',
  method: 'post',
  path: '/_sandbox/signatures/check',
  tag: 'Webhooks',
  summary: 'Tell whether the signatures of a webhook are good, and what differs if not',
  description:
    'For an endpoint that refuses what it should take: send what it received, and the secret that it uses. Deliveries that the world remembers help to tell a changed body from a wrong secret. Changes nothing.',
  body: SignatureRequestSchema,
  status: 200,
  response: SignatureCheckSchema,
  errors: [],
});

/** In the order of the document. */
export const signatureRoutes = [checkSignatureRoute] as const;
