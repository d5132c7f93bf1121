import { z } from '@hono/zod-openapi';
import { TimestampSchema, orNull } from '../../shared/common.js';
import { CoverageSchema, TierSchema } from './coverage.js';
import { ExpectedFindingSchema, FindingSchema } from './findings.js';

/** What clients did, judged as a whole. */

/** How many findings a report tells, and how many announcements; what would be more is counted. */
export const maxReported = 2000;

const WorldNameSchema = z.string().meta({ description: 'What the world concerned is called.', example: 'ci-7' });

const ReportedWorldSchema = z
  .object({
    name: WorldNameSchema,
    isDeleted: z.boolean().meta({ description: 'Whether it is there no longer; of such a world only the essence is known.' }),
    seed: z.string().meta({ description: 'What ids and chance follow from in this world.', example: 'sandbox' }),
    scenario: z.string().meta({ description: 'The scenario that it uses, or used at last.', example: 'challenge' }),
    chapters: z.number().int().meta({ description: 'How many chapters it has had.', example: 1 }),
    calls: z.number().int().meta({ description: 'How many calls of the public API came.', example: 120 }),
    writes: z.number().int().meta({ description: 'How many of them had an idempotency key and a body that was read.', example: 40 }),
    attempts: z
      .number()
      .int()
      .meta({ description: 'How many webhooks were attempted to endpoints that are not the sandbox’s own.', example: 25 }),
    evicted: z.number().int().meta({
      description:
        'How many entries of its record were dropped to make room. They count in all that is reported, and cannot be looked at any more.',
      example: 0,
    }),
  })
  .openapi('ReportedWorld', { description: 'A world that a report is about.' });

const ReportedFindingSchema = FindingSchema.extend({ world: WorldNameSchema }).openapi('ReportedFinding', {
  description: 'A finding, and the world that it was made in.',
});
export type ReportedFinding = z.infer<typeof ReportedFindingSchema>;

const RequirementResultSchema = z
  .object({
    id: z.string().meta({ description: 'Names the requirement within its profile.', example: 'P-01' }),
    title: z.string().meta({ description: 'What it asks for.' }),
    result: z
      .enum(['PASSED', 'FAILED', 'NOT_MET', 'NOT_APPLICABLE'])
      .openapi('RequirementOutcome', {
        description:
          'PASSED: it was shown. FAILED: the client did not cope. NOT_MET: the occasion has not come up. NOT_APPLICABLE: the profile says why it need not be shown.',
      })
      .describe('What came of it.'),
    what: z.string().meta({ description: 'What shows that, in a sentence.' }),
    count: z.number().int().meta({ description: 'How often the occasion came up.', example: 1 }),
    firstAt: orNull(TimestampSchema).describe('When it came up first; null when it has not.'),
    test: orNull(z.string()).meta({ description: 'The test that was marked then; null when none was.' }),
    how: z.string().optional().meta({ description: 'How to come by it, in a sentence; only of what is not met or has failed.' }),
  })
  .openapi('RequirementResult', { description: 'A requirement of a profile, judged.' });

export type RequirementResult = z.infer<typeof RequirementResultSchema>;

const JudgedProfileSchema = z
  .object({
    profile: z.string().meta({ description: 'What it is called.', example: 'payouts' }),
    summary: z.string().meta({ description: 'What such a client does.' }),
    sha256: z.string().meta({ description: 'SHA-256 of the profile as JSON, in hexadecimal digits.' }),
    requirements: z.array(RequirementResultSchema).max(200).describe('What it asks for, each judged.'),
    minimum: orNull(
      z
        .object({
          tier: TierSchema.describe('Of which part.'),
          percent: z.number().meta({ description: 'The least share that it wants to be met.', example: 80 }),
          met: z.number().meta({ description: 'The share that clients have met, in percent.', example: 84.6 }),
        })
        .openapi('JudgedMinimum', { description: 'How much of the API was to be met, and was.' }),
    ).describe('How much of the API was to be met, and was; null when it asks for no share.'),
  })
  .openapi('JudgedProfile', { description: 'A certification profile, and what clients have shown of it.' });

export const ReportSchema = z
  .object({
    schemaVersion: z.literal(1).describe('The version of this shape.'),
    tool: z
      .object({
        name: z.literal('crossborder-sandbox').describe('What the tool is called: always the same.'),
        version: z.string().meta({ description: 'The release that was running when the report was made.', example: '0.1.0' }),
      })
      .openapi('ReportTool', { description: 'What has made a report.' })
      .describe('What has made it.'),
    contract: z.string().meta({ description: 'The newest version of the API.', example: '1' }),
    at: TimestampSchema.describe('When it was made, in real time.'),
    isFinal: z.boolean().meta({ description: 'Whether nothing more was to come, so that what only the end can show is in it.' }),
    worlds: z.array(ReportedWorldSchema).max(101_000).describe('What it is about, by name.'),
    chapters: z.number().int().meta({ description: 'How many chapters these worlds have had together.', example: 1 }),
    verdict: z
      .enum(['PASSED', 'FAILED', 'INCONCLUSIVE'])
      .openapi('Verdict', {
        description:
          'FAILED: there are findings that fail it, or a requirement has failed. INCONCLUSIVE: there is too little to judge by. PASSED: neither.',
      })
      .describe('What comes of it.'),
    exitCode: z
      .union([z.literal(0), z.literal(1), z.literal(4)])
      .describe('What a command line ends with: 0 passed, 1 failed, 4 inconclusive.'),
    why: z.array(z.string()).max(20).describe('What the verdict follows from, in sentences.'),
    record: z
      .object({
        calls: z.number().int().meta({ description: 'How many calls of the public API came.', example: 120 }),
        writes: z.number().int().meta({ description: 'How many of them had an idempotency key and a body that was read.', example: 40 }),
        attempts: z.number().int().meta({ description: 'How many webhooks were attempted.', example: 25 }),
        omitted: z.number().int().meta({ description: 'How many findings there was no room for.', example: 0 }),
        evicted: z.number().int().meta({
          description:
            'How many entries of the record were dropped to make room. Findings and coverage have counted them; `verify` may be inconclusive for want of them.',
          example: 0,
        }),
      })
      .openapi('ReportRecord', { description: 'What a report follows from.' })
      .describe('What it follows from.'),
    findings: z.array(ReportedFindingSchema).max(maxReported).describe('What clients should not have done, the gravest first.'),
    expected: z
      .array(
        ExpectedFindingSchema.extend({ world: WorldNameSchema }).openapi('ReportedExpectation', {
          description: 'A misuse that was announced, and the world of it.',
        }),
      )
      .max(maxReported)
      .describe('What was announced.'),
    coverage: CoverageSchema.describe('Which part of the API was met.'),
    profile: orNull(JudgedProfileSchema).describe('The profile that it was judged by; null when there was none.'),
    unattributed: z
      .number()
      .int()
      .meta({ description: 'How many calls came to no world: of unknown clients, or without a token.', example: 0 }),
  })
  .openapi('MirrorReport', { description: 'What the clients of some worlds did, judged as a whole.' });

export type Report = z.infer<typeof ReportSchema>;
