import { z } from '@hono/zod-openapi';
import { DetailsSchema } from '../shared/common.js';
import { text } from '../shared/messages/forms.js';

export const ForceRequestSchema = z
  .strictObject({
    reason: z
      .strictObject({
        code: text(100).meta({ description: 'Why, as a word for programs.', example: 'COMPLIANCE_REJECTED' }),
        message: text(500).optional().meta({
          description: 'Why, as a sentence for people; that of the catalogue when left out, or else the code in words.',
          example: 'Rejected by compliance.',
        }),
        details: DetailsSchema.default({}).describe('Facts beside the code, by their names.'),
      })
      .openapi('ForcedReason', { description: 'Why something is forced, as clients will read it.' })
      .optional()
      .describe('The reason of the new status; a usual one when left out where there has to be one.'),
  })
  .openapi('ForceRequest', { description: 'How a forced move explains itself.' });
