import { z } from '@hono/zod-openapi';
import { AmountSchema, AssetCodeSchema, InstantSchema, TimestampSchema } from '../shared/common.js';
import { fieldsOf, rule } from '../shared/rule.js';

export const ReportQuerySchema = rule(
  z.object({
    periodStart: InstantSchema.meta({ description: 'First instant of the period.', example: '2026-11-01T00:00:00Z' }),
    periodEnd: InstantSchema.meta({ description: 'First instant after the period.', example: '2026-12-01T00:00:00Z' }),
    filters: z.string().optional().meta({
      description:
        'Filter expression on movements: `account.id`, `asset`, `tags.key`, `tags.value` and `intent.type`, combined by `;`, `and(…)` and `or(…)`.',
      example: 'asset[eq]=BRL;intent.type[in]=DEPOSIT|WITHDRAWAL',
    }),
  }),
  (raw, report) => {
    const fields = fieldsOf(raw);
    const start = InstantSchema.safeParse(fields['periodStart']);
    const end = InstantSchema.safeParse(fields['periodEnd']);
    if (start.success && end.success && end.data <= start.data)
      report('INVALID_PERIOD', ['periodEnd'], 'periodEnd has to be later than periodStart.', { periodStart: start.data });
  },
);

const FlowSchema = z
  .object({ sum: AmountSchema, count: z.number().int().meta({ description: 'Number of movements.', example: 3 }) })
  .openapi('Flow');

const AssetTotalsSchema = z
  .object({
    asset: AssetCodeSchema,
    inflows: FlowSchema.optional().meta({ description: 'Absent when nothing came in.' }),
    outflows: FlowSchema.optional().meta({ description: 'Absent when nothing went out.' }),
  })
  .openapi('AssetTotals');

export const ReportSchema = z
  .object({
    period: z.object({ start: TimestampSchema, end: TimestampSchema }).meta({ description: 'Includes its start, not its end.' }),
    totals: z.array(AssetTotalsSchema).meta({ description: 'Assets that moved, in alphabetical order.' }),
  })
  .openapi('Report');

export type Report = z.infer<typeof ReportSchema>;
