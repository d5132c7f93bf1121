import { z } from '@hono/zod-openapi';

/** The segments of companies. The segment decides which documents a company must upload. */
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
      .openapi('Segment', { description: 'The segment of a company. It decides which documents the company must upload.' })
      .describe('The new segment of the company.'),
  })
  .openapi('SegmentChoice', { description: 'A new segment for a company.' });
