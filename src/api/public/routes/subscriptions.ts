import { expected } from '../../../contract/shared/messages/forms.js';
import { fieldsOf, type Check } from '../../../contract/shared/rule.js';
import type { UrlPolicy } from '../../../contract/scenario/settings.js';
import { payloadOf } from '../../../engine/payloads.js';
import {
  executionLogView,
  isPublicLog,
  subscriptionView,
  executionLogFilters,
  subscriptionFilters,
  type PublicLog,
} from '../../../domain/webhooks/delivery.js';
import { spellingProblem } from '../../../domain/webhooks/url-policy.js';
import { notFound } from '../../../domain/errors.js';
import { readPageQuery } from '../../../domain/lists/page.js';
import { createSubscription } from '../../../services/webhooks/create-subscription.js';
import { resendFailedAttempt } from '../../../services/webhooks/resend-delivery.js';
import { page, renderedPage } from '../../plane/page.js';
import type { PublicPlane } from '../plane.js';
import {
  createSubscriptionRoute,
  listSubscriptionsRoute,
  getSubscriptionRoute,
  listExecutionLogsRoute,
  getExecutionLogRoute,
  resendExecutionLogRoute,
} from '../../../contract/public/routes/subscriptions.js';

/** Returns a check of the URL in a request against a URL policy. The addresses of host names are checked later, before each connection. */
const urlUnder =
  (policy: UrlPolicy, problemOf: (url: string, policy: UrlPolicy) => string | null): Check =>
  (raw, report) => {
    const { url } = fieldsOf(raw);
    const problem = typeof url === 'string' && url.length <= 2048 ? (spellingProblem(url) ?? problemOf(url, policy)) : null;
    if (problem !== null)
      report(
        'URL_NOT_ALLOWED',
        ['url'],
        `${expected(`a URL that SANDBOX_WEBHOOK_URL_POLICY=${policy} allows`, 'https://hooks.example.com/crossborder')}, but ${problem}`,
        { setting: 'SANDBOX_WEBHOOK_URL_POLICY', policy },
      );
  };

export function serveSubscriptions(plane: PublicPlane): void {
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
    const { id } = view.require('subscriptions', params.subscriptionId, 'subscription');
    const log = view.require('executionLogs', params.executionLogId, 'executionLog');
    if (log.subscriptionId !== id || !isPublicLog(log)) throw notFound('executionLog', { id: log.id });
    return executionLogView(log, payloadOf(view, view.require('deliveries', log.messageId, 'delivery')));
  });
  plane.serveWrite(resendExecutionLogRoute, (uow, { params }) => {
    resendFailedAttempt(uow, params);
  });
}
