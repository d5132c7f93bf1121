import { ReportQuerySchema, ReportSchema } from '../reports.js';
import { defineRoute } from '../../shared/route.js';

export const getReportRoute = defineRoute({
  operationId: 'getReport',
  method: 'get',
  path: '/api/reports',
  tag: 'Reports',
  summary: 'Get incoming and outgoing totals by asset',
  description:
    'Counts operations that settled in the period: deposits and withdrawals, both sides of swaps, and transfers once for each of the two accounts.',
  query: ReportQuerySchema,
  status: 200,
  response: ReportSchema,
  errors: ['INVALID_FILTER_FORMAT'],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const reportRoutes = [getReportRoute] as const;
