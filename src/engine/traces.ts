import type { TraceContext } from '../domain/webhooks/trace-context.js';
import type { UnitOfWork } from '../world/unit-of-work.js';

/** Stores the trace context of the request that creates a resource, for the events that timers cause later. */
export function storeTrace(uow: UnitOfWork, resourceId: string): void {
  if (uow.trace !== null) uow.put('traces', { id: resourceId, ...uow.trace });
}

/** Returns the trace context for an event about a resource: from the current request, else from the one that created the resource. */
export function traceOf(uow: UnitOfWork, resourceId: string): TraceContext | null {
  if (!uow.settings.traceContext) return null;
  if (uow.trace !== null) return uow.trace;
  const { id: _id, ...trace } = uow.get('traces', resourceId) ?? { id: null };
  return 'traceId' in trace ? trace : null;
}
