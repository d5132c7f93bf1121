import { z } from '@hono/zod-openapi';
import { WhySchema } from '../mirror/why.js';
import { AccountSchema, AccountStatusSchema } from '../../public/accounts.js';
import { PaymentInstructionSchema, ReviewStatusSchema } from '../../public/beneficiaries.js';
import { OperationSchema, OperationStatusSchema } from '../../public/operations.js';
import { AccountParams, OperationParams, PaymentInstructionParams, type PathParams } from '../../shared/path-params.js';
import { uuidSchema } from '../../shared/common.js';
import { WaitMsSchema } from '../../shared/paging.js';
import type { KindName } from '../../scenario/settings.js';
import { defineRoute } from '../../shared/route.js';

export const getWhy = defineRoute({
  operationId: 'getWhy',
  method: 'get',
  path: '/_sandbox/why/{resourceId}',
  tag: 'Why',
  summary: 'Tell why something is as it is',
  description: 'Of an operation, instruction, beneficiary, account, owner, document, webhook message, attempt or ledger entry.',
  params: z.object({
    resourceId: uuidSchema('the UUID of a resource (a call is shown by GET /_sandbox/requests/{requestId})').meta({
      description: 'Id of an operation, instruction, beneficiary, account, owner, document, webhook message, attempt or ledger entry.',
      example: 'b64c5118-f6d4-4569-84de-3908b37d019f',
    }),
  }),
  status: 200,
  response: WhySchema,
  errors: [],
});

/** The kinds that can be waited for. */
const awaited = [
  {
    kind: 'OPERATION',
    noun: 'Operation',
    named: 'an operation',
    example: 'COMPLETED',
    path: 'operations/{operationId}',
    params: OperationParams,
    status: OperationStatusSchema,
    response: OperationSchema,
  },
  {
    kind: 'PAYMENT_INSTRUCTION',
    noun: 'PaymentInstruction',
    named: 'a payment instruction',
    example: 'APPROVED',
    path: 'payment-instructions/{paymentInstructionId}',
    params: PaymentInstructionParams,
    status: ReviewStatusSchema,
    response: PaymentInstructionSchema,
  },
  {
    kind: 'ACCOUNT',
    noun: 'Account',
    named: 'an account',
    example: 'ACTIVE',
    path: 'accounts/{accountId}',
    params: AccountParams,
    status: AccountStatusSchema,
    response: AccountSchema,
  },
] as const satisfies {
  kind: KindName;
  noun: string;
  named: string;
  example: string;
  path: string;
  params: PathParams;
  status: z.ZodType<string>;
  response: z.ZodType;
}[];

const awaitRoute = ({ noun, named, example, path, params, status, response }: (typeof awaited)[number]) =>
  defineRoute({
    operationId: `await${noun}`,
    method: 'get',
    path: `/_sandbox/${path}/await`,
    tag: 'Why',
    summary: `Wait until ${named} has a status`,
    description:
      'Answers with the resource as soon as it is so, and with WAIT_TIMEOUT when the time is over or it cannot become so any more.',
    params: params as PathParams,
    query: z.object({
      status: (status as z.ZodType<string>).meta({ description: 'What the resource is to become before the call is answered.', example }),
      timeoutMs: WaitMsSchema,
    }),
    status: 200,
    response,
    errors: ['WAIT_TIMEOUT', 'RATE_LIMIT_EXCEEDED'],
  });

export const awaitRoutes = awaited.map((each) => ({ kind: each.kind, route: awaitRoute(each) }));
