import { z } from '@hono/zod-openapi';
import { AccountSchema, accountStatuses } from '../../contract/public/accounts.js';
import { PaymentInstructionSchema, reviewStatuses } from '../../contract/public/beneficiaries.js';
import { UuidSchema } from '../../contract/shared/common.js';
import { OperationSchema, operationStatuses } from '../../contract/public/operations.js';
import { WhySchema } from '../../contract/control/why.js';
import { accountTransitions, accountView } from '../../domain/accounts/account.js';
import { instructionOf, instructionTransitions, instructionView } from '../../domain/payees/beneficiary.js';
import { DomainError } from '../../domain/errors.js';
import { isFinal, type Transitions } from '../../domain/machine.js';
import { operationTransitions, operationView } from '../../domain/operations/operation.js';
import { ownerOf } from '../../services/payees/review-instruction.js';
import { defineRoute } from '../../web/route.js';
import { explain } from '../../mirror/why.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';
import type { ControlPlane } from '../plane.js';

const getWhy = defineRoute({
  operationId: 'getWhy',
  method: 'get',
  path: '/_sandbox/why/{id}',
  tag: 'Why',
  summary: 'Tell why something is as it is',
  description: 'Of an operation, instruction, beneficiary, account, owner, document, webhook message, attempt or ledger entry.',
  params: z.object({ id: UuidSchema }),
  status: 200,
  response: WhySchema,
  errors: [],
});

interface Awaited {
  readonly noun: string;
  readonly path: string;
  readonly response: z.ZodType;
  readonly statuses: readonly [string, ...string[]];
  readonly transitions: Transitions<string>;
  readonly look: (uow: UnitOfWork, id: string) => { currentState: { status: string } };
}

const awaited: readonly Awaited[] = [
  {
    noun: 'Operation',
    path: 'operations',
    response: OperationSchema,
    statuses: operationStatuses,
    transitions: operationTransitions,
    look: (uow, id) => operationView(uow.require('operations', id, 'operation')),
  },
  {
    noun: 'PaymentInstruction',
    path: 'payment-instructions',
    response: PaymentInstructionSchema,
    statuses: reviewStatuses,
    transitions: instructionTransitions,
    look: (uow, id) => instructionView(instructionOf(ownerOf(uow, id), id)),
  },
  {
    noun: 'Account',
    path: 'accounts',
    response: AccountSchema,
    statuses: accountStatuses,
    transitions: accountTransitions,
    look: (uow, id) => accountView(uow.require('accounts', id, 'account')),
  },
];

const awaitRoute = ({ noun, path, response, statuses }: Awaited) =>
  defineRoute({
    operationId: `await${noun}`,
    method: 'get',
    path: `/_sandbox/${path}/{id}/await`,
    tag: 'Why',
    summary: 'Wait until a resource has a status',
    description:
      'Answers with the resource as soon as it is so, and with WAIT_TIMEOUT when the time is over or it cannot become so any more.',
    params: z.object({ id: UuidSchema }),
    query: z.object({
      status: z.enum(statuses),
      timeoutMs: z.coerce.number().int().min(0).max(60_000).default(10_000).openapi({ description: 'How long to wait, of real time.' }),
    }),
    status: 200,
    response,
    errors: ['WAIT_TIMEOUT'],
  });

export function serveWaiting(plane: ControlPlane): void {
  const { sandbox } = plane;
  plane.serve(getWhy, ({ params: { id }, world }) => world().read((uow) => explain(uow, sandbox.causes, id)));
  for (const each of awaited) {
    plane.serve(awaitRoute(each), async ({ params: { id }, query: { status, timeoutMs }, world }) => {
      const target = world();
      const look = () => {
        const view = target.read((uow) => each.look(uow, id));
        const present = view.currentState.status;
        return present === status || isFinal(each.transitions, present) ? view : null;
      };
      const view = await sandbox.watch.until(target, look, timeoutMs);
      if (view?.currentState.status === status) return view;
      const present = target.read((uow) => each.look(uow, id)).currentState.status;
      const message = view
        ? `It is ${present}, which is final, and will not become ${status}.`
        : `It is still ${present} after ${timeoutMs} ms, not ${status}.`;
      throw new DomainError('WAIT_TIMEOUT', message, { expected: status, received: present, timeoutMs });
    });
  }
}
