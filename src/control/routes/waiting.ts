import { z } from '@hono/zod-openapi';
import { WhySchema } from '../../contract/control/why.js';
import { AccountSchema } from '../../contract/public/accounts.js';
import { PaymentInstructionSchema } from '../../contract/public/beneficiaries.js';
import { OperationSchema } from '../../contract/public/operations.js';
import { AccountParams, OperationParams, PaymentInstructionParams, type PathParams } from '../../contract/shared/path-params.js';
import { UuidSchema } from '../../contract/shared/common.js';
import { DomainError } from '../../domain/errors.js';
import { kinds, type KindName } from '../../domain/kinds.js';
import { isFinal } from '../../domain/machine.js';
import { explain } from '../../mirror/why.js';
import { kindServices } from '../../services/kinds.js';
import { defineRoute } from '../../web/route.js';
import type { ControlPlane } from '../plane.js';

const getWhy = defineRoute({
  operationId: 'getWhy',
  method: 'get',
  path: '/_sandbox/why/{resourceId}',
  tag: 'Why',
  summary: 'Tell why something is as it is',
  description: 'Of an operation, instruction, beneficiary, account, owner, document, webhook message, attempt or ledger entry.',
  params: z.object({
    resourceId: UuidSchema.describe(
      'Id of an operation, instruction, beneficiary, account, owner, document, webhook message, attempt or ledger entry.',
    ),
  }),
  status: 200,
  response: WhySchema,
  errors: [],
});

/** The kinds that can be waited for. */
const awaited = [
  { kind: 'OPERATION', noun: 'Operation', path: 'operations/{operationId}', params: OperationParams, response: OperationSchema },
  {
    kind: 'PAYMENT_INSTRUCTION',
    noun: 'PaymentInstruction',
    path: 'payment-instructions/{paymentInstructionId}',
    params: PaymentInstructionParams,
    response: PaymentInstructionSchema,
  },
  { kind: 'ACCOUNT', noun: 'Account', path: 'accounts/{accountId}', params: AccountParams, response: AccountSchema },
] as const satisfies { kind: KindName; noun: string; path: string; params: PathParams; response: z.ZodType }[];

const awaitRoute = ({ kind, noun, path, params, response }: (typeof awaited)[number]) =>
  defineRoute({
    operationId: `await${noun}`,
    method: 'get',
    path: `/_sandbox/${path}/await`,
    tag: 'Why',
    summary: 'Wait until a resource has a status',
    description:
      'Answers with the resource as soon as it is so, and with WAIT_TIMEOUT when the time is over or it cannot become so any more.',
    params: params as PathParams,
    query: z.object({
      status: z.enum(kinds[kind].statuses),
      timeoutMs: z.coerce.number().int().min(0).max(60_000).default(10_000).meta({ description: 'How long to wait, of real time.' }),
    }),
    status: 200,
    response,
    errors: ['WAIT_TIMEOUT'],
  });

export function serveWaiting(plane: ControlPlane): void {
  const { sandbox } = plane;
  plane.serve(getWhy, ({ params: { resourceId: id }, world }) => world().read((view) => explain(view, sandbox.causes, id)));
  for (const each of awaited) {
    const { transitions } = kinds[each.kind];
    const { find, show } = kindServices[each.kind];
    plane.serve(awaitRoute(each), async ({ params, query: { status, timeoutMs }, world }) => {
      const [id = ''] = Object.values(params);
      const target = world();
      target.read((view) => show(view, id)); // Refuses what does not exist.
      const present = () => target.read((view) => find(view, id)?.status ?? '');
      const look = () => {
        const now = present();
        return now === status || isFinal(transitions, now) ? now : null;
      };
      const reached = await sandbox.watch.until(target, look, timeoutMs);
      if (reached === status) return target.read((view) => show(view, id));
      const received = present();
      const message =
        reached === null
          ? `It is still ${received} after ${timeoutMs} ms, not ${status}.`
          : `It is ${received}, which is final, and will not become ${status}.`;
      throw new DomainError('WAIT_TIMEOUT', message, { expected: status, received, timeoutMs });
    });
  }
}
