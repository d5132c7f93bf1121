import { z } from '@hono/zod-openapi';
import { orNull } from '../shared/common.js';

export const SignatureRequestSchema = z
  .strictObject({
    headers: z
      .record(z.string().max(256), z.string().max(8192))
      .refine((headers) => Object.keys(headers).length <= 100, { message: 'expected at most 100 headers' })
      .meta({
        description: 'The headers of the webhook as your endpoint received them; at most 100. The case of the names does not matter.',
      }),
    body: z.string().meta({ description: 'The exact body of the webhook as a string, before any parsing.' }),
    secret: z.string().min(1).max(1024).optional().meta({
      description:
        'The secret that your endpoint uses: the client secret, or `whsec_` and its bytes in base64. Default: the client secret of the world.',
    }),
    computed: z.string().min(1).max(8192).optional().meta({
      description:
        'The value that your endpoint computed to compare with X-Message-Signature. If it is wrong, `mistakes` names how it was computed.',
    }),
  })
  .openapi('SignatureRequest', { description: 'A webhook whose signatures are to be checked.' });

export const signatureParts = ['HEADERS', 'SECRET', 'TIMESTAMP', 'ID', 'BODY', 'SIGNATURE'] as const;

export const signatureMistakes = ['BODY', 'ID_ALONE', 'OTHER_SCHEME', 'UPPER_CASE', 'BASE64', 'OTHER_WORLD'] as const;

export const SignatureCheckSchema = z
  .object({
    valid: z.boolean().meta({ description: 'Whether the webhook is genuine for an endpoint with this secret.' }),
    part: orNull(
      z.enum(signatureParts).openapi('SignaturePart', {
        description:
          'HEADERS: a signature is missing or malformed. SECRET: the signature was made with another secret. TIMESTAMP: the timestamp is more than five minutes from now, or differs from the signed one. ID: the message id differs from the signed one. BODY: the body differs from the signed one. SIGNATURE: X-Message-Signature, or `computed`, was computed in another way; `mistakes` names it if it is usual.',
      }),
    ).meta({ description: 'The part that is wrong; null if the webhook is valid.' }),
    mistakes: z
      .array(
        z.enum(signatureMistakes).openapi('SignatureMistake', {
          description:
            'BODY: computed over the body. ID_ALONE: computed over the message id without the client id. OTHER_SCHEME: computed as `webhook-signature` of Standard Webhooks. UPPER_CASE: hexadecimal in upper case. BASE64: base64 instead of hexadecimal. OTHER_WORLD: computed with the client secret of another world.',
        }),
      )
      .meta({ description: 'The usual mistakes with which a wrong signature was computed; empty if none was recognised.' }),
    message: z.string().meta({ description: 'The result as a sentence, and how to fix a problem.' }),
  })
  .openapi('SignatureCheck', { description: 'Whether the signatures of a webhook are valid, and if not, which part is wrong.' });

export type SignatureCheck = z.infer<typeof SignatureCheckSchema>;
