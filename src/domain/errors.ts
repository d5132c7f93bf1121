import { nearestName } from '../contract/shared/messages/nearest.js';
import type { ErrorCode } from '../contract/shared/error-codes.js';
import { maxErrorItems, type ErrorItem } from '../contract/shared/errors.js';

/** A refusal with a stable code. It drops the unit of work it is thrown in; nothing that unit did remains. */
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

/** The refusal of a request whose fields are wrong: the first {@link maxErrorItems} of them, and how many more there are. */
export function invalidData(items: readonly ErrorItem[]): DomainError {
  const message = items.length === 1 ? items[0]!.message : `${items.length} fields of the request are invalid.`;
  const omitted = items.length - maxErrorItems;
  return new DomainError('INVALID_DATA', message, { errors: items.slice(0, maxErrorItems), ...(omitted > 0 ? { omitted } : {}) });
}

/** The name of a resource in a sentence: `payment instruction` for `paymentInstruction`. */
export function spoken(resource: string): string {
  return resource === 'ubo' ? 'beneficial owner' : resource.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The name of a resource in the details of a refusal: `PaymentInstruction` for `paymentInstruction`. */
export function resourceName(resource: string): string {
  return `${resource.slice(0, 1).toUpperCase()}${resource.slice(1)}`;
}

/**
 * The refusal for a resource that does not exist, or that belongs to somebody else, which must look the same.
 * @param names those that there are, where the resource goes by a name; the nearest is told
 */
export function notFound(resource: string, parameters: Record<string, unknown>, names: Iterable<string> = []): DomainError {
  const named = Object.entries(parameters).map(([name, value]) => `${name} ${String(value)}`);
  const nearest = nearestName(String(parameters['name']), names);
  const meant = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return new DomainError('RESOURCE_NOT_FOUND', `There is no ${spoken(resource)} with ${named.join(', ')}.${meant}`, {
    resource: resourceName(resource),
    parameters,
    ...(nearest === undefined ? {} : { nearest }),
  });
}
