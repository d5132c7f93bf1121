import { z } from '@hono/zod-openapi';
import { AmountSchema, AssetCodeSchema, InstantSchema, TimestampSchema, assetCodes } from '../shared/common.js';
import { filterable, filtersParameter } from '../shared/filters.js';
import { fieldsOf, rule } from '../shared/rule.js';

export const ReportQuerySchema = rule(
  z.object({
    periodStart: InstantSchema.meta({
      description: 'First instant of the period, which belongs to it; ends with `Z`.',
      example: '2026-11-01T00:00:00Z',
    }),
    periodEnd: InstantSchema.meta({
      description: 'First instant after the period, later than periodStart; ends with `Z`.',
      example: '2026-12-01T00:00:00Z',
    }),
    filters: filtersParameter(filterable.flows),
  }),
  (raw, report) => {
    const fields = fieldsOf(raw);
    const start = InstantSchema.safeParse(fields['periodStart']);
    const end = InstantSchema.safeParse(fields['periodEnd']);
    if (start.success && end.success && end.data <= start.data)
      report('INVALID_PERIOD', ['periodEnd'], `expected an instant later than periodStart, ${start.data}`, { periodStart: start.data });
  },
);

const FlowSchema = z
  .object({
    sum: AmountSchema.describe('What the movements come to.'),
    count: z.number().int().meta({ description: 'How many movements there were.', example: 3 }),
  })
  .openapi('Flow', { description: 'The movements of one asset in one direction.' });

const AssetTotalsSchema = z
  .object({
    asset: AssetCodeSchema.describe('What moved.'),
    inflows: FlowSchema.optional().describe('What came in: deposits, incoming transfers, what swaps bought. Absent when nothing did.'),
    outflows: FlowSchema.optional().describe('What went out: withdrawals, outgoing transfers, what swaps sold. Absent when nothing did.'),
  })
  .openapi('AssetTotals', { description: 'What moved of one asset.' });

export const ReportSchema = z
  .object({
    period: z
      .object({
        start: TimestampSchema.describe('First instant of the period: periodStart.'),
        end: TimestampSchema.describe('First instant after the period: periodEnd.'),
      })
      .openapi('Period', { description: 'A span of time, which includes its start but not its end.' })
      .describe('From when to when was summed up, as it was asked for.'),
    totals: z
      .array(AssetTotalsSchema)
      .max(assetCodes.length)
      .meta({ description: 'The assets that moved, in alphabetical order; empty when none did.' }),
  })
  .openapi('Report', { description: 'What came in and went out in a period, by asset.' });

export type Report = z.infer<typeof ReportSchema>;
