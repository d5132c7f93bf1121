import type { EventRequest } from '../../contract/control/deliveries.js';
import type { EventType } from '../../contract/public/webhooks.js';
import { assetActivated } from '../../domain/accounts/asset-event.js';
import { instructionEvent } from '../../domain/payees/beneficiary.js';
import type { DeliveryRecord } from '../../domain/webhooks/delivery.js';
import { DomainError, notFound } from '../../domain/errors.js';
import { resourceOf, type DomainEvent } from '../../domain/event.js';
import { operationEvent } from '../../domain/operations/event.js';
import { mergedOver, syntheticEvent } from '../../domain/webhooks/synthetic-event.js';
import { deliverTo, subscribersOf } from '../../engine/outbox.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/**
 * Sends an event that has not happened: the present state of a resource, or an example. Nothing but deliveries comes of it.
 * @throws DomainError RESOURCE_NOT_FOUND (subscription, or what `resourceId` should name)
 */
export function fireEvent(uow: UnitOfWork, { eventType, resourceId, subscriptionId, payload }: EventRequest): DeliveryRecord[] {
  const subscriptions =
    subscriptionId === undefined ? subscribersOf(uow, eventType) : [uow.require('subscriptions', subscriptionId, 'subscription')];
  const event =
    resourceId === undefined ? syntheticEvent(uow, uow.identity.customerId, eventType) : presentEvent(uow, eventType, resourceId);
  const body: unknown = payload === undefined ? event.payload() : mergedOver(event.payload(), payload);
  const receivers = [...subscriptions];
  checkCopies(JSON.stringify(body).length, receivers.length);
  return deliverTo(uow, receivers, { ...event, payload: () => body }, resourceId === undefined);
}

/** How many characters all webhooks of one event have together at most: the response shows each of them. */
const maxCopies = 4 * 1024 * 1024;

/** @throws DomainError RATE_LIMIT_EXCEEDED */
function checkCopies(characters: number, receivers: number): void {
  if (characters * receivers <= maxCopies) return;
  throw new DomainError(
    'RATE_LIMIT_EXCEEDED',
    `This event has ${characters} characters and would go to ${receivers} subscriptions; together these may have at most ${maxCopies}. Make the payload smaller, or name one subscription with subscriptionId.`,
    { maximum: maxCopies, characters, subscriptions: receivers },
  );
}

/** The event as the present state of its resource makes it. */
function presentEvent(uow: UnitOfWork, type: EventType, resourceId: string): DomainEvent {
  switch (resourceOf(type)) {
    case 'OPERATION':
      return operationEvent(uow, type as Extract<EventType, `OPERATION_${string}`>, uow.require('operations', resourceId, 'operation'));
    case 'ACCOUNT': {
      const account = uow.require('accounts', resourceId, 'account');
      const active = account.assets.filter((each) => each.status === 'ACTIVE').map((each) => each.asset);
      return assetActivated(uow, account, active);
    }
    case 'BENEFICIARY':
      return presentInstruction(uow, type as Extract<EventType, `BENEFICIARY_${string}`>, resourceId);
  }
}

/** The event of an instruction, or of the newest instruction of a beneficiary. */
function presentInstruction(uow: UnitOfWork, type: Extract<EventType, `BENEFICIARY_${string}`>, id: string): DomainEvent {
  const own = uow.get('beneficiaries', id);
  for (const beneficiary of own ? [own] : uow.find('beneficiaries', 'instruction', id)) {
    const instruction = beneficiary.paymentInstructions.findLast((each) => own !== undefined || each.id === id);
    if (instruction) return instructionEvent(uow, type, beneficiary, instruction);
  }
  throw notFound('paymentInstruction', { id });
}
