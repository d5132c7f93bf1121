import { reportOn } from '../../domain/operations/report.js';
import type { PublicPlane } from '../plane.js';
import { getReportRoute } from '../../contract/public/routes/reports.js';

export function serveReports(plane: PublicPlane): void {
  plane.serveRead(getReportRoute, (view, { query: { periodStart, periodEnd, filters } }) =>
    reportOn(view.flows, { start: periodStart, end: periodEnd }, filters),
  );
}
