import { StreamItemSchema, StreamQuerySchema } from '../../mirror/stream.js';
import { defineRoute } from '../../../shared/route.js';

export const getStreamRoute = defineRoute({
  operationId: 'getStream',
  method: 'get',
  path: '/_sandbox/stream',
  tag: 'Why',
  summary: 'Read along what happens in a world',
  description:
    'Server-sent events until you hang up: the `data` of each is an item, bodies are fetched by its id. The first event is `ready`. Come back with `Last-Event-ID` and you go on where you broke off: the newest 2,000 items are kept while somebody reads, and for a minute after. What is no longer there, or went by while a reader was 1 MiB behind, is told by an event `gap` with the numbers `from` (null when that is not known) and `to`. A comment comes every 15 seconds when nothing else does. An open stream counts as a call for the `ttl` of the world.',
  query: StreamQuerySchema,
  status: 200,
  eventStream: true,
  response: StreamItemSchema,
  errors: ['RATE_LIMIT_EXCEEDED'],
});

/** In the order of the document. */
export const streamRoutes = [getStreamRoute] as const;
