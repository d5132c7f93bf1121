import { z } from '@hono/zod-openapi';
import {
  maxTimelineItems,
  StreamItemSchema,
  StreamQuerySchema,
  TimelineItemSchema,
  TimelineMetaSchema,
  timelinePage,
  timelineQuery,
} from '../../analysis/stream.js';
import { pageQuery } from '../../../shared/filters.js';
import { defineRoute } from '../../../shared/route.js';

export const getStreamRoute = defineRoute({
  operationId: 'getStream',
  method: 'get',
  path: '/_sandbox/stream',
  tag: 'Why',
  summary: 'Stream the events of a world',
  description:
    'Server-sent events until you disconnect. The first event is `ready`. The `data` of each other event is an item without bodies; use the id of the item to get them. Reconnect with `Last-Event-ID` to continue: the newest 2,000 items are stored while a client is connected, and for one minute after. Items that were evicted, or skipped because a client was 1 MiB behind, are reported by an event `gap` with the numbers `from` (null if unknown) and `to`. A comment is sent after 15 seconds without items. An open stream counts as a request for the `ttl` of the world.',
  query: StreamQuerySchema,
  status: 200,
  eventStream: true,
  response: StreamItemSchema,
  errors: ['RATE_LIMIT_EXCEEDED'],
});

export const getTimelineRoute = defineRoute({
  operationId: 'getTimeline',
  method: 'get',
  path: '/_sandbox/timeline',
  tag: 'Why',
  summary: 'List the events of a world, in order',
  description:
    'Requests, changes of status, deliveries and attempts, postings, findings and test markers, newest first: the items of the stream, as far as they are stored with the recorded requests. ' +
    'Each item comes after its cause. The list is empty if recording is off. The oldest items are evicted when the memory for items is full.',
  query: pageQuery('timeline').extend(timelineQuery).extend(timelinePage),
  status: 200,
  response: z
    .object({
      data: z.array(TimelineItemSchema).max(maxTimelineItems).describe('The items of this page, in the requested order.'),
      meta: TimelineMetaSchema.describe('Cursors of the pages before and after, and counts.'),
    })
    .openapi('TimelineItemPage', {
      description: 'A page of items in causal order, with counts over all matching items.',
    }),
  errors: ['INVALID_FILTER_FORMAT'],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const streamRoutes = [getStreamRoute, getTimelineRoute] as const;
