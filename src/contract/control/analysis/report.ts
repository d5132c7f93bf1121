import { z } from '@hono/zod-openapi';
import { TimestampSchema, orNull } from '../../shared/common.js';
import { ClientInfoSchema } from './client.js';
import { ExplorationSchema } from './exploration.js';
import { CoverageSchema, TierSchema } from './coverage.js';
import { ExpectedFindingSchema, FindingSchema, MoneySchema } from './findings.js';
import { ReconciliationVerdictSchema, ReportedReconciliationSchema } from './reconcile.js';

/** Maximum number of findings, and of announced misuses, in a report. Further ones are only counted. */
export const maxReported = 2000;

const WorldNameSchema = z.string().meta({ description: 'Name of the world concerned, as in X-Sandbox-World.', example: 'ci-7' });

const ReportedWorldSchema = z
  .object({
    name: WorldNameSchema,
    isDeleted: z.boolean().meta({ description: 'True if the world was deleted. Only a summary of it is stored.' }),
    seed: z.string().meta({ description: 'Seed of ids and random decisions in this world.', example: 'sandbox' }),
    scenario: z.string().meta({ description: 'The scenario of the world, or its last one.', example: 'challenge' }),
    generations: z.number().int().meta({ description: 'How often the world was reset, restored or imported, plus one.', example: 1 }),
    calls: z.number().int().meta({ description: 'Number of requests to the public API.', example: 120 }),
    client: orNull(ClientInfoSchema).describe('The client of the world; null if it was not named with PUT /_sandbox/client.'),
    writes: z.number().int().meta({ description: 'Number of API requests with an idempotency key and a body that was read.', example: 40 }),
    attempts: z.number().int().meta({ description: 'Number of webhook attempts to endpoints outside the sandbox.', example: 25 }),
    evicted: z.number().int().meta({
      description: 'Number of recorded entries that were evicted. The report includes them, but they can no longer be read.',
      example: 0,
    }),
    wholeSince: orNull(TimestampSchema).describe(
      'Real time since which the evidence is complete. Null: since the creation of the world. Otherwise a node failed before this time, and the last seconds before its failure may be missing.',
    ),
  })
  .openapi('ReportedWorld', { description: 'A world in a report, with its numbers of requests.' });

const ReportedFindingSchema = FindingSchema.extend({ world: WorldNameSchema }).openapi('ReportedFinding', {
  description: 'A finding with its world.',
});
export type ReportedFinding = z.infer<typeof ReportedFindingSchema>;

const RequirementResultSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the requirement within its profile.', example: 'P-01' }),
    title: z.string().meta({ description: 'The requirement as a sentence.' }),
    result: z
      .enum(['PASSED', 'FAILED', 'NOT_COVERED', 'NOT_APPLICABLE'])
      .openapi('RequirementOutcome', {
        description:
          'PASSED: the client satisfies the requirement. FAILED: the client did not handle the fault. NOT_COVERED: the case did not occur. NOT_APPLICABLE: the profile excludes the requirement, or accepts all findings that show its failure, with a reason.',
      })
      .describe('Whether the client satisfies the requirement.'),
    what: z.string().meta({ description: 'The evidence as a sentence.' }),
    count: z.number().int().meta({ description: 'How often the case occurred.', example: 1 }),
    firstAt: orNull(TimestampSchema).describe('Time of the first occurrence; null without one.'),
    test: orNull(z.string()).meta({ description: 'The test in progress at the first occurrence; null if there was none.' }),
    how: z
      .string()
      .optional()
      .meta({ description: 'How to cover the requirement, in a sentence; only if the requirement is not covered or failed.' }),
    item: z.string().optional().meta({
      description:
        'Id of the coverage item that the requirement is about; only if the requirement is not covered or failed, and is about one.',
      example: 'createQuote.503',
    }),
  })
  .openapi('RequirementResult', { description: 'A requirement of a profile, with its result.' });

export type RequirementResult = z.infer<typeof RequirementResultSchema>;

const JudgedProfileSchema = z
  .object({
    profile: z.string().meta({ description: 'Name of the certification profile.', example: 'payouts' }),
    summary: z.string().meta({ description: 'Purpose of a client with this profile.' }),
    sha256: z.string().meta({ description: 'SHA-256 of the profile as JSON, in hex.' }),
    requirements: z.array(RequirementResultSchema).max(200).describe('The requirements with their results.'),
    minimum: orNull(
      z
        .object({
          tier: TierSchema.describe('Tier whose items the share counts.'),
          percent: z.number().meta({ description: 'Required share of covered items, in percent.', example: 80 }),
          covered: z.number().meta({ description: 'Actual share of covered items, in percent.', example: 84.6 }),
        })
        .openapi('JudgedMinimum', { description: 'Required and actual coverage.' }),
    ).describe('Required and actual coverage; null if the profile requires none.'),
    reconciled: orNull(
      z
        .object({
          required: z.literal('AGREED').describe('The verdict that the profile requires; always AGREED.'),
          result: z
            .enum(['PASSED', 'FAILED', 'NOT_COVERED'])
            .openapi('ReconciledOutcome', {
              description:
                'PASSED: the reconciliations of each world with writing requests since its last created operation agreed, and one of them was complete. FAILED: one was DIFFERENT. NOT_COVERED: one is missing, PENDING, INCONCLUSIVE, not complete, or older than the last created operation.',
            })
            .describe('Whether the worlds have the required verdict.'),
          others: z
            .array(
              z
                .object({
                  world: WorldNameSchema,
                  verdict: orNull(ReconciliationVerdictSchema).describe(
                    'The worst verdict since the last created operation; null without a reconciliation.',
                  ),
                  what: z.string().meta({ description: 'What is missing, after the name of the world.', example: 'has no reconciliation' }),
                })
                .openapi('UnreconciledWorld', { description: 'A world without the required verdict.' }),
            )
            .max(20)
            .describe('The first 20 worlds whose reconciliations do not satisfy the requirement.'),
        })
        .openapi('JudgedReconciliation', { description: 'The required and the actual verdict of reconciliations.' }),
    ).describe('Required and actual verdicts of reconciliations; null if the profile requires none.'),
  })
  .openapi('JudgedProfile', { description: 'A certification profile with its results.' });

/** Maximum number of examples of an item that a report does not prove. */
export const maxNotProvenExamples = 20;

const NotProvenKindSchema = z
  .enum([
    'EQUAL_PAYMENTS',
    'OUTCOMES_NOT_READ',
    'KEYS_REPEATED',
    'WHOLE_AMOUNTS',
    'PAYMENTS_NOT_MADE',
    'SIGNATURES_NOT_TESTED',
    'FAULTS_NOT_TESTED',
  ])
  .openapi('NotProvenKind', {
    description:
      'EQUAL_PAYMENTS: payments that equal an earlier one of the same test within three days, without a purpose. OUTCOMES_NOT_READ: outcomes that the client only accepted as a webhook, or for which its run or test ended too early. ' +
      'KEYS_REPEATED: requests that repeated the key of a payment, without a purpose, after the client received the response. WHOLE_AMOUNTS: payments of whole amounts in a run in which no amount has cents that end with 0, so that they may have lost their cents. ' +
      'PAYMENTS_NOT_MADE: payments that failed or were rejected, as the client knows, and that no later equal payment replaced. They fail no report, because a person may decide about them. ' +
      'SIGNATURES_NOT_TESTED: endpoints that received no wrong signature. FAULTS_NOT_TESTED: faults of the profile, or of the requests and events in use, that never occurred. ' +
      'An agreed reconciliation with `complete` proves the first five for its world.',
  });
export const notProvenKinds = NotProvenKindSchema.options;
export type NotProvenKind = z.infer<typeof NotProvenKindSchema>;

const NotProvenSchema = z
  .object({
    kind: NotProvenKindSchema.describe('What is not proven.'),
    count: z.number().int().min(1).meta({ description: 'Number of payments, outcomes, requests, endpoints or faults.', example: 3 }),
    money: z.array(MoneySchema).max(20).optional().describe('The money concerned, as in the ledger; absent without any.'),
    text: z.string().meta({ description: 'The item, and how to prove it, in sentences.' }),
    examples: z
      .array(z.string())
      .max(maxNotProvenExamples)
      .describe('The first operations, rejected requests, endpoints without ports, or items of coverage concerned.'),
    fails: z.boolean().meta({ description: 'True if the item fails the report, because the report or its profile is strict.' }),
  })
  .openapi('NotProven', { description: 'A fact about the clients that a report does not prove.' });
export type NotProven = z.infer<typeof NotProvenSchema>;

/** The actions of testers that weaken the evidence. Profiles limit them. */
export const interventionNames = ['announced', 'cleared', 'accepted', 'faults', 'deletedWorlds', 'leftOutWorlds'] as const;
export type Intervention = (typeof interventionNames)[number];

const InterventionsSchema = z
  .object({
    announced: z.number().int().meta({ description: 'Number of findings that were announced with `findings/expect`.', example: 0 }),
    cleared: z.number().int().meta({ description: 'How often findings and coverage were deleted.', example: 0 }),
    accepted: z.number().int().meta({ description: 'Number of findings that the profile accepts.', example: 0 }),
    faults: z.number().int().meta({ description: 'Number of faults that the tester created.', example: 0 }),
    deletedWorlds: z.number().int().meta({ description: 'Number of deleted worlds whose evidence is no longer stored.', example: 0 }),
    leftOutWorlds: z.number().int().meta({ description: 'Number of worlds with requests that the report leaves out.', example: 0 }),
  })
  .openapi('Interventions', { description: 'Actions of testers that weaken the evidence of a report.' });

const SubjectValuesSchema = z
  .record(z.string(), z.string().describe('Value of the name.'))
  .meta({ description: 'Names with values.', example: { commit: '9fceb02' } });

const ReportedExplorationSchema = z
  .object({
    world: WorldNameSchema,
    verdict: ExplorationSchema.shape.verdict,
    tried: ExplorationSchema.shape.tried,
    failures: z
      .array(
        z
          .object({
            what: z.string().meta({ description: 'The schedule as a sentence.' }),
            how: z.string().meta({ description: 'How this happens in production.' }),
            schedules: z.number().int().meta({ description: 'Number of tried schedules that failed for this cause.', example: 1 }),
          })
          .openapi('ReportedSchedule', { description: 'A schedule that breaks the client.' }),
      )
      .max(100)
      .describe('The schedules that break the client.'),
  })
  .openapi('ReportedExploration', { description: 'The latest exploration of a world.' });
export type ReportedExploration = z.infer<typeof ReportedExplorationSchema>;

export const ReportSchema = z
  .object({
    schemaVersion: z.literal(1).describe('Version of the report format.'),
    tool: z
      .object({
        name: z.literal('crossborder-sandbox').describe('Name of the package that made the report.'),
        version: z.string().meta({ description: 'Version of the package that made the report.', example: '0.1.0' }),
      })
      .openapi('ReportTool', { description: 'Name and version of the program that made a report.' })
      .describe('The tool that created the report.'),
    contract: z.string().meta({ description: 'The newest version of the API.', example: '1' }),
    at: TimestampSchema.describe('Real time at which the report was created.'),
    client: orNull(ClientInfoSchema).describe('The client of all these worlds; null if it was not named, or if the worlds differ.'),
    subject: orNull(SubjectValuesSchema).describe('The build that was judged, as the request named it; null if it named none.'),
    validUntil: TimestampSchema.describe('Real time until which the report counts as evidence.'),
    interventions: InterventionsSchema.describe('Actions of testers that weaken the evidence.'),
    isFinal: z
      .boolean()
      .meta({ description: 'True if the run has ended, so the report includes problems that only the end of a run can show.' }),
    worlds: z.array(ReportedWorldSchema).max(101_000).describe('The worlds in the report, sorted by name.'),
    generations: z.number().int().meta({ description: 'Total number of generations of these worlds.', example: 1 }),
    verdict: z
      .enum(['PASSED', 'FAILED', 'INCONCLUSIVE'])
      .openapi('Verdict', {
        description:
          'FAILED: findings of a failing severity, a failed requirement, or an item in `notProven` that fails. INCONCLUSIVE: not enough data. PASSED: neither of these.',
      })
      .describe('Overall result.'),
    exitCode: z
      .union([z.literal(0), z.literal(1), z.literal(4)])
      .describe('Exit code of the command line: 0 passed, 1 failed, 4 inconclusive.'),
    why: z.array(z.string()).max(20).describe('The reasons for the verdict, in sentences.'),
    record: z
      .object({
        calls: z.number().int().meta({ description: 'Number of requests to the public API.', example: 120 }),
        writes: z
          .number()
          .int()
          .meta({ description: 'Number of API requests with an idempotency key and a body that was read.', example: 40 }),
        attempts: z.number().int().meta({ description: 'Number of webhook attempts.', example: 25 }),
        omitted: z.number().int().meta({ description: 'Number of findings beyond the limit.', example: 0 }),
        evicted: z.number().int().meta({
          description:
            'Number of recorded entries that were evicted. Findings and coverage include them, but `verify` may be inconclusive without them.',
          example: 0,
        }),
      })
      .openapi('ReportRecord', { description: 'The data on which a report is based.' })
      .describe('The data on which the report is based.'),
    findings: z.array(ReportedFindingSchema).max(maxReported).describe('Findings about the clients, most severe first.'),
    expected: z
      .array(
        ExpectedFindingSchema.extend({ world: WorldNameSchema }).openapi('ReportedExpectation', {
          description: 'An announced misuse, with its world.',
        }),
      )
      .max(maxReported)
      .describe('The announced misuses.'),
    notProven: z.array(NotProvenSchema).max(notProvenKinds.length).describe('What the report does not prove, one item for each kind.'),
    reconciliations: z.array(ReportedReconciliationSchema).max(101_000).describe('The last reconciliation of each world that has one.'),
    coverage: CoverageSchema.describe('The covered part of the API.'),
    explorations: z
      .array(ReportedExplorationSchema)
      .max(1000)
      .optional()
      .describe('The latest exploration of each world; absent if there was none. Deleted worlds have none.'),
    profile: orNull(JudgedProfileSchema).describe('The profile of the report; null without one.'),
    unattributed: z
      .number()
      .int()
      .meta({ description: 'Number of unattributed requests: from unknown clients, or without a token.', example: 0 }),
  })
  .openapi('ClientReport', { description: 'A report on the clients of one or more worlds.' });

export type Report = z.infer<typeof ReportSchema>;
