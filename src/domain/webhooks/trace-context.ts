/** The trace context of a request, as W3C Trace Context defines it. */
export interface TraceContext {
  /** Trace id: 32 hexadecimal digits. */
  readonly traceId: string;
  /** Trace flags: two hexadecimal digits. */
  readonly flags: string;
  /** The header `tracestate`. Default: none. */
  readonly state?: string;
}

/** Maximum length of `tracestate`, in characters. */
const maxState = 512;

const parentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{0,512})?$/;

/** Returns the trace context of request headers; null without a valid `traceparent`. A `tracestate` beyond 512 characters is ignored. */
export function traceIn(traceparent: string | undefined, tracestate: string | undefined): TraceContext | null {
  const [, version = 'ff', traceId = '', parentId = '', flags = '', rest] = parentPattern.exec(traceparent ?? '') ?? [];
  if (version === 'ff' || (version === '00' && rest !== undefined) || /^0+$/.test(traceId) || /^0+$/.test(parentId)) return null;
  const isKept = tracestate !== undefined && tracestate.length > 0 && tracestate.length <= maxState && /^[\x20-\x7e]*$/.test(tracestate);
  return { traceId, flags, ...(isKept ? { state: tracestate } : {}) };
}

/** Returns the headers of an attempt. @param attemptId UUID of the attempt, which determines its span id */
export function traceHeaders({ traceId, flags, state }: TraceContext, attemptId: string): Record<string, string> {
  const spanId = attemptId.replaceAll('-', '').slice(0, 16);
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(state === undefined ? {} : { tracestate: state }) };
}
