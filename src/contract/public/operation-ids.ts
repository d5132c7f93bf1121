/** The operations of the public API, by the ids of its OpenAPI document. */
export const operationIds = [
  'createToken',
  'createAccount',
  'listAccounts',
  'listFundingInstructions',
  'createUbo',
  'getUbo',
  'updateUbo',
  'uploadDocument',
  'createBeneficiary',
  'getBeneficiary',
  'createQuote',
  'createWithdrawal',
  'createTransfer',
  'createSwap',
  'createDeposit',
  'getOperation',
  'createSubscription',
  'listSubscriptions',
  'getSubscription',
  'listExecutionLogs',
  'getExecutionLog',
  'resendExecutionLog',
  'getReport',
] as const;

export type OperationId = (typeof operationIds)[number];
