import { nearestName } from '../contract/shared/messages/nearest.js';
import type { ErrorCode } from '../contract/shared/error-codes.js';
import { maxErrorItems, type ErrorItem } from '../contract/shared/errors.js';

/** An error with a stable code. It rolls back the unit of work in which it is thrown. */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

/** Returns the error for a request with invalid fields. It lists at most {@link maxErrorItems} of them and counts the rest. */
export function invalidData(items: readonly ErrorItem[]): DomainError {
  const message = items.length === 1 ? items[0]!.message : `${items.length} fields of the request are invalid.`;
  const omitted = items.length - maxErrorItems;
  return new DomainError('INVALID_DATA', message, { errors: items.slice(0, maxErrorItems), ...(omitted > 0 ? { omitted } : {}) });
}

/** Returns the name of a resource for a sentence: `payment instruction` for `paymentInstruction`. */
export function humanize(resource: string): string {
  return resource === 'ubo' ? 'beneficial owner' : resource.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Returns the name of a resource for the details of an error: `PaymentInstruction` for `paymentInstruction`. */
export function resourceName(resource: string): string {
  return `${resource.slice(0, 1).toUpperCase()}${resource.slice(1)}`;
}

/**
 * Returns the error for a resource that does not exist, or that belongs to another customer.
 * @param names existing names, if the resource has a name; the error suggests the most similar one
 */
export function notFound(resource: string, parameters: Record<string, unknown>, names: Iterable<string> = []): DomainError {
  const named = Object.entries(parameters).map(([name, value]) => `${name} ${String(value)}`);
  const nearest = nearestName(String(parameters['name']), names);
  const meant = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return new DomainError('RESOURCE_NOT_FOUND', `There is no ${humanize(resource)} with ${named.join(', ')}.${meant}`, {
    resource: resourceName(resource),
    parameters,
    ...(nearest === undefined ? {} : { nearest }),
  });
}

/** Returns the error for a new world with the name of an existing one. */
export function worldExists(name: string): DomainError {
  const path = `PUT /_sandbox/worlds/${name}`;
  const message = `World ${name} already exists. ${path}?ifExists=keep returns it unchanged; ${path}?ifExists=replace creates it again, and its data is lost.`;
  return new DomainError('RESOURCE_ALREADY_EXISTS', message, { resource: 'World', name });
}
