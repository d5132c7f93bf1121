import { z } from '@hono/zod-openapi';
import { AssetCodeSchema, UuidSchema } from './common.js';

/** The parameters of paths, under the names that both planes have for them. */

const id = (description: string) => UuidSchema.describe(description);

export const AccountParams = z.object({ accountId: id('Id of the account, as its creation answered it or a list of accounts shows it.') });
export const UboParams = z.object({
  uboId: id("Id of the beneficial owner, as its creation answered it or the account's `owner.ubos` shows it."),
});
export const AccountUboParams = AccountParams.extend(UboParams.shape);
export const AccountAssetParams = AccountParams.extend({ asset: AssetCodeSchema.describe('One of the assets that the account has.') });
export const BeneficiaryParams = z.object({ beneficiaryId: id('Id of the beneficiary, as its registration answered it.') });
export const PaymentInstructionParams = z.object({
  paymentInstructionId: id("Id of the payment instruction, as the beneficiary's `paymentInstructions` show it."),
});
export const OperationParams = z.object({ operationId: id('Id of the operation, as its creation answered it or its events name it.') });
export const QuoteParams = z.object({ quoteId: id('Id of the quote, as its creation answered it.') });
export const DocumentParams = z.object({
  documentId: id('Id of the document, as the list of documents shows it; an upload answers with none.'),
});
export const SubscriptionParams = z.object({ subscriptionId: id('Id of the subscription, as its creation answered it.') });
export const ExecutionLogParams = SubscriptionParams.extend({
  executionLogId: id("Id of one attempt, as the list of the subscription's delivery attempts shows it."),
});
export const DeliveryParams = z.object({ deliveryId: id('Id of the delivery: what its attempts carry as X-Message-Id.') });
export const FaultParams = z.object({ faultId: id('Id of the fault, as its creation answered it.') });

/** Parameters of a path, whichever they are. */
export type PathParams = z.ZodObject<Record<string, z.ZodType<string>>>;
