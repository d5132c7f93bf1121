import { z } from '@hono/zod-openapi';
import { AssetCodeSchema, TimestampSchema, orNull } from '../../shared/common.js';
import { EventTypeSchema } from '../../public/webhooks.js';
import { operationIds } from '../../public/routes.js';
import { hintIds, ruleIds } from './rule-ids.js';

/** What clients have done that they should not. */

export const RuleIdSchema = z
  .enum([...ruleIds, ...hintIds])
  .openapi('RuleId', { description: 'A rule for clients. docs/findings.md has a section for each, with examples.' });

export const OperationIdSchema = z
  .enum(operationIds)
  .openapi('OperationId', { description: 'An operation of the public API, as its document names it.' });

const TestSchema = orNull(z.string()).meta({ description: 'The test that was marked at the time; null when none was.' });
const ChapterSchema = z
  .number()
  .int()
  .meta({ description: 'The chapter of the world: the first is 1, and each reset, restore and import begins another.', example: 1 });

const EvidenceSchema = z
  .object({
    ref: z.string().meta({ description: 'X-Request-Id of a call, or the id of the execution log of an attempt.', example: 'req_V1StGXR8' }),
    what: z.string().meta({ description: 'What it shows, as a sentence.', example: 'The same request under another key, answered 201.' }),
  })
  .openapi('Evidence', { description: 'A call or an attempt that shows something.' });

const MoneySchema = z
  .object({
    asset: AssetCodeSchema.describe('What was moved.'),
    value: z.string().meta({ description: 'How much, by the ledger.', example: '150.00' }),
  })
  .openapi('MovedMoney', { description: 'A sum of one asset, as the ledger has it.' });

export const FindingSchema = z
  .object({
    id: z.string().meta({ description: 'Names it within its world.', example: 'F1' }),
    rule: RuleIdSchema.describe('What was not kept to, by its name in docs/findings.md.'),
    severity: z
      .enum(['ERROR', 'WARNING'])
      .openapi('FindingSeverity', { description: 'ERROR: it costs money or trust. WARNING: it costs work.' })
      .describe('How bad it is.'),
    label: z
      .enum(['CERTAIN', 'NEAR'])
      .openapi('FindingLabel', {
        description: 'CERTAIN: it follows from what was sent and answered. NEAR: one other explanation is left, and the finding names it.',
      })
      .describe('How sure it is.'),
    title: z.string().meta({ description: 'What happened, in a sentence.' }),
    advice: z.string().meta({ description: 'What to change.' }),
    operationId: orNull(OperationIdSchema).describe('The operation concerned; null when it is an event, or a call of no operation.'),
    eventType: orNull(EventTypeSchema).describe('The type of event concerned; null when it is no event.'),
    chapter: ChapterSchema,
    test: TestSchema,
    count: z.number().int().meta({ description: 'How often it happened.', example: 1 }),
    firstAt: TimestampSchema.describe("When it happened first, by the world's clock."),
    lastAt: TimestampSchema.describe("When it happened last, by the world's clock."),
    evidence: z.array(EvidenceSchema).max(16).meta({ description: 'What shows it, of the first times and the latest.' }),
    money: z
      .array(MoneySchema)
      .max(20)
      .optional()
      .meta({ description: 'What moved twice, or without the client’s knowing; absent when nothing did so far.' }),
    rival: z.string().optional().meta({ description: 'The other explanation of a NEAR one.' }),
    fingerprint: z.string().meta({
      description: 'The same in every run for the same rule, operation or event, and test: what two runs are compared by.',
      example: '5f1c7a90b2d84e63',
    }),
    state: z
      .enum(['NEW', 'EXPECTED', 'ACCEPTED'])
      .openapi('FindingState', {
        description: 'NEW: nobody said so. EXPECTED: it was announced before. ACCEPTED: a certification profile takes it as it is.',
      })
      .describe('Whether it was expected.'),
  })
  .openapi('Finding', { description: 'Something that a client should not do, and did.' });

export type Finding = z.infer<typeof FindingSchema>;

export const ExpectRequestSchema = z
  .strictObject({
    rule: RuleIdSchema.describe('The rule that is going to be broken on purpose.'),
    count: z.number().int().min(1).max(1000).default(1).meta({ description: 'How many times.' }),
  })
  .openapi('ExpectRequest', { description: 'A misuse that is about to happen on purpose.' });

export const ExpectedFindingSchema = z
  .object({
    rule: RuleIdSchema.describe('The rule that was to be broken.'),
    count: z.number().int().meta({ description: 'How many times it was to happen.', example: 1 }),
    came: z
      .number()
      .int()
      .meta({ description: 'How many times it has happened since. Less than `count`: the test did not do what it says.', example: 0 }),
    chapter: ChapterSchema,
    test: TestSchema,
  })
  .openapi('ExpectedFinding', { description: 'A misuse that was announced, and whether it came.' });

export type ExpectedFinding = z.infer<typeof ExpectedFindingSchema>;

export const FindingsSchema = z
  .object({
    data: z.array(FindingSchema).max(500).describe('The findings, oldest first.'),
    expected: z.array(ExpectedFindingSchema).max(100).describe('What was announced, oldest first.'),
    omitted: z.number().int().meta({ description: 'How many findings there was no room for.', example: 0 }),
  })
  .openapi('Findings', { description: 'What the client of a world has done that it should not.' });
