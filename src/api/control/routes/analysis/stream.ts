import { getStreamRoute, getTimelineRoute } from '../../../../contract/control/routes/analysis/stream.js';
import type { TimelineItem } from '../../../../contract/control/analysis/stream.js';
import { countMatches, timelineFilters } from '../../../../analysis/views/timeline-filters.js';
import { readPageQuery } from '../../../../domain/lists/page.js';
import { eventStream } from '../../../plane/event-stream.js';
import { page } from '../../../plane/page.js';
import { runInSlices } from '../../../../world/turns.js';
import type { ControlPlane } from '../../plane.js';

export function serveStream(plane: ControlPlane): void {
  const { stream, timeline, testMarkers } = plane.options.analysis;
  plane.serve(getStreamRoute, ({ session, query: { kinds, resourceId }, context }) => {
    plane.checkRunning();
    session.check();
    return eventStream(context, stream.read(session.world, { kinds, resourceId }, context.req.header('last-event-id')));
  });
  plane.serve(getTimelineRoute, async ({ session: { world }, query: { kinds, resourceId, test, generation, reads, counts, ...query } }) => {
    const number = generation === 'all' ? null : Number(generation ?? testMarkers.generationOf(world));
    const wanted = { kinds, resourceId, test, generation: number, hasReads: reads === 'true' };
    const scope = JSON.stringify([world.identity.name, 'timeline', [...(kinds ?? [])], resourceId, test, generation, reads]);
    const listing = timeline.list(world, wanted);
    const { data, meta } = await page(listing, query, scope, timelineFilters, ({ bodies: _bodies, ...item }): TimelineItem => item);
    if (counts === 'false') return { data, meta: { ...meta, total: null, facets: null } };
    const total = counts === 'total' && query.filters === undefined ? timeline.count(world, wanted) : null;
    if (total !== null) return { data, meta: { ...meta, total, facets: null } };
    const { passes } = readPageQuery(query, scope, timelineFilters);
    const counted = await runInSlices(countMatches(listing, passes));
    return { data, meta: { ...meta, ...counted, ...(counts === 'total' ? { facets: null } : {}) } };
  });
}
