import { maxLoggedAttempts, type DeliveryDetail, type Probe } from '../../../contract/control/deliveries.js';
import { DomainError } from '../../../domain/errors.js';
import { nextAttemptAt, payloadOf } from '../../../engine/outbox.js';
import { deliveryOf } from '../../../engine/settings-in-force.js';
import { deliveryFilters, deliveryView, type DeliveryRecord } from '../../../domain/webhooks/delivery.js';
import { onePage } from '../../../domain/lists/page.js';
import { internalReceiver } from '../../../sandbox/delivery/internal-receivers.js';
import { deleteSubscription } from '../../../services/webhooks/subscriptions.js';
import { fireEvent, resendDelivery } from '../../../services/webhooks/deliveries.js';
import { page } from '../../plane/page.js';
import { yieldToEventLoop } from '../../../world/turns.js';
import type { View } from '../../../world/view.js';
import type { ControlPlane } from '../plane.js';
import {
  fireEventRoute,
  listDeliveriesRoute,
  getDeliveryRoute,
  flushDeliveriesRoute,
  resendDeliveryRoute,
  deleteSubscriptionRoute,
  probeSubscriptionRoute,
} from '../../../contract/control/routes/deliveries.js';

const viewIn = (view: View) => (delivery: DeliveryRecord) =>
  deliveryView(delivery, {
    payload: payloadOf(view, delivery),
    url: view.get('subscriptions', delivery.subscriptionId)?.url ?? null,
    nextAttemptAt: nextAttemptAt(view, delivery.id),
  });

export function serveDeliveries(plane: ControlPlane): void {
  const { sandbox } = plane;
  const { deliverer, listeners, options } = sandbox;
  plane.serve(fireEventRoute, async ({ body, session }) => {
    return onePage(await session.commit((uow) => fireEvent(uow, body).map(viewIn(uow))));
  });
  plane.serve(listDeliveriesRoute, ({ session, query }) =>
    session.read((uow) => page(uow.list('deliveries'), query, `${uow.identity.name}/deliveries`, deliveryFilters, viewIn(uow))),
  );
  plane.serve(getDeliveryRoute, ({ session, params: { deliveryId } }): DeliveryDetail => {
    const { world } = session;
    const record = plane.options.analysis.record;
    return session.read((view) => {
      const delivery = view.require('deliveries', deliveryId, 'delivery');
      const logs = [...view.find('executionLogs', 'message', `${deliveryId} `)].slice(-maxLoggedAttempts);
      return {
        ...viewIn(view)(delivery),
        log: logs.map(({ id, createdAt, updatedAt, status, httpStatus, error }) => {
          const stored = record.of(world).find(id);
          const entry = stored && record.entry(world, stored);
          const recorded = entry?.kind === 'ATTEMPT' ? entry : null;
          return { id, startedAt: createdAt, endedAt: updatedAt, status, httpStatus, error, recorded };
        }),
      };
    });
  });
  plane.serve(flushDeliveriesRoute, async ({ session, body: { timeoutMs } }) => {
    session.check();
    const open = await deliverer.flush(session.world, timeoutMs);
    session.check();
    const attempts = open === 1 ? '1 attempt is' : `${open} attempts are`;
    if (open > 0) throw new DomainError('WAIT_TIMEOUT', `${attempts} still in progress after ${timeoutMs} ms.`, { open });
    return { waiting: [...session.world.state.jobs.values()].filter(({ verb }) => verb !== 'step').length };
  });
  plane.serve(resendDeliveryRoute, ({ params: { deliveryId: id }, session }) =>
    session.commit((uow) => viewIn(uow)(resendDelivery(uow, { messageId: id }))),
  );
  plane.serve(probeSubscriptionRoute, async ({ params: { subscriptionId }, session }): Promise<Probe> => {
    const { url } = session.read((view) => view.require('subscriptions', subscriptionId, 'subscription'));
    const own = internalReceiver(url, session.world.identity.name);
    if (own?.kind === 'inbox') return { subscriptionId, url, via: 'INBOX', reachable: true, steps: [] };
    if (own) {
      const world = sandbox.worlds.get(own.world);
      return { subscriptionId, url, via: 'LISTENER', reachable: world !== undefined && listeners.isConnected(world, own.name), steps: [] };
    }
    const { urlPolicy: policy, timeoutMs } = session.read((view) => deliveryOf(view.settings));
    const steps = await options.probe({ url, policy, timeoutMs });
    return { subscriptionId, url, via: 'NETWORK', reachable: steps.every(({ ok }) => ok), steps };
  });
  plane.serve(deleteSubscriptionRoute, async ({ params: { subscriptionId }, session }) => {
    while (!(await session.commit((uow) => deleteSubscription(uow, { subscriptionId })))) await yieldToEventLoop();
  });
}
