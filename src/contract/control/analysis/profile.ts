import { z } from '@hono/zod-openapi';
import { intentTypes } from '../../public/operations.js';
import { EventTypeSchema } from '../../public/webhooks.js';
import { DateSchema } from '../../shared/common.js';
import { errorCodes } from '../../shared/error-codes.js';
import { patternSchema, textSchema } from '../../shared/messages/forms.js';
import { EventChallengeSchema, TierSchema, WriteChallengeSchema } from './coverage.js';
import { OperationIdSchema, RuleIdSchema } from './findings.js';

const IntentTypeSchema = z.enum(intentTypes).openapi('IntentType', { description: 'Purpose of an operation: the `type` of its intent.' });

const OutcomeSchema = z.enum(['ok', ...errorCodes]).openapi('OutcomeCode', { description: 'Result of a request: `ok`, or an error code.' });

export const failLevels = ['error', 'warning', 'never'] as const;
export const FailOnSchema = z.enum(failLevels).openapi('FailOn', {
  description: 'The lowest severity of CERTAIN findings that fails a report. LIKELY findings fail it only if they moved money.',
});

const AcceptedSchema = z
  .strictObject({
    rule: RuleIdSchema.describe('The rule whose findings are accepted.'),
    reason: textSchema(300).describe('Reason why these findings are accepted.'),
    until: DateSchema.meta({ description: 'Last day of the acceptance, in UTC.', example: '2027-01-31' }),
  })
  .openapi('AcceptedRule', { description: 'Known findings that do not fail a report until a date.' });

const ObservedSchema = z
  .strictObject({
    transition: z
      .string()
      .max(100)
      .meta({ description: 'A status change that the client has observed: kind, from, to.', example: 'OPERATION.PROCESSING.COMPLETED' }),
    intent: IntentTypeSchema.optional().describe('Only operations with this intent count.'),
  })
  .openapi('ObservedRequirement', { description: 'A status change that the client must observe.' });

const CoveredSchema = z
  .union([
    z
      .strictObject({
        operation: OperationIdSchema.describe('Operation that the client must call.'),
        code: OutcomeSchema.describe('`ok`, or an error code.'),
      })
      .openapi('CoveredOutcome', { description: 'An operation and a result that it must have at least once.' }),
    z
      .strictObject({ event: EventTypeSchema.describe('Type of event that the client must receive.') })
      .openapi('CoveredEvent', { description: 'An event type of which the client must accept at least one webhook.' }),
  ])
  .openapi('CoveredRequirement', { description: 'An item that the client must cover.' });

const HandlesSchema = z
  .union([
    z
      .strictObject({
        operation: OperationIdSchema.describe('Operation that the client must call.'),
        challenge: WriteChallengeSchema.describe('The fault to handle.'),
      })
      .openapi('HandledWrite', { description: 'A write request, and the fault that the client must handle.' }),
    z
      .strictObject({
        event: EventTypeSchema.describe('Type of event that the client must receive.'),
        challenge: EventChallengeSchema.describe('The fault to handle.'),
      })
      .openapi('HandledEvent', { description: 'An event type, and the fault that the endpoint must handle.' }),
  ])
  .openapi('HandlesRequirement', { description: 'A fault that the client must handle.' });

/** Names of the facts that only a real integration can prove. */
export const proofs = ['readOutcomes', 'webhookOutcomes', 'fallbackOutcomes', 'lifetimes', 'recoveredLosses', 'refusedSignatures'] as const;
export type Proof = (typeof proofs)[number];

const ProvesSchema = z
  .strictObject({
    fact: z
      .enum(proofs)
      .openapi('ProofFact', {
        description:
          'readOutcomes: operations whose final status the client read. webhookOutcomes: operations whose final status the client accepted as a webhook. fallbackOutcomes: operations whose final status the client learned without the first webhook about it: by a read, or from a webhook that was sent again because an attempt had failed. lifetimes: processes of the client that learned a final status; each has its own access token. recoveredLosses: lost responses that the client recovered. refusedSignatures: wrong signatures that its endpoint rejected. The last two count only faults that the client cannot foresee: rules with a probability of at most 0.5, in a world with the seed `random`.',
      })
      .describe('The fact to prove, counted over all worlds of the report.'),
    atLeast: z.number().int().min(1).max(1000).describe('Required number.'),
  })
  .openapi('ProvesRequirement', { description: 'A fact about the client, and how often the run must prove it.' });

const LimitsSchema = z
  .strictObject({
    announced: z.number().int().min(0).optional().describe('Maximum number of announced findings.'),
    cleared: z.number().int().min(0).optional().describe('Maximum number of deletions of findings.'),
    accepted: z.number().int().min(0).optional().describe('Maximum number of accepted findings.'),
    faults: z.number().int().min(0).optional().describe('Maximum number of faults that testers created.'),
    deletedWorlds: z.number().int().min(0).optional().describe('Maximum number of deleted worlds without stored evidence.'),
    leftOutWorlds: z.number().int().min(0).optional().describe('Maximum number of worlds with requests that the report leaves out.'),
  })
  .openapi('ProfileLimits', { description: 'How much testers may weaken the evidence. Beyond a limit, a report is INCONCLUSIVE.' });

const about = {
  id: patternSchema(/^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/, 'letters, digits and hyphens', 'P-01').describe(
    'Id of the requirement within its profile.',
  ),
  title: textSchema(200).describe('The requirement as a sentence.'),
  notApplicable: textSchema(300).optional().describe('Reason why the requirement does not apply to this client.'),
};

const RequirementSchema = z
  .union([
    z
      .strictObject({ ...about, observed: ObservedSchema.describe('The status change that the client must observe.') })
      .openapi('ObservedItem', { description: 'A requirement to observe a status change.' }),
    z
      .strictObject({ ...about, covered: CoveredSchema.describe('The item that must occur at least once and be observed by the client.') })
      .openapi('CoveredItem', { description: 'A requirement to cover an item.' }),
    z
      .strictObject({ ...about, handles: HandlesSchema.describe('The fault that the client must handle.') })
      .openapi('HandlesItem', { description: 'A requirement to handle a fault.' }),
    z
      .strictObject({ ...about, proves: ProvesSchema.describe('The fact to prove, and how often.') })
      .openapi('ProvesItem', { description: 'A requirement to prove a fact about the client.' }),
  ])
  .openapi('ProfileRequirement', {
    description: 'A requirement of a profile, with exactly one of `observed`, `covered`, `handles` and `proves`.',
  });

export type Requirement = z.infer<typeof RequirementSchema>;

/** A certification profile file. */
export const ProfileSchema = z
  .strictObject({
    $schema: z.string().optional().describe('Path of the profile schema, for editors.'),
    profile: patternSchema(/^[a-z0-9][a-z0-9-]{0,63}$/, 'a name of lower-case letters, digits and hyphens', 'payouts-v1').describe(
      'Name of the certification profile.',
    ),
    summary: textSchema(300).describe('Purpose of a client with this profile, in a sentence.'),
    contract: z.literal('1').describe('Version of the API.'),
    findings: z
      .strictObject({
        failOn: FailOnSchema.optional().describe('Severity of findings that fails the report. Default: `error`.'),
        accept: z.array(AcceptedSchema).max(50).optional().describe('Findings that do not fail a report.'),
      })
      .openapi('ProfileFindings', { description: 'How a profile treats findings.' })
      .optional()
      .describe('How the profile treats findings.'),
    strict: z
      .boolean()
      .optional()
      .describe(
        'True if each item in `notProven` fails the report. Faults that never occurred only leave their requirements NOT_COVERED. Default: false.',
      ),
    require: z.array(RequirementSchema).max(200).describe('The requirements of the profile.'),
    limits: LimitsSchema.optional().describe('How much testers may weaken the evidence. Default: any amount.'),
    minimum: z
      .strictObject({
        tier: TierSchema.describe('Tier whose items the share counts.'),
        percent: z.number().min(0).max(100).describe('Minimum share of covered items, in percent.'),
      })
      .openapi('ProfileMinimum', { description: 'The share of the API that a client must cover.' })
      .optional()
      .describe('Required coverage of the API; absent if the profile requires none.'),
    reconciled: z
      .literal('AGREED')
      .optional()
      .describe(
        'Required verdict of all reconciliations since the last created operation, of each world with writing requests. One of them must be complete. Absent if the profile requires none.',
      ),
  })
  .openapi('Profile', { description: 'A certification profile: the requirements for a client to be ready for production.' });

export type Profile = z.infer<typeof ProfileSchema>;
