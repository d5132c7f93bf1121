import { z } from '@hono/zod-openapi';
import { someText } from '../../../shared/messages/forms.js';
import { TierSchema } from '../../mirror/coverage.js';
import { FailOnSchema, ProfileSchema } from '../../mirror/profile.js';
import { ReportSchema } from '../../mirror/report.js';
import { defineRoute } from '../../../shared/route.js';

const tag = 'Mirror';

const asked = {
  format: z.enum(['json', 'markdown', 'junit', 'html', 'jws']).default('json').meta({
    description:
      'How to render it: `json` has everything, `markdown` fits a job’s summary, `junit` a test reporter, `html` a person. `jws` is the JSON signed with the key of the access tokens, so that it can be shown to others.',
  }),
  world: someText(2000)
    .optional()
    .meta({ description: 'Names of worlds, with commas between; `*` stands for any letters. All worlds when left out.', example: 'ci-*' }),
  final: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'Whether nothing more comes: what only the end of a run can show is found then, and what is open has failed.' }),
  failOn: FailOnSchema.optional().meta({
    description: 'Which findings fail it; what the profile says unless told otherwise, and `error` without one.',
    example: 'error',
  }),
  tier: TierSchema.default('core').meta({ description: 'Which coverage to show, where the profile asks for none.', example: 'core' }),
};

const described =
  'Over all chapters of the worlds, those that were deleted among them: of each of the newest 1,000 its essence is kept. Findings, coverage and, ' +
  'with a profile, its requirements make the verdict. Without any call of the public API it is INCONCLUSIVE.';

const rest = {
  tag,
  world: 'none',
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
  operationId: 'getMirrorReport',
  method: 'get',
  path: '/_sandbox/report',
  summary: 'Judge what the clients of worlds did',
  description: described,
  query: z.object({
    ...asked,
    profile: someText(64).optional().meta({ description: 'A certification profile that is shipped, to judge by.', example: 'payouts' }),
  }),
  errors: ['RESOURCE_NOT_FOUND'],
});

export const postReportRoute = defineRoute({
  ...rest,
  operationId: 'makeMirrorReport',
  method: 'post',
  path: '/_sandbox/report',
  summary: 'Judge what the clients of worlds did by a profile of your own',
  description: described,
  query: z.object(asked),
  body: ProfileSchema,
  errors: [],
});

/** In the order of the document. */
export const reportRoutes = [getReportRoute, postReportRoute] as const;
