import { z } from '@hono/zod-openapi';
import { ExpectRequestSchema, ExpectedFindingSchema, FindingsSchema } from '../../analysis/findings.js';
import { defineRoute } from '../../../shared/route.js';

const tag = 'Findings';

const flag = (description: string) => z.enum(['true', 'false']).default('false').meta({ description });

export const listFindingsRoute = defineRoute({
  operationId: 'listFindings',
  method: 'get',
  path: '/_sandbox/findings',
  tag,
  summary: 'List the findings about the client',
  description:
    'Rules check requests and webhooks, and report one finding for each combination of rule, operation or event, and test, with its evidence and fix. ' +
    'If later requests disprove a finding, it is removed from the list.',
  query: z.object({
    generation: z
      .enum(['all'])
      .optional()
      .meta({ description: '`all` includes findings from before the last reset, restore or import.', example: 'all' }),
    hints: flag('Whether to include hints: suggestions that never fail a run.'),
    negative: flag(
      'Whether to list only the findings of tests that misuse the API on purpose. By default these findings are left out, except those about money that moved twice.',
    ),
    final: flag('Whether the run has ended. If true, rules also report problems that only the end of a run can show.'),
  }),
  status: 200,
  response: FindingsSchema,
  errors: [],
});

export const clearFindingsRoute = defineRoute({
  operationId: 'clearFindings',
  method: 'delete',
  path: '/_sandbox/findings',
  tag,
  summary: 'Delete the findings and the coverage of a world',
  description: 'Also deletes the data of the rules, the announced misuses and the covered items, as if the client had sent nothing so far.',
  status: 204,
  response: null,
  errors: [],
  client: 'world.clearFindings()',
  cli: {
    verb: 'findings clear',
    group: 'verdict',
    examples: [
      'crossborder-sandbox findings clear',
      'crossborder-sandbox findings clear --world default',
      'crossborder-sandbox findings clear && crossborder-sandbox findings',
    ],
    done: 'Deleted the findings of world {world}.',
  },
});

export const expectFindingRoute = defineRoute({
  operationId: 'expectFinding',
  method: 'post',
  path: '/_sandbox/findings/expect',
  tag,
  summary: 'Announce a misuse that a test makes on purpose',
  description:
    'The next findings of the rule, or of the rules that match a pattern, are EXPECTED and do not fail a run. The announcement is valid until the present test ends or begins again. The list of findings shows announced misuses that did not occur.',
  body: ExpectRequestSchema,
  status: 201,
  response: ExpectedFindingSchema,
  errors: [],
  client: 'world.expectFinding(rule, count?)',
});

/** The operations of this file, in the order of the OpenAPI document. */
export const findingRoutes = [listFindingsRoute, clearFindingsRoute, expectFindingRoute] as const;
