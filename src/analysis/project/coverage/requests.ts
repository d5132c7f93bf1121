import type { ReproductionStep } from '../../../contract/control/analysis/coverage.js';
import type { OperationId } from '../../../contract/public/routes.js';
import { publicRoutes } from '../../../contract/public/routes.js';

const holder = {
  type: 'INDIVIDUAL',
  firstName: 'Caio',
  lastName: 'Menezes',
  taxId: { type: 'CPF', value: '31415926590' },
  dateOfBirth: '1991-11-02',
};
const address = { addressLine1: 'Rua 1', city: 'Rio Claro', state: 'SP', country: 'BR', postalCode: '13500-000' };

/**
 * The operations to call before an operation, and the body and query to send. Names in braces stand for ids from earlier responses or from
 * the caller.
 */
interface Template {
  readonly after?: readonly OperationId[];
  readonly body?: unknown;
  readonly query?: string;
}

const quoteBody = { accountId: '{accountId}', sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '150.00' };

const templates: Readonly<Record<OperationId, Template>> = {
  createToken: { body: { clientId: '{clientId}', clientSecret: '{clientSecret}' } },
  createAccount: {
    body: {
      assets: [{ code: 'BRL', isVirtual: true }],
      owner: {
        type: 'COMPANY',
        legalName: 'Rio Claro Exportadora Ltda',
        taxId: { type: 'CNPJ', value: '42273345000169' },
        industry: 'WHOLESALE',
        address,
        incorporateDate: '2014-03-10',
      },
    },
  },
  listAccounts: {},
  listFundingInstructions: {},
  createUbo: {
    after: ['createAccount'],
    body: {
      name: 'Marina Lobo',
      taxId: { type: 'CPF', value: '33166247912' },
      address,
      ownershipPercentage: 60,
      phone: '+55 48 99123-4567',
      email: 'marina.lobo@example.com',
    },
  },
  getUbo: { after: ['createAccount', 'createUbo'] },
  updateUbo: { after: ['createAccount', 'createUbo'], body: { phone: '+55 48 3333-0101' } },
  uploadDocument: {
    after: ['createAccount'],
    body: {
      body: { documentType: 'ARTICLES_OF_ASSOCIATION', holder: { type: 'ACCOUNT', referenceId: '{accountId}' } },
      file: 'The bytes of a PDF, PNG or JPEG.',
    },
  },
  createBeneficiary: {
    body: {
      holder,
      relationshipType: 'THIRD_PARTY',
      paymentInstruction: { type: 'PIX', asset: 'BRL', dictKeyType: 'EMAIL', dictKey: 'caio.menezes@example.com' },
    },
  },
  getBeneficiary: { after: ['createBeneficiary'] },
  createQuote: { body: quoteBody },
  createWithdrawal: {
    after: ['createQuote'],
    body: {
      accountId: '{accountId}',
      quoteId: '{quoteId}',
      beneficiary: {
        type: 'REFERENCE',
        id: '{approvedBeneficiaryId}',
        paymentInstruction: { type: 'REFERENCE', id: '{approvedPaymentInstructionId}' },
      },
    },
  },
  createTransfer: {
    body: { sourceAccountId: '{accountId}', targetAccountId: '{otherAccountId}', amount: { value: '25.00', asset: 'BRL' } },
  },
  createSwap: { after: ['createQuote'], body: { accountId: '{accountId}', quoteId: '{quoteId}' } },
  createDeposit: {
    after: ['createQuote'],
    body: { accountId: '{accountId}', quoteId: '{quoteId}', fundingInstruction: { rail: 'PIX_KEY' } },
  },
  getOperation: { after: ['createTransfer'] },
  createSubscription: { body: { url: '{receiverUrl}', includeAll: true, allowRetry: true } },
  listSubscriptions: {},
  getSubscription: { after: ['createSubscription'] },
  listExecutionLogs: {},
  getExecutionLog: {},
  resendExecutionLog: {},
  getReport: { query: '?periodStart=2026-11-21T00:00:00Z&periodEnd=2026-11-22T00:00:00Z' },
};

/** Returns a request of an operation. Replace the names in braces before you send it. */
export function requestOf(operationId: OperationId, body?: unknown): ReproductionStep {
  const route = publicRoutes.find((each) => each.operationId === operationId)!;
  const template = templates[operationId];
  const sent = body ?? template.body;
  return {
    method: route.method.toUpperCase(),
    path: `${route.path}${template.query ?? ''}`,
    ...(sent === undefined ? {} : { body: sent }),
  };
}

/** Returns the requests that prepare an operation, and then the request of the operation itself. */
export function requestsFor(operationId: OperationId): ReproductionStep[] {
  const before = (templates[operationId].after ?? []).map((each) =>
    requestOf(each, each === 'createQuote' && operationId === 'createSwap' ? { ...quoteBody, targetAsset: 'USD' } : undefined),
  );
  return [...before, requestOf(operationId)];
}
