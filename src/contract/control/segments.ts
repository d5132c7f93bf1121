import { z } from '@hono/zod-openapi';

/** What the service sorts companies by, which decides the documents that they have to bring. */
export const segments = [
  'STANDARD_COMPANY',
  'PAYMENT_SERVICE_PROVIDER',
  'CRYPTO_BUSINESS',
  'NON_RESIDENT_ENTITY',
  'FUND',
  'EXCHANGE_OPERATOR',
] as const;
export type Segment = (typeof segments)[number];

export const SegmentChoiceSchema = z
  .strictObject({
    segment: z
      .enum(segments)
      .openapi('Segment', { description: 'What the service sorts companies by, which decides the documents that they have to bring.' })
      .describe('The segment to put the company into.'),
  })
  .openapi('SegmentChoice', { description: 'The segment that a company is to be in.' });
