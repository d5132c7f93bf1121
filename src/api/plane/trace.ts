import type { Context } from 'hono';
import { headerIn } from './body/body.js';
import { traceIn, type TraceContext } from '../../domain/webhooks/trace-context.js';

/** Returns the trace context of a request; null without a valid one. */
export function traceOf(c: Context): TraceContext | null {
  const parent = headerIn(c, 'traceparent');
  return parent === undefined ? null : traceIn(parent, headerIn(c, 'tracestate'));
}
