import { StreamItemSchema, StreamQuerySchema } from '../../mirror/stream.js';
import { defineRoute } from '../../../shared/route.js';

export const getStreamRoute = defineRoute({
  operationId: 'getStream',
  method: 'get',
  path: '/_sandbox/stream',
  tag: 'Why',
  summary: 'Stream the events of a world',
  description:
    'Server-sent events until you disconnect. The first event is `ready`. The `data` of each other event is an item; get its body by its id. Reconnect with `Last-Event-ID` to continue: the newest 2,000 items are stored while a client is connected, and for one minute after. Items that were evicted, or skipped because a client was 1 MiB behind, are reported by an event `gap` with the numbers `from` (null if unknown) and `to`. A comment is sent after 15 seconds without items. An open stream counts as a request for the `ttl` of the world.',
  query: StreamQuerySchema,
  status: 200,
  eventStream: true,
  response: StreamItemSchema,
  errors: ['RATE_LIMIT_EXCEEDED'],
});

/** In the order of the OpenAPI document. */
export const streamRoutes = [getStreamRoute] as const;
