import { ReportQuerySchema, ReportSchema } from '../../contract/public/reports.js';
import { reportOn } from '../../domain/operations/report.js';
import { defineRoute } from '../../web/route.js';
import type { PublicPlane } from '../plane.js';

const getReportRoute = defineRoute({
  operationId: 'getReport',
  method: 'get',
  path: '/api/reports',
  tag: 'Reports',
  summary: 'Sum up what came in and went out, by asset',
  description:
    'Counts operations that settled in the period: deposits and withdrawals, both sides of swaps, and transfers once for each of the two accounts.',
  query: ReportQuerySchema,
  status: 200,
  response: ReportSchema,
  errors: ['INVALID_FILTER_FORMAT'],
});

export function serveReports(plane: PublicPlane): void {
  plane.serve(getReportRoute, (uow, { query: { periodStart, periodEnd, filters } }) =>
    reportOn(uow.flows, { start: periodStart, end: periodEnd }, filters),
  );
}
