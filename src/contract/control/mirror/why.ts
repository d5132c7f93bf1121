import { z } from '@hono/zod-openapi';
import { ReasonSchema, TimestampSchema, orNull } from '../../shared/common.js';
import { DurationSchema } from '../../shared/duration.js';
import { maxSteps } from '../../scenario/scenario.js';

const CauseSchema = z
  .object({
    id: z.string().describe('Id of the cause: X-Request-Id of a call.'),
    kind: z
      .enum(['REQUEST', 'CONTROL', 'RULE', 'DELIVERY', 'OTHER'])
      .openapi('CauseKind', {
        description:
          'A call of the API, a call of the control plane, a step of a scenario, an attempt to deliver a webhook, or something else.',
      })
      .describe('What kind of thing it was.'),
    summary: z
      .string()
      .meta({ description: 'What it was, as a sentence for people.', example: 'POST /api/operations/withdrawal, answered 201' }),
    rule: orNull(
      z
        .object({
          scenario: z.string().describe('The scenario that the rule stands in.'),
          name: z.string().describe('Name of the rule, or its place in its file.'),
          step: z.number().int().describe('Which of its steps it was, from 1.'),
        })
        .openapi('CausingRule', { description: 'A step of a rule of a scenario.' }),
    ).describe('The rule and its step; null when it was none.'),
    call: orNull(
      z
        .object({
          method: z.string().describe('HTTP method that was called.'),
          path: z.string().describe('Path of the call, without its query.'),
          status: z.number().int().describe('Status that it was answered with.'),
          idempotencyKey: z.string().nullable().describe('Its idempotency key; null when it had none.'),
          ruleId: z.string().nullable().meta({ description: 'Id of the rule or fault that the call met; null when it met none.' }),
        })
        .openapi('CausingCall', { description: 'A call of the API or of the control plane.' }),
    ).meta({ description: 'The call; null when it is none, or so long ago that it is forgotten.' }),
  })
  .openapi('Cause', { description: 'What led to something.' });

export type Cause = z.infer<typeof CauseSchema>;

/** How much of what happened to something is told. */
export const maxEntries = 1000;

const WhyEntrySchema = z
  .object({
    at: TimestampSchema.describe('When it happened.'),
    kind: z
      .enum(['STATE', 'DELIVERY', 'ATTEMPT', 'LEDGER'])
      .openapi('WhyEntryKind', {
        description: 'What an entry is about: a status, a delivery, an attempt of one, or money that was booked.',
      })
      .describe('What it is about.'),
    id: z.string().nullable().meta({ description: 'Id of the delivery, the attempt or the ledger entry; null for a status.' }),
    what: z
      .string()
      .meta({ description: 'What happened: the status that was entered, the event that was sent, what was booked.', example: 'FAILED' }),
    reason: orNull(ReasonSchema).describe('The reason that the status has; null when it has none.'),
    cause: CauseSchema.describe('What led to it.'),
  })
  .openapi('WhyEntry', { description: 'Something that happened to a resource.' });

export type WhyEntry = z.infer<typeof WhyEntrySchema>;

const PlanSchema = z
  .object({
    scenario: z.string().describe('The scenario that the rule stands in.'),
    rule: z.string().describe('Name of the rule, or its place in its file.'),
    steps: z
      .array(
        z
          .object({
            after: DurationSchema.describe('How long after the step before it comes.'),
            what: z.string().describe('What it does: the status that it leads to, or the payment that it lets arrive.'),
            outcome: z
              .enum(['PAST', 'SKIPPED', 'NEXT', 'LATER'])
              .openapi('StepOutcome', {
                description:
                  'PAST: it was taken, or the end came before it. SKIPPED: it was not legal when it came. NEXT: it comes next. LATER: others come before it.',
              })
              .describe('What became of it.'),
            skippedIn: z.string().nullable().meta({ description: 'The status in which it was not legal; null unless it was skipped.' }),
          })
          .openapi('PlannedStep', { description: 'A step of a plan, and what became of it.' }),
      )
      .max(maxSteps)
      .describe('The steps of the rule, in order.'),
    isWaiting: z.boolean().meta({ description: 'Whether steps are left and none has its time: it stays until it is forced.' }),
  })
  .openapi('WhyPlan', { description: 'The course that a rule has fixed for a resource.' });

const PossibleMoveSchema = z
  .object({
    verb: z.string().meta({
      description: 'The last part of the path of the control call that makes it: POST /_sandbox/operations/{id}/complete.',
      example: 'complete',
    }),
    to: z.string().meta({ description: 'The status that it leads to.', example: 'COMPLETED' }),
    asset: z
      .string()
      .optional()
      .meta({ description: 'The asset of the account that it moves; absent when it moves what was asked about.', example: 'BRL' }),
  })
  .openapi('PossibleMove', { description: 'A forced move that would be taken now.' });

export type PossibleMove = z.infer<typeof PossibleMoveSchema>;

export const WhySchema = z
  .object({
    id: z.string().describe('What was asked about.'),
    resource: z.string().meta({ description: 'What it is the id of.', example: 'OPERATION' }),
    status: z.string().nullable().describe('Its present status; null for what has none.'),
    plan: orNull(PlanSchema).meta({ description: 'The course that a rule fixed for it; null when none did.' }),
    possible: z.array(PossibleMoveSchema).max(100).meta({
      description:
        'The forced moves that are legal now, those of the assets of an account among them. Empty for what has no statuses, or a final one.',
    }),
    entries: z
      .array(WhyEntrySchema)
      .max(maxEntries)
      .meta({ description: 'What happened to it, oldest first, and what caused each; the newest 1,000 of it.' }),
  })
  .openapi('Why', { description: 'How something came to be as it is.' });

export type Why = z.infer<typeof WhySchema>;
