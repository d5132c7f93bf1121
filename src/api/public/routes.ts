import { createTokenRoute } from '../../contract/public/routes/tokens.js';
import { accountDays } from '../../contract/public/accounts.js';
import { createAccountRoute, listAccountsRoute } from '../../contract/public/routes/accounts.js';
import { createUboRoute, getUboRoute, updateUboRoute } from '../../contract/public/routes/ubos.js';
import { documentDays } from '../../contract/public/documents.js';
import { uploadDocumentRoute } from '../../contract/public/routes/documents.js';
import { listFundingInstructionsRoute } from '../../contract/public/routes/funding-instructions.js';
import { beneficiaryDays } from '../../contract/public/beneficiaries.js';
import { createBeneficiaryRoute, getBeneficiaryRoute } from '../../contract/public/routes/beneficiaries.js';
import { createQuoteRoute } from '../../contract/public/routes/quotes.js';
import {
  createWithdrawalRoute,
  createTransferRoute,
  createSwapRoute,
  createDepositRoute,
  getOperationRoute,
} from '../../contract/public/routes/operations.js';
import { getReportRoute } from '../../contract/public/routes/reports.js';
import { expected } from '../../contract/shared/messages/forms.js';
import { fieldsOf, type Check } from '../../contract/shared/rule.js';
import { maxUrlLength } from '../../contract/public/webhooks.js';
import type { UrlPolicy } from '../../contract/scenario/settings.js';
import {
  createSubscriptionRoute,
  listSubscriptionsRoute,
  getSubscriptionRoute,
  listExecutionLogsRoute,
  getExecutionLogRoute,
  resendExecutionLogRoute,
} from '../../contract/public/routes/subscriptions.js';
import { accountView, accountFilters } from '../../domain/accounts/account.js';
import { uboView } from '../../domain/accounts/ubo.js';
import { fundingInstructions, fundingFilters } from '../../domain/payees/funding-instruction.js';
import { listingOf, readPageQuery } from '../../domain/lists/page.js';
import { beneficiaryView, instructionView } from '../../domain/payees/beneficiary.js';
import { quoteView } from '../../domain/operations/quote.js';
import { operationView } from '../../domain/operations/operation.js';
import { reportOn } from '../../domain/operations/report.js';
import {
  executionLogView,
  subscriptionView,
  executionLogFilters,
  subscriptionFilters,
  type PublicLog,
} from '../../domain/webhooks/delivery.js';
import { spellingProblem } from '../../domain/webhooks/url-policy.js';
import { runInSlices } from '../../world/turns.js';
import { requirePublicLog, requireUbo } from '../../engine/owners.js';
import { payloadOf } from '../../engine/outbox.js';
import { renderedPage, page } from '../plane/page.js';
import { rendered } from '../plane/rendered.js';
import { createAccount } from '../../services/accounts/accounts.js';
import { createUbo, updateUbo } from '../../services/accounts/ubos.js';
import { uploadDocument } from '../../services/accounts/documents.js';
import { createBeneficiary } from '../../services/payees/beneficiaries.js';
import { createQuote } from '../../services/operations/quotes.js';
import { createDeposit, createSwap, createTransfer, createWithdrawal } from '../../services/operations/operations.js';
import { createSubscription } from '../../services/webhooks/subscriptions.js';
import { resendFailedAttempt } from '../../services/webhooks/deliveries.js';
import type { PublicPlane } from './plane.js';

function serveTokens(plane: PublicPlane): void {
  const { tokens } = plane.sandbox;
  plane.serveOpen(
    createTokenRoute,
    ({ clientId, clientSecret }) => tokens.authenticate(clientId, clientSecret),
    (world, c, { clientSecret }) => tokens.issue(world, new URL(c.req.url).origin, clientSecret),
  );
  plane.serveDocument('/.well-known/jwks.json', 'application/json', async () => JSON.stringify(await tokens.jwks()));
}

function serveAccounts(plane: PublicPlane): void {
  plane.serveWrite(
    createAccountRoute,
    (uow, { body }) => accountView(createAccount(uow, body)),
    (world) => accountDays(world.today()),
  );
  plane.serveRead(listAccountsRoute, (view, { query }) =>
    renderedPage(view.list('accounts'), query, `${view.identity.name}/accounts`, accountFilters, accountView),
  );
}

function serveUbos(plane: PublicPlane): void {
  plane.serveWrite(createUboRoute, (uow, { params, body }) => uboView(createUbo(uow, { ...params, ubo: body })));
  plane.serveRead(getUboRoute, (view, { params }) => uboView(requireUbo(view, params.uboId, params.accountId).ubo));
  plane.serveWrite(updateUboRoute, (uow, { params, body }) => uboView(updateUbo(uow, { ...params, patch: body })));
}

function serveDocuments(plane: PublicPlane): void {
  plane.serveWrite(
    uploadDocumentRoute,
    (uow, { body, file }) => uploadDocument(uow, { request: body, file: file! }),
    (world) => documentDays(world.today()),
  );
}

function serveFundingInstructions(plane: PublicPlane): void {
  plane.serveRead(listFundingInstructionsRoute, (view, { params, query }) => {
    const scope = `${view.identity.name}/${params.accountId}/fundingInstructions`;
    readPageQuery(query, scope, fundingFilters);
    const account = view.require('accounts', params.accountId, 'account');
    const listing = listingOf(fundingInstructions(view, account), (each) => each);
    return page(listing, query, scope, fundingFilters, ({ instruction }) => instruction);
  });
}

function serveBeneficiaries(plane: PublicPlane): void {
  plane.serveWrite(
    createBeneficiaryRoute,
    (uow, { body }) => {
      const { beneficiary, instruction } = createBeneficiary(uow, body);
      return { ...beneficiaryView(beneficiary), paymentInstruction: instructionView(instruction) };
    },
    (world) => beneficiaryDays(world.today()),
  );
  plane.serveRead(getBeneficiaryRoute, (view, { params }) =>
    rendered(view.require('beneficiaries', params.beneficiaryId, 'beneficiary'), beneficiaryView),
  );
}

function serveQuotes(plane: PublicPlane): void {
  plane.serveWrite(createQuoteRoute, (uow, { body }) => quoteView(createQuote(uow, body)));
}

function serveOperations(plane: PublicPlane): void {
  plane.serveWrite(createWithdrawalRoute, (uow, { body }) => operationView(createWithdrawal(uow, body)));
  plane.serveWrite(createTransferRoute, (uow, { body }) => operationView(createTransfer(uow, body)));
  plane.serveWrite(createSwapRoute, (uow, { body }) => operationView(createSwap(uow, body)));
  plane.serveWrite(createDepositRoute, (uow, { body }) => operationView(createDeposit(uow, body)));
  plane.serveRead(getOperationRoute, (view, { params }) =>
    rendered(view.require('operations', params.operationId, 'operation'), operationView),
  );
}

function serveReports(plane: PublicPlane): void {
  plane.serveRead(getReportRoute, (view, { query: { periodStart, periodEnd, filters } }) =>
    runInSlices(reportOn(view.rows('operations'), { start: periodStart, end: periodEnd }, filters)),
  );
}

/** Returns a check of the URL in a request against a URL policy. The addresses of host names are checked later, before each connection. */
const urlUnder =
  (policy: UrlPolicy, problemOf: (url: string, policy: UrlPolicy) => string | null): Check =>
  (raw, report) => {
    const { url } = fieldsOf(raw);
    const problem = typeof url === 'string' && url.length <= maxUrlLength ? (spellingProblem(url) ?? problemOf(url, policy)) : null;
    if (problem !== null)
      report(
        'URL_NOT_ALLOWED',
        ['url'],
        `${expected(`a URL that SANDBOX_WEBHOOK_URL_POLICY=${policy} allows`, 'https://hooks.example.com/crossborder')}, but ${problem}`,
        { setting: 'SANDBOX_WEBHOOK_URL_POLICY', policy },
      );
  };

function serveSubscriptions(plane: PublicPlane): void {
  const { inboxes } = plane.sandbox;
  plane.serveWrite(
    createSubscriptionRoute,
    (uow, { body }, version) => subscriptionView(createSubscription(uow, body, version)),
    (world) =>
      urlUnder(
        world.read((view) => view.settings.urlPolicy),
        (url, policy) => inboxes.urlProblem(url, policy, world.identity.name),
      ),
  );
  plane.serveRead(listSubscriptionsRoute, (view, { query }) =>
    renderedPage(view.list('subscriptions'), query, `${view.identity.name}/subscriptions`, subscriptionFilters, subscriptionView),
  );
  plane.serveRead(getSubscriptionRoute, (view, { params }) =>
    subscriptionView(view.require('subscriptions', params.subscriptionId, 'subscription')),
  );
  plane.serveRead(listExecutionLogsRoute, (view, { params, query }) => {
    const scope = `${view.identity.name}/subscriptions/${params.subscriptionId}/executionLogs`;
    readPageQuery(query, scope, executionLogFilters);
    const { id } = view.require('subscriptions', params.subscriptionId, 'subscription');
    return page(view.list('executionLogs', 'subscription', `${id} `), query, scope, executionLogFilters, (log) =>
      // The index contains only the logs that the payments API shows.
      executionLogView(log as PublicLog, payloadOf(view, view.require('deliveries', log.messageId, 'delivery'))),
    );
  });
  plane.serveRead(getExecutionLogRoute, (view, { params }) => {
    const log = requirePublicLog(view, params);
    return executionLogView(log, payloadOf(view, view.require('deliveries', log.messageId, 'delivery')));
  });
  plane.serveWrite(resendExecutionLogRoute, (uow, { params }) => {
    resendFailedAttempt(uow, params);
  });
}

/** Serves the operations of the payments API. */
export function serveRoutes(plane: PublicPlane): void {
  serveTokens(plane);
  serveAccounts(plane);
  serveUbos(plane);
  serveDocuments(plane);
  serveFundingInstructions(plane);
  serveBeneficiaries(plane);
  serveQuotes(plane);
  serveOperations(plane);
  serveReports(plane);
  serveSubscriptions(plane);
}
