import { z } from '@hono/zod-openapi';
import { AssetCodeSchema, UuidSchema } from './common.js';

/** The path parameters of both APIs. If the default fixtures have a resource of the kind, the example is its id. */

const id = (description: string, example: string) => UuidSchema.meta({ description, example });

export const AccountParams = z.object({
  accountId: id(
    'Id of the account, from the response to its creation or from the list of accounts.',
    'd3011808-e527-4fcf-a2da-06406260a730',
  ),
});
export const UboParams = z.object({
  uboId: id(
    'Id of the beneficial owner, from the response to its creation or from `owner.ubos` of the account.',
    '9efca37c-9df9-42c8-aa83-a6be787eaa6e',
  ),
});
export const AccountUboParams = AccountParams.extend(UboParams.shape);
export const AccountAssetParams = AccountParams.extend({
  asset: AssetCodeSchema.meta({ description: 'Code of an asset that the account has.', example: 'USD' }),
});
export const BeneficiaryParams = z.object({
  beneficiaryId: id('Id of the beneficiary, from the response to its registration.', '13401632-be09-44b0-b12c-e56dce992cfa'),
});
export const PaymentInstructionParams = z.object({
  paymentInstructionId: id(
    'Id of the payment instruction, from `paymentInstructions` of the beneficiary.',
    '7eb23214-0749-4b60-83bc-93ba0ffbb99b',
  ),
});
export const OperationParams = z.object({
  operationId: id('Id of the operation, from the response to its creation or from its events.', 'b64c5118-f6d4-4569-84de-3908b37d019f'),
});
export const QuoteParams = z.object({
  quoteId: id('Id of the quote, from the response to its creation.', '30cbcd8d-2c42-4c64-a421-1efe566068db'),
});
export const DocumentParams = z.object({
  documentId: id(
    'Id of the document, from the list of documents; the response to an upload does not have it.',
    'd9e6b2b8-ca62-45e1-8042-567dafa2db3b',
  ),
});
export const SubscriptionParams = z.object({
  subscriptionId: id('Id of the subscription, from the response to its creation.', '074c9354-ddb6-476e-bd48-620756a95710'),
});
export const ExecutionLogParams = SubscriptionParams.extend({
  executionLogId: id('Id of one attempt, from the list of delivery attempts of the subscription.', '28fce346-b290-441b-8521-3f3a341a8258'),
});
export const DeliveryParams = z.object({
  deliveryId: id('Id of the delivery: the header X-Message-Id of its attempts.', '7aba5661-c361-4d96-86ee-8bc980b7a24c'),
});
export const FaultParams = z.object({
  faultId: id('Id of the fault, from the response to its creation.', '030a4e28-d917-469c-8994-55412ee7e2e9'),
});

/** Any path parameters. */
export type PathParams = z.ZodObject<Record<string, z.ZodType<string>>>;
