import { type EventType, resourceOf } from '../../contract/shared/event-types.js';
import type { EventRequest } from '../../contract/control/deliveries.js';
import { type DeliveryRecord, checkResendable } from '../../domain/webhooks/delivery.js';
import { DomainError, notFound } from '../../domain/errors.js';
import type { OperationEventType } from '../../domain/operations/event.js';
import type { InstructionEventType } from '../../domain/payees/beneficiary.js';
import { assetOnDemand, instructionOnDemand, operationOnDemand, type EventOnDemand } from '../../domain/webhooks/event-on-demand.js';
import { mergedOver, syntheticEvent } from '../../domain/webhooks/synthetic-event.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';
import { requirePublicLog } from '../../engine/owners.js';
import { bodyOf, deliverTo, subscribersOf, enqueueAttempt } from '../../engine/outbox.js';

/**
 * Sends an event on demand: about a resource, or an example. Creates only deliveries, no status change. The event is marked as synthetic,
 * except if the resource has the status that causes this event.
 * @throws DomainError RESOURCE_NOT_FOUND (subscription, or the resource of `resourceId`)
 */
export function fireEvent(uow: UnitOfWork, { eventType, resourceId, subscriptionId, payload }: EventRequest): DeliveryRecord[] {
  const subscriptions =
    subscriptionId === undefined ? subscribersOf(uow, eventType) : [uow.require('subscriptions', subscriptionId, 'subscription')];
  const { event, isSynthetic } =
    resourceId === undefined
      ? { event: syntheticEvent(uow, uow.identity.customerId, eventType), isSynthetic: true }
      : eventAbout(uow, eventType, resourceId);
  const own = bodyOf(uow, event);
  const body: unknown = payload === undefined ? own : mergedOver(own, payload);
  const receivers = [...subscriptions];
  checkCopies(JSON.stringify(body).length, receivers.length);
  return deliverTo(uow, receivers, { ...event, payload: () => body }, isSynthetic);
}

/** Maximum number of characters of all webhooks for one event together, because the response contains all of them. */
const maxCopies = 1024 * 1024;

/** @throws DomainError RATE_LIMIT_EXCEEDED */
function checkCopies(characters: number, receivers: number): void {
  if (characters * receivers <= maxCopies) return;
  throw new DomainError(
    'RATE_LIMIT_EXCEEDED',
    `This event has ${characters} characters and ${receivers} subscriptions; all copies together may have at most ${maxCopies} characters. Send a smaller payload, or select one subscription with subscriptionId.`,
    { maximum: maxCopies, characters, subscriptions: receivers, permanent: true },
  );
}

/** Returns an event about a resource. @throws DomainError RESOURCE_NOT_FOUND */
function eventAbout(uow: UnitOfWork, type: EventType, resourceId: string): EventOnDemand {
  switch (resourceOf(type)) {
    case 'OPERATION':
      return operationOnDemand(uow, type as OperationEventType, uow.require('operations', resourceId, 'operation'));
    case 'ACCOUNT':
      return assetOnDemand(uow, uow.require('accounts', resourceId, 'account'));
    case 'BENEFICIARY':
      return eventAboutInstruction(uow, type as InstructionEventType, resourceId);
  }
}

/** Returns an event about a payment instruction. @param id of the instruction, or of a beneficiary for its newest instruction */
function eventAboutInstruction(uow: UnitOfWork, type: InstructionEventType, id: string): EventOnDemand {
  const own = uow.get('beneficiaries', id);
  for (const beneficiary of own ? [own] : uow.find('beneficiaries', 'instruction', id)) {
    const instruction = beneficiary.paymentInstructions.findLast((each) => own !== undefined || each.id === id);
    if (instruction) return instructionOnDemand(uow, type, beneficiary, instruction);
  }
  throw notFound('paymentInstruction', { id });
}

/**
 * Sends a delivery again, regardless of its status, with its message id and body. This attempt is not retried.
 * @throws DomainError RESOURCE_NOT_FOUND
 */
export function resendDelivery(uow: UnitOfWork, { messageId }: { messageId: string }): DeliveryRecord {
  const delivery = uow.require('deliveries', messageId, 'delivery');
  enqueueAttempt(uow, delivery, 'RESEND');
  return delivery;
}

/**
 * Sends the delivery of a failed attempt again.
 * @throws DomainError RESOURCE_NOT_FOUND (subscription, executionLog), DELIVERY_NOT_FAILED
 */
export function resendFailedAttempt(uow: UnitOfWork, place: { subscriptionId: string; executionLogId: string }): void {
  const log = requirePublicLog(uow, place);
  checkResendable(log);
  resendDelivery(uow, { messageId: log.messageId });
}
