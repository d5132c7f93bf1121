import { z } from '@hono/zod-openapi';
import { orNull } from '../shared/common.js';

export const SignatureRequestSchema = z
  .strictObject({
    headers: z
      .record(z.string().max(256), z.string().max(8192))
      .refine((headers) => Object.keys(headers).length <= 100, { message: 'expected at most 100 headers' })
      .meta({ description: 'The headers of the webhook as your endpoint received them, whatever the case of their names; at most 100.' }),
    body: z.string().meta({ description: 'Its body as text, before anything parsed it: the very characters that came.' }),
    secret: z.string().min(1).max(1024).optional().meta({
      description:
        "The secret that your endpoint verifies with: the client secret, or `whsec_` and its bytes in base64. Left out: the world's own client secret.",
    }),
  })
  .openapi('SignatureRequest', { description: 'A webhook whose signatures are to be checked.' });

export const signatureParts = ['HEADERS', 'SECRET', 'TIMESTAMP', 'ID', 'BODY'] as const;

export const SignatureCheckSchema = z
  .object({
    valid: z.boolean().meta({ description: 'Whether an endpoint that verifies with this secret would take the webhook for genuine.' }),
    part: orNull(
      z.enum(signatureParts).openapi('SignaturePart', {
        description:
          'HEADERS: a signature is missing or is none. SECRET: it was made with another secret. TIMESTAMP: it is more than five minutes from now, or is not the one that was signed. ID: the message id is not the one that was signed. BODY: the body is not the one that was signed.',
      }),
    ).meta({ description: 'What differs from what was signed; null when nothing does.' }),
    message: z.string().meta({ description: 'The finding as a sentence, with what to do.' }),
  })
  .openapi('SignatureCheck', { description: 'Whether the signatures of a webhook are good, and if not, what differs.' });

export type SignatureCheck = z.infer<typeof SignatureCheckSchema>;
