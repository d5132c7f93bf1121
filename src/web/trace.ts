import type { Context } from 'hono';
import { traceIn, type TraceContext } from '../domain/webhooks/trace-context.js';

/** Returns the trace context of a request; null without a valid one. */
export function traceOf({ req }: Context): TraceContext | null {
  const parent = req.header('traceparent');
  return parent === undefined ? null : traceIn(parent, req.header('tracestate'));
}
