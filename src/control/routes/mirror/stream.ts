import { getStreamRoute } from '../../../contract/control/routes/mirror/stream.js';
import { eventStream } from '../../../web/event-stream.js';
import type { ControlPlane } from '../../plane.js';

export function serveStream(plane: ControlPlane): void {
  plane.serve(getStreamRoute, ({ session, query: { kinds, resourceId }, context }) => {
    plane.checkRunning();
    session.check();
    return eventStream(context, plane.options.stream.read(session.world, { kinds, resourceId }, context.req.header('last-event-id')));
  });
}
