import { createDelivery, matches } from '../domain/delivery.js';
import type { DomainEvent } from '../domain/event.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Owes each event to every subscription that asked for it, in the same commit as what caused it. */
export function publish(uow: UnitOfWork, events: readonly DomainEvent[]): void {
  for (const event of events) {
    for (const subscription of uow.rows('subscriptions')) {
      if (!matches(subscription, event.type)) continue;
      const delivery = createDelivery(uow, subscription, event, uow.count('delivery'));
      uow.put('deliveries', delivery);
      uow.put('outbox', { id: delivery.id, subscriptionId: subscription.id, first: true });
    }
  }
}
