import { listAuditRoute } from '../../../contract/control/routes/audit.js';
import type { ControlPlane } from '../plane.js';

export function serveAudit(plane: ControlPlane): void {
  const { audit } = plane.options;
  plane.serveSandbox(listAuditRoute, async ({ query }) => {
    const { entries, nextCursor } = await audit.list(query);
    return { data: entries, meta: { previousCursor: null, nextCursor, total: entries.length } };
  });
}
