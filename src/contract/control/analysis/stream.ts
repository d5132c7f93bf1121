import { z } from '@hono/zod-openapi';
import { intentTypes } from '../../public/operations.js';
import { TimestampSchema, UuidSchema, orNull } from '../../shared/common.js';
import { patternSchema } from '../../shared/messages/forms.js';
import { PageMetaSchema, queryInteger } from '../../shared/paging.js';
import { AttemptKindSchema, ResponseOutcomeSchema } from './record.js';

const streamKinds = [
  'REQUEST',
  'CONTROL',
  'RULE',
  'JOB',
  'STATE',
  'DELIVERY',
  'ATTEMPT',
  'LEDGER',
  'INBOX',
  'FAULT',
  'CLOCK',
  'SCENARIO',
  'FINDING',
  'MARK',
  'WORLD',
] as const;

export type StreamKind = (typeof streamKinds)[number];

const isKind = (name: string): name is StreamKind => (streamKinds as readonly string[]).includes(name);

const RequestFactsSchema = z
  .object({
    method: z.string().describe('HTTP verb in upper case, for example POST.'),
    path: z.string().describe('Path without the query, without secrets.'),
    operationId: orNull(z.string()).describe('Operation that was called; null if no route matched.'),
    code: orNull(z.string()).describe('Error code of the response; null if it is not an error.'),
    outcome: orNull(ResponseOutcomeSchema).describe('How the response reached the client; null while the request is in progress.'),
    replay: z.boolean().describe('True if the response is the stored one of an earlier request.'),
    ruleId: orNull(z.string()).describe('Rule or fault that changed the request; null if none did.'),
  })
  .openapi('TimelineRequest', {
    description: 'A request and the result of its response, on items of kind REQUEST and CONTROL.',
  });

const AttemptFactsSchema = z
  .object({
    deliveryId: UuidSchema.describe('X-Message-Id of all attempts to send the webhook.'),
    eventType: z.string().describe('Event that the webhook reports, for example OPERATION_COMPLETED.'),
    url: z.string().describe('URL of the attempt, without secrets.'),
    attemptKind: AttemptKindSchema.describe('First attempt, retry, copy made by a rule, or requested resend.'),
    number: z.number().int().describe('Number of the attempt within its delivery, from 1.'),
    httpStatus: z.number().int().describe('Status of the response; 0 without one.'),
    error: orNull(z.string()).describe('The error; null if there was a response.'),
  })
  .openapi('TimelineAttempt', { description: 'An attempt to deliver a webhook, in the timeline.' });

const StateFactsSchema = z
  .object({
    from: orNull(z.string()).describe('Status before; null for a new resource.'),
    to: z.string().describe('Status now.'),
    reason: orNull(
      z
        .object({
          code: z.string().describe('Reason as a code for programs, for example INSUFFICIENT_BALANCE.'),
          message: z.string().describe('Reason as a sentence.'),
        })
        .openapi('TimelineReason', { description: 'Why a resource has a status.' }),
    ).describe('Reason for the status; null without one.'),
  })
  .openapi('TimelineState', { description: 'A change of status in the timeline.' });

const MovedAmountSchema = z
  .object({
    value: orNull(z.string()).describe('Decimal amount; null while it is not known.'),
    asset: z.string().describe('Currency or token of the amount, for example BRL.'),
  })
  .openapi('TimelineAmount', { description: 'An amount of money that moves, and its currency or stablecoin.' });

const OperationFactsSchema = z
  .object({
    type: z
      .enum(intentTypes)
      .openapi('OperationType', { description: 'Purpose of an operation: paying out, transferring, converting or receiving money.' })
      .describe('Type of the requested operation.'),
    source: MovedAmountSchema.describe('Amount that leaves the account.'),
    target: MovedAmountSchema.describe('Amount that arrives.'),
    payee: orNull(z.string()).describe('Name of the person or company that is paid; null for a swap or a deposit.'),
  })
  .openapi('TimelineOperation', { description: 'The money that an operation moves, and its payee.' });

const DeliveryFactsSchema = z
  .object({
    eventType: z.string().describe('Event that the webhook reports, for example OPERATION_COMPLETED.'),
    url: orNull(z.string()).describe('URL of the subscription, without secrets; null if the subscription was deleted.'),
  })
  .openapi('TimelineDelivery', { description: 'The event and the endpoint of a delivery, on items of kind DELIVERY.' });

const FindingFactsSchema = z
  .object({
    rule: z.string().describe('Id of the rule, as in GET /_sandbox/findings.'),
    title: z.string().describe('The misuse that the rule detects, as a sentence.'),
    confidence: z.string().describe('Whether another explanation is possible.'),
    severity: z.string().describe('ERROR: the misuse can cost money or trust. WARNING: the misuse causes extra work.'),
    evidence: z
      .array(z.string().describe('Id of a request or an attempt.'))
      .describe('Requests and attempts that prove the finding, in order.'),
    withdrawn: z.boolean().describe('True if later requests disprove the finding. An earlier item with the same id reported it.'),
  })
  .openapi('TimelineFinding', { description: 'A misuse of the API by the client, and its evidence.' });

const RuleFactsSchema = z
  .object({
    scenario: z.string().describe('Name of the scenario that defines the rule.'),
    name: z.string().describe('Name of the rule, or its position in its file.'),
    step: z.number().int().describe('Number of the step, from 1.'),
  })
  .openapi('TimelineRule', { description: 'The step of a scenario rule that caused the item.' });

/** The fields of an item, both in the timeline and in the stream. */
const item = {
  order: z.number().int().meta({ description: 'Position among all events of this server process. Later events have higher positions.' }),
  at: TimestampSchema.describe('World time of the item.'),
  realAt: TimestampSchema.describe('Real time of the item.'),
  kind: z
    .enum(streamKinds)
    .openapi('StreamKind', {
      description:
        'REQUEST, CONTROL: a request to the public API or the control API got its response. RULE: a rule of the scenario matched. JOB: a timer was set. STATE: the status of a resource changed. DELIVERY: a delivery started or ended. ATTEMPT: a webhook attempt ended. LEDGER: money was booked. INBOX: an inbox received a message. FAULT: a fault was created, injected or removed. CLOCK: the clock was frozen, started or advanced. SCENARIO: the scenario or the settings changed. FINDING: a problem of the client was found. MARK: a test began or ended. WORLD: the world was reset, replaced or deleted, or a snapshot was created or deleted.',
    })
    .describe('Type of event in the world.'),
  id: z.string().meta({
    description: 'Id of the request, rule, job, resource, delivery, attempt, entry, message or fault. Use it to get details.',
  }),
  resource: orNull(z.string()).meta({
    description: 'Kind of the resource; null if the item is not about a resource.',
    example: 'OPERATION',
  }),
  resourceId: orNull(z.string()).describe('Id of the resource; null if the item is not about a resource.'),
  summary: z.string().meta({ description: 'The event in one line, without a full stop.', example: 'POST /api/operations/withdrawal' }),
  status: orNull(z.string()).meta({
    description: 'An HTTP status, or the status of a resource; null without a status.',
    example: '201',
  }),
  ms: orNull(z.number()).meta({ description: 'Duration of a request or an attempt, in milliseconds of real time; null for other items.' }),
  causeId: orNull(z.string()).meta({ description: 'Id of the cause, for use with `why`; null for requests.' }),
  generation: z.number().int().meta({ description: 'Generation of the world. Each reset, restore and import starts the next.' }),
  test: orNull(z.string()).describe('The test of the item; null outside of tests.'),
  request: RequestFactsSchema.optional().describe('Method, path and result; only on items of kind REQUEST and CONTROL.'),
  attempt: AttemptFactsSchema.optional().describe('Endpoint and its response; only on items of kind ATTEMPT.'),
  state: StateFactsSchema.optional().describe('Statuses before and after; only on items of kind STATE.'),
  operation: OperationFactsSchema.optional().describe('Amounts and payee; only on items of kind STATE about an operation.'),
  delivery: DeliveryFactsSchema.optional().describe('Event and endpoint; only on items of kind DELIVERY.'),
  postings: z
    .array(
      z
        .object({
          account: z.string().describe('Ledger account, for example customer:<id>.'),
          asset: z.string().describe('Currency or token of the amount, for example BRL.'),
          amount: z.string().describe('Amount, negative if it left the account.'),
        })
        .openapi('TimelinePosting', { description: 'Money that was booked on one ledger account.' }),
    )
    .optional()
    .describe('Amounts that were booked; only on items of kind LEDGER.'),
  finding: FindingFactsSchema.optional().describe('Rule, severity and evidence; only on items of kind FINDING.'),
  rule: RuleFactsSchema.optional().describe('The scenario step that caused the item; absent if none did.'),
};

export const TimelineItemSchema = z.object(item).openapi('TimelineItem', { description: 'An event in a world.' });

export type TimelineItem = z.infer<typeof TimelineItemSchema>;

export const StreamItemSchema = z
  .object({
    seq: z
      .number()
      .int()
      .meta({ description: 'Number of the item. It increases by one for each item of the world, including those that a filter excludes.' }),
    ...item,
  })
  .openapi('StreamItem', { description: 'An event in a world, with its number in the stream.' });

export type StreamItem = z.infer<typeof StreamItemSchema>;

/** Kinds of items, separated by commas. */
const KindsSchema = z
  .string()
  .optional()
  .transform((text, context): ReadonlySet<StreamKind> | undefined => {
    if (text === undefined || text === '') return undefined;
    const kinds = text.split(',').map((each) => each.trim());
    if (!kinds.every(isKind)) {
      const message = `expected one or more of ${streamKinds.join(', ')} separated by commas`;
      context.addIssue({ code: 'custom', message, params: { code: 'INVALID_ENUM' }, options: [...streamKinds] });
    }
    return new Set(kinds.filter(isKind));
  })
  .openapi({
    type: 'string',
    description: 'Only items of these kinds, separated by commas. Default: all kinds.',
    example: 'REQUEST,STATE,ATTEMPT',
  });

export const StreamQuerySchema = z.object({
  kinds: KindsSchema,
  resourceId: UuidSchema.optional().meta({
    description: 'Only items of the resource with this id.',
    example: 'b64c5118-f6d4-4569-84de-3908b37d019f',
  }),
});

/** Query parameters of the timeline, without those of a page. */
export const timelineQuery = {
  kinds: KindsSchema,
  resourceId: UuidSchema.optional().meta({
    description: 'Only items of the resource with this id.',
    example: 'b64c5118-f6d4-4569-84de-3908b37d019f',
  }),
  test: z.string().max(200).optional().meta({ description: 'Only items of the test with this name.', example: 'pays out' }),
  generation: patternSchema(/^(all|[0-9]{1,9})$/, 'all, or the number of a generation', '1')
    .optional()
    .meta({ description: 'A generation by its number, or `all`. Default: the current one.', example: '1' }),
  reads: z
    .enum(['true', 'false'])
    .default('true')
    .meta({ description: 'Whether to include successful requests that changed nothing.', example: 'false' }),
};

/** Maximum number of items on a page of the timeline. */
export const maxTimelineItems = 500;

/** Query parameters of a page of the timeline that other lists do not have. */
export const timelinePage = {
  limit: queryInteger(1, maxTimelineItems).default(10).meta({ description: 'Maximum number of items on a page.' }),
  counts: z.enum(['true', 'false', 'total']).default('true').meta({
    description:
      'Whether to count all matching items for `meta.total` and `meta.facets`. `total` counts no facets, which is fast without `filters`, `resourceId` and `reads=false`.',
    example: 'false',
  }),
};

/** The fields whose values are counted, each a filter field. */
export const facetFields = [
  'kind',
  'status',
  'delivery.url',
  'attempt.url',
  'request.operationId',
  'operation.type',
  'operation.source.asset',
  'finding.rule',
] as const;

/** Maximum number of values of a facet. */
export const maxFacetValues = 50;

const FacetSchema = z
  .object({
    field: z
      .enum(facetFields)
      .openapi('FacetField', { description: 'A field whose values are counted. `filters` accepts these names too.' })
      .describe('Name of the counted field.'),
    values: z
      .array(
        z
          .object({
            value: z.string().describe('A value of this field, for example `REQUEST` or `201`.'),
            count: z.number().int().describe('Number of matching items with this value.'),
          })
          .openapi('FacetValue', { description: 'A value of a field, and the number of items with this value.' }),
      )
      .max(maxFacetValues)
      .describe('The most frequent values first, at most 50.'),
  })
  .openapi('Facet', { description: 'The values of a field among all matching items.' });

export type Facet = z.infer<typeof FacetSchema>;

export const TimelineMetaSchema = PageMetaSchema.extend({
  total: orNull(z.number().int()).meta({
    description: 'Number of matching items on all pages; null with `counts=false`.',
    example: 128,
  }),
  facets: orNull(z.array(FacetSchema).max(facetFields.length)).describe(
    'Frequent values among the matching items on all pages; null with `counts=false`.',
  ),
}).openapi('TimelineMeta', { description: 'Position of a page in the timeline, and counts over all pages.' });

export type TimelineMeta = z.infer<typeof TimelineMetaSchema>;

/** Data of the event `gap`: items that the client missed. */
export interface StreamGap {
  /** Number of the first missed item; null if unknown. */
  readonly from: number | null;
  /** Number of the last missed item. */
  readonly to: number;
}
