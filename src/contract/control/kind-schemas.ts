import type { z } from '@hono/zod-openapi';
import { AccountSchema, AccountStatusSchema } from '../public/accounts.js';
import { BeneficiarySchema, PaymentInstructionSchema, ReviewStatusSchema } from '../public/beneficiaries.js';
import { DocumentSchema } from '../public/documents.js';
import { OperationSchema, OperationStatusSchema } from '../public/operations.js';
import { UboSchema } from '../public/ubos.js';
import type { AwaitedKind, KindName } from '../shared/kinds.js';
import {
  AccountAssetParams,
  AccountParams,
  BeneficiaryParams,
  DocumentParams,
  OperationParams,
  PaymentInstructionParams,
  UboParams,
  type PathParams,
} from '../shared/path-params.js';

/** The path parameters and the control response of each kind: the schemas for `resourceKinds`. */
export const kindSchemas: Readonly<Record<KindName, { readonly params: PathParams; readonly response: z.ZodType }>> = {
  OPERATION: { params: OperationParams, response: OperationSchema },
  PAYMENT_INSTRUCTION: { params: PaymentInstructionParams, response: PaymentInstructionSchema },
  BENEFICIARY: { params: BeneficiaryParams, response: BeneficiarySchema },
  DOCUMENT: { params: DocumentParams, response: DocumentSchema },
  UBO: { params: UboParams, response: UboSchema },
  ACCOUNT: { params: AccountParams, response: AccountSchema },
  ASSET: { params: AccountAssetParams, response: AccountSchema },
};

/** The statuses of the kinds that support waiting. */
export const awaitedStatuses: Readonly<Record<AwaitedKind, z.ZodType<string>>> = {
  OPERATION: OperationStatusSchema,
  PAYMENT_INSTRUCTION: ReviewStatusSchema,
  ACCOUNT: AccountStatusSchema,
};
