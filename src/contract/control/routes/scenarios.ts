import { z } from '@hono/zod-openapi';
import { ActiveScenarioSchema, ScenarioChoiceSchema, ScenarioSummarySchema } from '../scenarios.js';
import {
  maxScenarioFiles,
  ScenarioCheckSchema,
  ScenarioFileSchema,
  ScenarioSourceSchema,
  ScenarioTextSchema,
  ScenarioTrialsSchema,
} from '../scenario-files.js';
import { onePageMeta } from '../../shared/paging.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Scenarios';

export const listScenariosRoute = defineRoute({
  operationId: 'listScenarios',
  method: 'get',
  path: '/_sandbox/scenarios',
  tag,
  world: 'none',
  partners: true,
  summary: 'List all scenarios',
  status: 200,
  description:
    'If a file has errors, its previous version stays active, and no world can select its scenario until the errors are fixed. Changed files are read again automatically.',
  response: z
    .object({
      data: z
        .array(ScenarioSummarySchema)
        .max(2 * maxScenarioFiles)
        .meta({ description: 'The active scenarios.' }),
      meta: onePageMeta(),
      files: z
        .array(ScenarioFileSchema)
        .max(2 * maxScenarioFiles)
        .meta({ description: 'The scenario files, including files with errors.' }),
      directory: z.string().nullable().meta({
        description: 'Directory in which `POST /_sandbox/scenarios` saves files; null if none is configured.',
        example: 'scenarios',
      }),
    })
    .openapi('Scenarios', { description: 'The available scenarios and their files.' }),
  errors: [],
  client: 'sandbox.scenarios()',
});

export const getScenarioRoute = defineRoute({
  operationId: 'getScenario',
  method: 'get',
  path: '/_sandbox/scenario',
  tag,
  summary: 'Get the scenario of a world, with the hits of its rules',
  description: 'The rules of the scenario and of those that it extends, in matching order, and how often each has matched.',
  status: 200,
  response: ActiveScenarioSchema,
  errors: ['SCENARIO_INVALID'],
  client: 'scenario.get()',
});

export const putScenarioRoute = defineRoute({
  operationId: 'putScenario',
  method: 'put',
  path: '/_sandbox/scenario',
  tag,
  summary: 'Set the scenario of a world, by name or as a definition',
  description:
    'Applies to resources created after this request. The hit counters of the rules start at zero. The name of the definition that the world already uses keeps it, so that clients can send back the response of the GET.',
  body: ScenarioChoiceSchema,
  status: 200,
  response: ActiveScenarioSchema,
  errors: ['SCENARIO_INVALID'],
});

export const checkScenarioRoute = defineRoute({
  operationId: 'checkScenario',
  method: 'post',
  path: '/_sandbox/scenarios/check',
  tag,
  world: 'none',
  partners: true,
  summary: 'Check a scenario file without loading it',
  description: 'Returns the errors with line and column, as when the file is loaded, or the rules of the file. Changes nothing.',
  body: ScenarioTextSchema,
  status: 200,
  response: ScenarioCheckSchema,
  errors: [],
  client: 'sandbox.checkScenario(text, file?)',
});

export const tryScenarioRoute = defineRoute({
  operationId: 'tryScenario',
  method: 'post',
  path: '/_sandbox/scenario/trial',
  tag,
  summary: 'Try a scenario on past requests, webhooks and resources',
  description:
    'Returns the rule that would have applied to each recent request, webhook attempt and resource, as if the scenario had been set before the oldest of them. Resources are tested in their present state. Faults and rate limits are ignored. Changes nothing.',
  body: ScenarioTextSchema,
  status: 200,
  response: ScenarioTrialsSchema,
  errors: [],
  client: 'scenario.try(text, file?)',
});

export const saveScenarioRoute = defineRoute({
  operationId: 'saveScenario',
  method: 'post',
  path: '/_sandbox/scenarios',
  tag,
  world: 'none',
  summary: 'Save a scenario as a file in the scenario directory',
  description:
    'Writes the file to the directory of `SANDBOX_SCENARIOS_DIR` and loads it. If the scenario already exists, the request needs `replace`. A file of the scenario in the directory is then replaced. Worlds that use the scenario by name then use the new version.',
  body: ScenarioSourceSchema,
  status: 200,
  response: ScenarioFileSchema,
  errors: ['SCENARIO_INVALID', 'RESOURCE_NOT_FOUND', 'RESOURCE_ALREADY_EXISTS', 'RATE_LIMIT_EXCEEDED'],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const scenarioRoutes = [
  listScenariosRoute,
  getScenarioRoute,
  putScenarioRoute,
  checkScenarioRoute,
  tryScenarioRoute,
  saveScenarioRoute,
] as const;
