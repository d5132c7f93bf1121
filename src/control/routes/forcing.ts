import { z } from '@hono/zod-openapi';
import { BeneficiarySchema, PaymentInstructionSchema } from '../../contract/public/beneficiaries.js';
import { UuidSchema } from '../../contract/shared/common.js';
import { ForceRequestSchema } from '../../contract/control/control.js';
import { PaymentSchema } from '../../contract/public/deposits.js';
import { OperationSchema } from '../../contract/public/operations.js';
import { beneficiaryView, instructionOf, instructionView } from '../../domain/payees/beneficiary.js';
import { invalidStatusChange, current } from '../../domain/machine.js';
import { operationTransitions, operationView, type OperationStatus } from '../../domain/operations/operation.js';
import { forcible } from '../../domain/operations/moves.js';
import { takeStep } from '../../services/kinds.js';
import { moveOperation, payDeposit } from '../../services/operations/move-operation.js';
import { reviewBeneficiary } from '../../services/payees/review-beneficiary.js';
import { reviewInstruction } from '../../services/payees/review-instruction.js';
import { defineRoute } from '../../web/route.js';
import type { ControlPlane } from '../plane.js';

const params = z.object({ id: UuidSchema });

/** The verbs that force an operation into a status, each with what it says. */
const operationVerbs = {
  process: ['PROCESSING', 'Let an operation process; from ON_HOLD and ACTION_REQUIRED this is resume'],
  complete: ['COMPLETED', 'Settle an operation, by way of PROCESSING'],
  fail: ['FAILED', 'End an operation as FAILED'],
  hold: ['ON_HOLD', 'Put an operation on hold'],
  'require-action': ['ACTION_REQUIRED', 'Stop an operation until the customer acts'],
} as const satisfies Record<string, readonly [OperationStatus, string]>;

const camelCase = (verb: string) => verb.replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase());

function operationRoute(verb: string, summary: string) {
  return defineRoute({
    operationId: `${camelCase(verb)}Operation`,
    method: 'post',
    path: `/_sandbox/operations/{id}/${verb}`,
    tag: 'Forcing',
    summary,
    params,
    body: ForceRequestSchema,
    status: 200,
    response: OperationSchema,
    errors: ['INVALID_STATUS_CHANGE'],
  });
}

const payOperation = defineRoute({
  operationId: 'payOperation',
  method: 'post',
  path: '/_sandbox/operations/{id}/pay',
  tag: 'Forcing',
  summary: 'Let the payment of a deposit arrive',
  description: 'Another amount than the quoted one puts the deposit ON_HOLD as AMOUNT_MISMATCH. A deposit is paid once.',
  params,
  body: PaymentSchema,
  status: 200,
  response: OperationSchema,
  errors: ['INVALID_AMOUNT_PRECISION', 'INVALID_STATUS_CHANGE'],
});

function beneficiaryRoute(verb: string, summary: string) {
  return defineRoute({
    operationId: `${verb}Beneficiary`,
    method: 'post',
    path: `/_sandbox/beneficiaries/{id}/${verb}`,
    tag: 'Forcing',
    summary,
    description: 'Its pending payment instruction goes with it; one that was reviewed before stays as it is.',
    params,
    body: ForceRequestSchema,
    status: 200,
    response: BeneficiarySchema,
    errors: ['INVALID_STATUS_CHANGE'],
  });
}

function instructionRoute(verb: string, summary: string) {
  return defineRoute({
    operationId: `${verb}PaymentInstruction`,
    method: 'post',
    path: `/_sandbox/payment-instructions/{id}/${verb}`,
    tag: 'Forcing',
    summary,
    params,
    body: ForceRequestSchema,
    status: 200,
    response: PaymentInstructionSchema,
    errors: ['INVALID_STATUS_CHANGE'],
  });
}

export function serveForcing(plane: ControlPlane): void {
  for (const [verb, [status, summary]] of Object.entries(operationVerbs)) {
    plane.serve(operationRoute(verb, summary), ({ params: { id }, body, write }) =>
      write((uow) => operationView(moveOperation(uow, id, status, { reason: body.reason ?? null, forced: true }))),
    );
  }
  plane.serve(operationRoute('resume', 'Let an operation go on after ON_HOLD or ACTION_REQUIRED'), ({ params: { id }, body, write }) =>
    write((uow) => {
      const { status } = current(uow.require('operations', id, 'operation').states);
      if (status !== 'ON_HOLD' && status !== 'ACTION_REQUIRED') {
        const possible = forcible(status).filter((each) => each !== 'PROCESSING' || status === 'REQUESTED');
        throw invalidStatusChange('operation', id, operationTransitions, status, 'PROCESSING', possible);
      }
      return operationView(moveOperation(uow, id, 'PROCESSING', { reason: body.reason ?? null, forced: true }));
    }),
  );
  plane.serve(payOperation, ({ params: { id }, body, write }) => write((uow) => operationView(payDeposit(uow, id, body.amount, true))));
  plane.serve(operationRoute('next', 'Take the step that the scenario would take next'), ({ params: { id }, write }) =>
    write((uow) => {
      const operation = uow.require('operations', id, 'operation');
      if (takeStep(uow, plane.sandbox.options.scenarios, id) === null) {
        const { status } = current(operation.states);
        throw invalidStatusChange('operation', id, operationTransitions, status, status, forcible(status));
      }
      return operationView(uow.require('operations', id, 'operation'));
    }),
  );
  for (const [verb, to] of [
    ['approve', 'APPROVED'],
    ['reject', 'REJECTED'],
  ] as const) {
    plane.serve(instructionRoute(verb, `End the review of a payment instruction as ${to}`), ({ params: { id }, body, write }) =>
      write((uow) => instructionView(instructionOf(reviewInstruction(uow, id, to, body.reason ?? null), id))),
    );
    plane.serve(beneficiaryRoute(verb, `Make a beneficiary ${to}`), ({ params: { id }, body, write }) =>
      write((uow) => beneficiaryView(reviewBeneficiary(uow, id, to, body.reason ?? null))),
    );
  }
}
