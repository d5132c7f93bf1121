import { reportOn } from '../../../domain/operations/report.js';
import { runInSlices } from '../../../world/turns.js';
import type { PublicPlane } from '../plane.js';
import { getReportRoute } from '../../../contract/public/routes/reports.js';

export function serveReports(plane: PublicPlane): void {
  plane.serveRead(getReportRoute, (view, { query: { periodStart, periodEnd, filters } }) =>
    runInSlices(reportOn(view.rows('operations'), { start: periodStart, end: periodEnd }, filters)),
  );
}
