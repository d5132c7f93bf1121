import { getStreamRoute, getTimelineRoute } from '../../../contract/control/routes/analysis/stream.js';
import type { TimelineItem } from '../../../contract/control/analysis/stream.js';
import { eventStream } from '../../../web/event-stream.js';
import { page } from '../../../web/page.js';
import type { ControlPlane } from '../../plane.js';

export function serveStream(plane: ControlPlane): void {
  const { stream, timeline, testMarkers } = plane.options.analysis;
  plane.serve(getStreamRoute, ({ session, query: { kinds, resourceId }, context }) => {
    plane.checkRunning();
    session.check();
    return eventStream(context, stream.read(session.world, { kinds, resourceId }, context.req.header('last-event-id')));
  });
  plane.serve(getTimelineRoute, ({ session: { world }, query: { kinds, resourceId, test, generation, reads, ...query } }) => {
    const number = generation === 'all' ? null : Number(generation ?? testMarkers.generationOf(world));
    const wanted = { kinds, resourceId, test, generation: number, hasReads: reads === 'true' };
    const scope = JSON.stringify([world.identity.name, 'timeline', [...(kinds ?? [])], resourceId, test, generation, reads]);
    return page(timeline.list(world, wanted), query, scope, {}, (item): TimelineItem => item);
  });
}
