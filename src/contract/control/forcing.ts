import { z } from '@hono/zod-openapi';
import { DetailsSchema } from '../shared/common.js';
import { text } from '../shared/messages/forms.js';

export const ForceRequestSchema = z
  .strictObject({
    reason: z
      .strictObject({
        code: text(100).meta({ description: 'Reason as a code for programs.', example: 'COMPLIANCE_REJECTED' }),
        message: text(500).optional().meta({
          description:
            'The reason as a sentence. Default: the message of the catalogue, or the code in words if the catalogue does not have it.',
          example: 'Rejected by compliance.',
        }),
        details: DetailsSchema.default({}).describe('Facts about the reason, by name.'),
      })
      .openapi('ForcedReason', { description: 'The reason for a forced transition, which clients will read.' })
      .optional()
      .describe('The reason for the new status. Default: a common reason, if the status needs one.'),
  })
  .openapi('ForceRequest', { description: 'The reason for a forced transition.' });
