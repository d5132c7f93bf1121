import { BeneficiaryRequestSchema, BeneficiarySchema, CreatedBeneficiarySchema } from '../beneficiaries.js';
import { BeneficiaryParams } from '../../shared/path-params.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Beneficiaries';

export const createBeneficiaryRoute = defineRoute({
  operationId: 'createBeneficiary',
  method: 'post',
  path: '/api/beneficiaries',
  tag,
  summary: 'Register a beneficiary with a payment instruction',
  description: 'Both start as PENDING_REVIEW. A withdrawal can use them once the review has approved them.',
  body: BeneficiaryRequestSchema,
  status: 201,
  location: '/api/beneficiaries/{id}',
  response: CreatedBeneficiarySchema,
  errors: [],
});

export const getBeneficiaryRoute = defineRoute({
  operationId: 'getBeneficiary',
  method: 'get',
  path: '/api/beneficiaries/{beneficiaryId}',
  tag,
  summary: 'Get a beneficiary with its payment instructions',
  description: 'The beneficiary in its present state. An event is sent when the review of an instruction ends.',
  params: BeneficiaryParams,
  status: 200,
  response: BeneficiarySchema,
  errors: ['RESOURCE_NOT_FOUND'],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const beneficiaryRoutes = [createBeneficiaryRoute, getBeneficiaryRoute] as const;
