import {
  BeneficiaryRequestSchema,
  BeneficiarySchema,
  CreatedBeneficiarySchema,
  beneficiaryDays,
} from '../../contract/public/beneficiaries.js';
import { BeneficiaryParams } from '../../contract/shared/path-params.js';
import { beneficiaryView, instructionView } from '../../domain/payees/beneficiary.js';
import { createBeneficiary } from '../../services/payees/create-beneficiary.js';
import { rendered } from '../../web/rendered.js';
import { defineRoute } from '../../web/route.js';
import type { PublicPlane } from '../plane.js';

const tag = 'Beneficiaries';

const createBeneficiaryRoute = defineRoute({
  operationId: 'createBeneficiary',
  method: 'post',
  path: '/api/beneficiaries',
  tag,
  summary: 'Register a beneficiary with a payment instruction',
  description: 'Both start as PENDING_REVIEW. A withdrawal can use them once the review has approved them.',
  body: BeneficiaryRequestSchema,
  status: 201,
  response: CreatedBeneficiarySchema,
  errors: [],
});

const getBeneficiaryRoute = defineRoute({
  operationId: 'getBeneficiary',
  method: 'get',
  path: '/api/beneficiaries/{beneficiaryId}',
  tag,
  summary: 'Get a beneficiary with its payment instructions',
  params: BeneficiaryParams,
  status: 200,
  response: BeneficiarySchema,
  errors: ['RESOURCE_NOT_FOUND'],
});

export function serveBeneficiaries(plane: PublicPlane): void {
  plane.serve(
    createBeneficiaryRoute,
    (uow, { body }) => {
      const { beneficiary, instruction } = createBeneficiary(uow, body);
      return { ...beneficiaryView(beneficiary), paymentInstruction: instructionView(instruction) };
    },
    (world) => beneficiaryDays(world.today()),
  );
  plane.serve(getBeneficiaryRoute, (uow, { params }) =>
    rendered(uow.require('beneficiaries', params.beneficiaryId, 'beneficiary'), beneficiaryView),
  );
}
