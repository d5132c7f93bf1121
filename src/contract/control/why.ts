import { z } from '@hono/zod-openapi';
import { ReasonSchema, TimestampSchema, orNull } from '../shared/common.js';
import { DurationSchema } from '../shared/duration.js';

const CauseSchema = z
  .object({
    id: z.string(),
    kind: z
      .enum(['REQUEST', 'CONTROL', 'RULE', 'DELIVERY', 'OTHER'])
      .meta({ description: 'A call of the API, a call of the control plane, a step of a scenario, an attempt to deliver a webhook.' }),
    summary: z.string().meta({ description: 'The same for people.', example: 'POST /api/operations/withdrawal, answered 201' }),
    rule: z
      .object({ scenario: z.string(), name: z.string(), step: z.number().int() })
      .nullable()
      .meta({ description: 'The rule and which of its steps, from 1.' }),
    call: z
      .object({
        method: z.string(),
        path: z.string(),
        status: z.number().int(),
        idempotencyKey: z.string().nullable(),
        ruleId: z.string().nullable().meta({ description: 'The rule or fault that the call met.' }),
      })
      .nullable()
      .meta({ description: 'The call; null when it is none, or so long ago that it is forgotten.' }),
  })
  .openapi('Cause');

export type Cause = z.infer<typeof CauseSchema>;

const WhyEntrySchema = z
  .object({
    at: TimestampSchema,
    kind: z.enum(['STATE', 'DELIVERY', 'ATTEMPT', 'LEDGER']),
    id: z.string().nullable().meta({ description: 'Of the delivery, the attempt or the ledger entry.' }),
    what: z.string().meta({ example: 'FAILED' }),
    reason: orNull(ReasonSchema),
    cause: CauseSchema,
  })
  .openapi('WhyEntry');

export type WhyEntry = z.infer<typeof WhyEntrySchema>;

const PlanSchema = z
  .object({
    scenario: z.string(),
    rule: z.string(),
    steps: z.array(
      z.object({
        after: DurationSchema,
        what: z.string(),
        outcome: z
          .enum(['PAST', 'SKIPPED', 'NEXT', 'LATER'])
          .meta({ description: 'SKIPPED: it was not legal when it came. PAST: it was taken, or the end came before it.' }),
        skippedIn: z.string().nullable().meta({ description: 'The status in which it was not legal.' }),
      }),
    ),
    isWaiting: z.boolean().meta({ description: 'Whether steps are left and none has its time: it stays until it is forced.' }),
  })
  .openapi('WhyPlan');

export const WhySchema = z
  .object({
    id: z.string(),
    resource: z.string().meta({ example: 'OPERATION' }),
    status: z.string().nullable(),
    plan: orNull(PlanSchema).meta({ description: 'The course that a rule fixed for it; null when none did.' }),
    entries: z.array(WhyEntrySchema).meta({ description: 'What happened to it, oldest first, and what caused each.' }),
  })
  .openapi('Why');

export type Why = z.infer<typeof WhySchema>;
