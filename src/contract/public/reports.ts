import { z } from '@hono/zod-openapi';
import { AmountSchema, AssetCodeSchema, InstantSchema, TimestampSchema, assetCodes } from '../shared/common.js';
import { filterable, filtersParameter } from '../shared/filters.js';
import { fieldsOf, rule } from '../shared/rule.js';

export const ReportQuerySchema = rule(
  z.object({
    periodStart: InstantSchema.meta({
      description: 'Start of the period (inclusive); ends with `Z`.',
      example: '2026-11-01T00:00:00Z',
    }),
    periodEnd: InstantSchema.meta({
      description: 'End of the period (exclusive), later than periodStart; ends with `Z`.',
      example: '2026-12-01T00:00:00Z',
    }),
    filters: filtersParameter(filterable.flows),
  }),
  (raw, report) => {
    const fields = fieldsOf(raw);
    const start = InstantSchema.safeParse(fields['periodStart']);
    const end = InstantSchema.safeParse(fields['periodEnd']);
    if (start.success && end.success && end.data <= start.data)
      report('INVALID_PERIOD', ['periodEnd'], `expected a timestamp later than periodStart, ${start.data}`, { periodStart: start.data });
  },
);

const FlowSchema = z
  .object({
    sum: AmountSchema.describe('Total amount of the movements.'),
    count: z.number().int().meta({ description: 'Number of movements.', example: 3 }),
  })
  .openapi('Flow', { description: 'The movements of one asset in one direction.' });

const AssetTotalsSchema = z
  .object({
    asset: AssetCodeSchema.describe('Currency or stablecoin that was moved.'),
    inflows: FlowSchema.optional().describe(
      'Incoming money: deposits, incoming transfers, target sides of swaps. Absent if there was none.',
    ),
    outflows: FlowSchema.optional().describe(
      'Outgoing money: withdrawals, outgoing transfers, source sides of swaps. Absent if there was none.',
    ),
  })
  .openapi('AssetTotals', { description: 'The movements of one asset.' });

export const ReportSchema = z
  .object({
    period: z
      .object({
        start: TimestampSchema.describe('Start of the period (inclusive): periodStart.'),
        end: TimestampSchema.describe('End of the period (exclusive): periodEnd.'),
      })
      .openapi('Period', { description: 'A period that includes its start but not its end.' })
      .describe('The period given in the request.'),
    totals: z
      .array(AssetTotalsSchema)
      .max(assetCodes.length)
      .meta({ description: 'The assets with movements, in alphabetical order; empty if there are none.' }),
  })
  .openapi('Report', { description: 'Incoming and outgoing money in a period, by asset.' });

export type Report = z.infer<typeof ReportSchema>;
