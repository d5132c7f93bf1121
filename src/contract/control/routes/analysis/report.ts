import { z } from '@hono/zod-openapi';
import { textSchema } from '../../../shared/messages/forms.js';
import { TimeToLiveSchema } from '../../../shared/duration.js';
import { SubjectSchema } from '../../analysis/client.js';
import { TierSchema } from '../../analysis/coverage.js';
import { FailOnSchema, ProfileSchema } from '../../analysis/profile.js';
import { ReportSchema } from '../../analysis/report.js';
import { defineRoute } from '../../../shared/route.js';

const tag = 'Findings';

const asked = {
  format: z.enum(['json', 'markdown', 'junit', 'html', 'jws']).default('json').meta({
    description:
      'Format of the report: `json` has all data, `markdown` is for job summaries, `junit` for test reporters, `html` for browsers. `jws` is the JSON signed with the key of the access tokens, as proof for others.',
  }),
  world: textSchema(2000)
    .optional()
    .meta({ description: 'Names of worlds, separated by commas; `*` matches any characters. Default: all worlds.', example: 'ci-*' }),
  final: z.enum(['true', 'false']).default('false').meta({
    description: 'Whether the run has ended. If true, rules report problems that only the end of a run can show, and pending items fail.',
  }),
  subject: SubjectSchema.optional().meta({
    description: 'The build that is judged: names and values, separated by commas. The report and its signature contain it.',
    example: 'commit=9fceb02,image=sha256:4e07',
  }),
  validFor: TimeToLiveSchema.default('30d').meta({ description: 'How long the report counts as evidence, in real time.', example: '30d' }),
  failOn: FailOnSchema.optional().meta({
    description: 'Severity of findings that fails the report. Default: from the profile, or `error` without a profile.',
    example: 'error',
  }),
  strict: z.enum(['true', 'false']).optional().meta({
    description: 'Whether each item in `notProven` fails the report. Default: from the profile, or false without a profile.',
    example: 'true',
  }),
  tier: TierSchema.default('core').meta({ description: 'Tier of the coverage to return if the profile requires none.', example: 'core' }),
};

const described =
  'Covers all generations of the worlds, and summaries of the newest 1,000 deleted worlds. Findings, coverage and, ' +
  'with a profile, its requirements decide the verdict. Without any request to the public API, the verdict is INCONCLUSIVE.';

const rest = {
  tag,
  world: 'none',
  partners: true,
  lane: 'operator',
  status: 200,
  response: ReportSchema,
  alsoAs: {
    'text/markdown': '# PASSED: payouts\n',
    'application/jose': 'eyJhbGciOiJSUzI1NiJ9.eyJzY2hlbWFWZXJzaW9uIjoxfQ.c2lnbmF0dXJl',
    'application/xml': '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="crossborder-sandbox">\n</testsuites>\n',
    'text/html': '<!doctype html>\n<html lang="en"><body><main><h1 class="PASSED">PASSED</h1></main></body></html>\n',
  },
} as const;

export const getReportRoute = defineRoute({
  ...rest,
  operationId: 'getClientReport',
  method: 'get',
  path: '/_sandbox/report',
  summary: 'Get a report on the clients of worlds',
  description: described,
  query: z.object({
    ...asked,
    profile: textSchema(64).optional().meta({ description: 'Name of a built-in certification profile.', example: 'payouts' }),
  }),
  errors: ['RESOURCE_NOT_FOUND'],
});

export const postReportRoute = defineRoute({
  ...rest,
  operationId: 'createClientReport',
  method: 'post',
  path: '/_sandbox/report',
  summary: 'Create a report on the clients of worlds with your own profile',
  description: described,
  query: z.object(asked),
  body: ProfileSchema,
  errors: [],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const reportRoutes = [getReportRoute, postReportRoute] as const;
