import { reconcileRoute } from '../../../../contract/control/routes/analysis/reconcile.js';
import { readCsvRecords } from '../../../../analysis/answer/reconcile/read-csv.js';
import { readJsonRecords } from '../../../../analysis/answer/reconcile/read-json.js';
import { mediaTypeOf } from '../../../plane/body/json-body.js';
import type { ControlPlane } from '../../plane.js';

export function serveReconcile(plane: ControlPlane): void {
  const { reconciliations } = plane.options.analysis;
  plane.serve(reconcileRoute, async ({ query, session, context }) => {
    const isCsv = mediaTypeOf(context) === 'text/csv';
    const records = await (isCsv ? readCsvRecords(context, query) : readJsonRecords(context, query));
    session.check();
    const result = await reconciliations.run(session.world, records);
    session.check();
    return result;
  });
}
