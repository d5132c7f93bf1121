import { z } from '@hono/zod-openapi';
import { AssetCodeSchema, TimestampSchema, orNull } from '../../shared/common.js';
import { SentEventTypeSchema } from '../../public/webhooks.js';
import { operationIds } from '../../public/routes.js';
import { hintIds, ruleIds, rulePatterns } from './rule-ids.js';
import { ResponseOutcomeSchema } from './record.js';

export const RuleIdSchema = z
  .enum([...ruleIds, ...hintIds])
  .openapi('RuleId', { description: 'A rule for clients. `/docs/findings` has a section for each, with examples.' });

export const OperationIdSchema = z
  .enum(operationIds)
  .openapi('OperationId', { description: 'An operation of the public API, as its document names it.' });

const TestSchema = orNull(z.string()).meta({ description: 'The test in progress at the time; null if there was none.' });
const GenerationSchema = z
  .number()
  .int()
  .meta({ description: 'The generation of the world. The first is 1; each reset, restore and import starts the next.', example: 1 });

/** Maximum length of a body in the evidence of a finding, in characters. */
export const maxEvidenceBody = 2000;

const EvidenceRequestSchema = z
  .object({
    method: z.string().describe('HTTP method, for example POST.'),
    url: z.string().describe('Path and query of a request, or the URL of an endpoint, without secrets.'),
    status: z.number().int().nullable().meta({ description: 'HTTP status of the response; null while in progress, 0 without a response.' }),
    code: z.string().nullable().describe('Error code of the response; null if it is not an error.'),
    outcome: orNull(ResponseOutcomeSchema).describe('Whether the client received the response; null for a webhook attempt.'),
    idempotencyKey: z.string().nullable().describe('Idempotency key of the request; null without one.'),
    body: z
      .string()
      .nullable()
      .meta({
        description: `The JSON that was sent, without secrets and personal data; null if there was none, or if it is longer than ${maxEvidenceBody} characters.`,
      }),
  })
  .openapi('EvidenceRequest', { description: 'A request or webhook attempt that proves a finding, without secrets and personal data.' });

export type EvidenceRequest = z.infer<typeof EvidenceRequestSchema>;

const EvidenceSchema = z
  .object({
    at: orNull(TimestampSchema).describe('World time of the request or attempt; null if it is no longer recorded.'),
    realAt: TimestampSchema.optional().describe('Real time of the request or attempt; absent if it is no longer recorded.'),
    request: orNull(EvidenceRequestSchema).describe('The request or attempt; null if it is no longer recorded.'),
    ref: z
      .string()
      .meta({ description: 'X-Request-Id of a request, or the id of the execution log of an attempt.', example: 'req_V1StGXR8' }),
    what: z.string().meta({ description: 'The evidence as a sentence.', example: 'The same request under another key, answered 201.' }),
  })
  .openapi('Evidence', { description: 'A request or a webhook attempt that proves a finding.' });

export const MoneySchema = z
  .object({
    asset: AssetCodeSchema.describe('Asset that the client moved.'),
    value: z.string().meta({ description: 'Amount in the ledger.', example: '150.00' }),
  })
  .openapi('MovedMoney', { description: 'An amount of one asset, as in the ledger.' });

export const FindingSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the finding within its world: F and a number, for a hint H and a number.', example: 'F1' }),
    rule: RuleIdSchema.describe('Id of the rule that the client broke.'),
    severity: z
      .enum(['ERROR', 'WARNING'])
      .openapi('FindingSeverity', { description: 'ERROR: the misuse can cost money or trust. WARNING: the misuse causes extra work.' })
      .describe('How serious the finding is.'),
    confidence: z
      .enum(['CERTAIN', 'LIKELY'])
      .openapi('FindingConfidence', {
        description:
          'CERTAIN: proven by the recorded requests and responses. LIKELY: one alternative explanation remains, and the finding names it.',
      })
      .describe('Whether another explanation is possible.'),
    title: z.string().meta({ description: 'The misuse as a sentence.' }),
    advice: z.string().meta({ description: 'Change to the client that fixes the problem.' }),
    operationId: orNull(OperationIdSchema).describe(
      'The operation concerned; null for an event, or for a request that matches no operation.',
    ),
    eventType: orNull(SentEventTypeSchema).describe('The type of event concerned; null if the finding is not about an event.'),
    generation: GenerationSchema,
    test: TestSchema,
    count: z.number().int().meta({ description: 'Number of occurrences.', example: 1 }),
    firstAt: TimestampSchema.describe('World time of the first occurrence.'),
    lastAt: TimestampSchema.describe('World time of the last occurrence.'),
    evidence: z.array(EvidenceSchema).max(16).meta({ description: 'Evidence from the first and the latest occurrences.' }),
    money: z.array(MoneySchema).max(20).optional().meta({
      description:
        'Money that moved twice or without the knowledge of the client, or that the client tried to move without success; absent if there is none.',
    }),
    alternativeExplanation: z.string().optional().meta({ description: 'The alternative explanation of a LIKELY finding.' }),
    fingerprint: z.string().meta({
      description: 'Hash of the rule, the operation or event, and the test. It is equal in every run, so you can compare runs.',
      example: '5f1c7a90b2d84e63',
    }),
    state: z
      .enum(['NEW', 'EXPECTED', 'ACCEPTED'])
      .openapi('FindingState', {
        description:
          'NEW: not announced. EXPECTED: announced before, with `findings/expect`. ACCEPTED: accepted by a certification profile.',
      })
      .describe('Whether the finding was expected.'),
    negative: z.boolean().meta({ description: 'True if the finding comes from a test that misuses the API on purpose.' }),
  })
  .openapi('Finding', { description: 'A misuse of the API by a client.' });

export type Finding = z.infer<typeof FindingSchema>;

const RulePatternSchema = z
  .enum(rulePatterns)
  .openapi('RulePattern', { description: 'A rule for clients, a group of rules such as `idempotency.*`, or `*` for all.' });

export const ExpectRequestSchema = z
  .strictObject({
    rule: RulePatternSchema.meta({
      description: 'The rules that the test will violate on purpose.',
      example: 'idempotency.*',
    }),
    count: z.number().int().min(1).max(1000).default(1).meta({ description: 'Expected number of violations.' }),
  })
  .openapi('ExpectRequest', { description: 'The announcement of a misuse on purpose.' });

export const ExpectedFindingSchema = z
  .object({
    rule: z.string().meta({ description: 'The rule that the test announced to violate, or a pattern with `*`.', example: 'idempotency.*' }),
    count: z.number().int().meta({ description: 'Expected number of violations.', example: 1 }),
    matched: z.number().int().meta({
      description: 'Number of violations since the announcement. If it is less than `count`, the test did not do what it announced.',
      example: 0,
    }),
    generation: GenerationSchema,
    test: TestSchema,
  })
  .openapi('ExpectedFinding', { description: 'An announced misuse, and how often it occurred.' });

export type ExpectedFinding = z.infer<typeof ExpectedFindingSchema>;

export const FindingsSchema = z
  .object({
    data: z.array(FindingSchema).max(500).describe('The findings, oldest first.'),
    expected: z.array(ExpectedFindingSchema).max(100).describe('The announced misuses, oldest first.'),
    omitted: z.number().int().meta({ description: 'Number of findings beyond the limit.', example: 0 }),
  })
  .openapi('Findings', { description: 'The findings about the client of a world.' });
