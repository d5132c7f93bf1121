import { z } from '@hono/zod-openapi';
import { AssetCodeSchema, UuidSchema } from './common.js';

/** The parameters of paths, under the names that both planes have for them. The example of each kind that the default fixtures have is one of theirs. */

const id = (description: string, example: string) => UuidSchema.meta({ description, example });

export const AccountParams = z.object({
  accountId: id('Id of the account, as its creation answered it or a list of accounts shows it.', 'd3011808-e527-4fcf-a2da-06406260a730'),
});
export const UboParams = z.object({
  uboId: id(
    "Id of the beneficial owner, as its creation answered it or the account's `owner.ubos` shows it.",
    '9efca37c-9df9-42c8-aa83-a6be787eaa6e',
  ),
});
export const AccountUboParams = AccountParams.extend(UboParams.shape);
export const AccountAssetParams = AccountParams.extend({
  asset: AssetCodeSchema.meta({ description: 'One of the assets that the account has.', example: 'USD' }),
});
export const BeneficiaryParams = z.object({
  beneficiaryId: id('Id of the beneficiary, as its registration answered it.', '13401632-be09-44b0-b12c-e56dce992cfa'),
});
export const PaymentInstructionParams = z.object({
  paymentInstructionId: id(
    "Id of the payment instruction, as the beneficiary's `paymentInstructions` show it.",
    '7eb23214-0749-4b60-83bc-93ba0ffbb99b',
  ),
});
export const OperationParams = z.object({
  operationId: id('Id of the operation, as its creation answered it or its events name it.', 'b64c5118-f6d4-4569-84de-3908b37d019f'),
});
export const QuoteParams = z.object({
  quoteId: id('Id of the quote, as its creation answered it.', '30cbcd8d-2c42-4c64-a421-1efe566068db'),
});
export const DocumentParams = z.object({
  documentId: id(
    'Id of the document, as the list of documents shows it; an upload answers with none.',
    'd9e6b2b8-ca62-45e1-8042-567dafa2db3b',
  ),
});
export const SubscriptionParams = z.object({
  subscriptionId: id('Id of the subscription, as its creation answered it.', '074c9354-ddb6-476e-bd48-620756a95710'),
});
export const ExecutionLogParams = SubscriptionParams.extend({
  executionLogId: id(
    "Id of one attempt, as the list of the subscription's delivery attempts shows it.",
    '28fce346-b290-441b-8521-3f3a341a8258',
  ),
});
export const DeliveryParams = z.object({
  deliveryId: id('Id of the delivery: what its attempts carry as X-Message-Id.', '7aba5661-c361-4d96-86ee-8bc980b7a24c'),
});
export const FaultParams = z.object({
  faultId: id('Id of the fault, as its creation answered it.', '030a4e28-d917-469c-8994-55412ee7e2e9'),
});

/** Parameters of a path, whichever they are. */
export type PathParams = z.ZodObject<Record<string, z.ZodType<string>>>;
