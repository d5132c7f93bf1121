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
 * Sends an event that did not happen: the current state of a resource, or an example. Only creates deliveries.
 * @throws DomainError RESOURCE_NOT_FOUND (subscription, or the resource of `resourceId`)
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

/** Maximum characters of all webhooks of one event together, because the response contains each of them. */
const maxCopies = 4 * 1024 * 1024;

/** @throws DomainError RATE_LIMIT_EXCEEDED */
function checkCopies(characters: number, receivers: number): void {
  if (characters * receivers <= maxCopies) return;
  throw new DomainError(
    'RATE_LIMIT_EXCEEDED',
    `This event has ${characters} characters and ${receivers} subscriptions; all copies together may have at most ${maxCopies} characters. Send a smaller payload, or select one subscription with subscriptionId.`,
    { maximum: maxCopies, characters, subscriptions: receivers },
  );
}

/** Creates the event from the current state of its resource. */
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

/** Creates the event of an instruction, or of the newest instruction of a beneficiary. */
function presentInstruction(uow: UnitOfWork, type: Extract<EventType, `BENEFICIARY_${string}`>, id: string): DomainEvent {
  const own = uow.get('beneficiaries', id);
  for (const beneficiary of own ? [own] : uow.find('beneficiaries', 'instruction', id)) {
    const instruction = beneficiary.paymentInstructions.findLast((each) => own !== undefined || each.id === id);
    if (instruction) return instructionEvent(uow, type, beneficiary, instruction);
  }
  throw notFound('paymentInstruction', { id });
}
