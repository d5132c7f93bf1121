import { z } from '@hono/zod-openapi';
import { intentTypes } from '../../public/operations.js';
import { EventTypeSchema } from '../../public/webhooks.js';
import { errorCodes } from '../../shared/error-codes.js';
import { form, someText } from '../../shared/messages/forms.js';
import { EventChallengeSchema, TierSchema, WriteChallengeSchema } from './coverage.js';
import { OperationIdSchema, RuleIdSchema } from './findings.js';

/** What a client has to show, so that it is taken for ready. */

const IntentTypeSchema = z
  .enum(intentTypes)
  .openapi('IntentType', { description: 'What an operation is to do: the `type` of its intent.' });

const OutcomeSchema = z
  .enum(['ok', ...errorCodes])
  .openapi('OutcomeCode', { description: 'How a call ends: `ok`, or with the code of a refusal.' });

export const failLevels = ['error', 'warning', 'never'] as const;
export const FailOnSchema = z
  .enum(failLevels)
  .openapi('FailOn', { description: 'The least severity of CERTAIN findings that fail a report; NEAR ones never do.' });

const AcceptedSchema = z
  .strictObject({
    rule: RuleIdSchema.describe('The rule whose findings are taken as they are.'),
    reason: someText(300).describe('Why they are.'),
    until: form(/^\d{4}-\d\d-\d\d$/, 'a date', '2027-01-31').describe('The last day of that, in UTC.'),
  })
  .openapi('AcceptedRule', { description: 'Findings that are known, and do not fail a report for a while.' });

const SeenSchema = z
  .strictObject({
    transition: z
      .string()
      .max(100)
      .meta({ description: 'A status change that the client was shown: kind, from, to.', example: 'OPERATION.PROCESSING.COMPLETED' }),
    intent: IntentTypeSchema.optional().describe('Of an operation of this kind alone.'),
  })
  .openapi('SeenRequirement', { description: 'A status change that the client has to be shown.' });

const MetSchema = z
  .union([
    z
      .strictObject({
        operation: OperationIdSchema.describe('What has to be called.'),
        code: OutcomeSchema.describe('`ok`, or the code of the refusal.'),
      })
      .openapi('MetOutcome', { description: 'An operation, and how it has to be answered once.' }),
    z
      .strictObject({ event: EventTypeSchema.describe('What a webhook has to tell of.') })
      .openapi('MetEvent', { description: 'A type of event of which the client has to accept one.' }),
  ])
  .openapi('MetRequirement', { description: 'What the client has to meet.' });

const SurvivesSchema = z
  .union([
    z
      .strictObject({
        operation: OperationIdSchema.describe('What has to be called.'),
        challenge: WriteChallengeSchema.describe('How it goes wrong.'),
      })
      .openapi('SurvivedWrite', { description: 'A write, and what it has to cope with.' }),
    z
      .strictObject({
        event: EventTypeSchema.describe('What the webhook concerned tells of.'),
        challenge: EventChallengeSchema.describe('How it goes wrong.'),
      })
      .openapi('SurvivedEvent', { description: 'A type of event, and what the endpoint has to cope with.' }),
  ])
  .openapi('SurvivesRequirement', { description: 'What the client has to cope with.' });

const about = {
  id: form(/^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/, 'letters, digits and hyphens', 'P-01').describe('Names it within its profile.'),
  title: someText(200).describe('What it asks for, in a sentence.'),
  notApplicable: someText(300).optional().describe('Why this client need not show it.'),
};

const RequirementSchema = z
  .union([
    z
      .strictObject({ ...about, seen: SeenSchema.describe('What the client has to be shown.') })
      .openapi('SeenItem', { description: 'A requirement to be shown something.' }),
    z
      .strictObject({ ...about, met: MetSchema.describe('What has to come up once, and be told to the client.') })
      .openapi('MetItem', { description: 'A requirement to meet something.' }),
    z
      .strictObject({ ...about, survives: SurvivesSchema.describe('What goes wrong without harm to the client.') })
      .openapi('SurvivesItem', { description: 'A requirement to cope with something.' }),
  ])
  .openapi('ProfileRequirement', { description: 'One thing that a client has to show: `seen`, `met` or `survives`.' });

export type Requirement = z.infer<typeof RequirementSchema>;

/** A certification profile, as its file holds it. */
export const ProfileSchema = z
  .strictObject({
    $schema: z.string().optional().describe('Where the schema of profiles is, for editors.'),
    profile: form(/^[a-z0-9][a-z0-9-]{0,63}$/, 'a name of lower-case letters, digits and hyphens', 'payouts-v1').describe(
      'What it is called.',
    ),
    summary: someText(300).describe('What such a client does, in a sentence.'),
    contract: z.literal('1').describe('The version of the API that it is about.'),
    findings: z
      .strictObject({
        failOn: FailOnSchema.optional().describe('Which findings fail it; `error` unless told otherwise.'),
        accept: z.array(AcceptedSchema).max(50).optional().describe('Findings that it takes as they are.'),
      })
      .openapi('ProfileFindings', { description: 'What findings mean to a profile.' })
      .optional()
      .describe('What findings mean to it.'),
    require: z.array(RequirementSchema).max(200).describe('What a client has to show.'),
    minimum: z
      .strictObject({
        tier: TierSchema.describe('Of which part.'),
        percent: z.number().min(0).max(100).describe('The least share that is met.'),
      })
      .openapi('ProfileMinimum', { description: 'How much of the API a client has to meet at least.' })
      .optional()
      .describe('How much of the API it has to meet.'),
  })
  .openapi('Profile', { description: 'What a client has to show, so that it is taken for ready.' });

export type Profile = z.infer<typeof ProfileSchema>;
