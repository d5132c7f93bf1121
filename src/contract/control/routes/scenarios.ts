import { z } from '@hono/zod-openapi';
import { ActiveScenarioSchema, ScenarioChoiceSchema, ScenarioSummarySchema } from '../scenarios.js';
import { maxScenarioFiles, ScenarioCheckSchema, ScenarioFileSchema, ScenarioTextSchema } from '../scenario-files.js';
import { onePageMeta } from '../../shared/paging.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Scenarios';

export const listScenariosRoute = defineRoute({
  operationId: 'listScenarios',
  method: 'get',
  path: '/_sandbox/scenarios',
  tag,
  world: 'none',
  summary: 'List all scenarios',
  status: 200,
  description:
    'A mistake in a file keeps the version before in force, and the scenario from being chosen until it is mended. Files are read anew when they change.',
  response: z
    .object({
      data: z
        .array(ScenarioSummarySchema)
        .max(2 * maxScenarioFiles)
        .meta({ description: 'The scenarios that are in force.' }),
      meta: onePageMeta(),
      files: z
        .array(ScenarioFileSchema)
        .max(2 * maxScenarioFiles)
        .meta({ description: 'The files that they come from, those with mistakes among them.' }),
    })
    .openapi('Scenarios', { description: 'The scenarios that can be chosen, and the files that they come from.' }),
  errors: [],
});

export const getScenarioRoute = defineRoute({
  operationId: 'getScenario',
  method: 'get',
  path: '/_sandbox/scenario',
  tag,
  summary: 'Show the scenario of a world, with the hits of its rules',
  description: 'Its own rules and those of its ancestors, in the order in which they are tried, and how often each has decided.',
  status: 200,
  response: ActiveScenarioSchema,
  errors: ['SCENARIO_INVALID'],
});

export const putScenarioRoute = defineRoute({
  operationId: 'putScenario',
  method: 'put',
  path: '/_sandbox/scenario',
  tag,
  summary: 'Choose the scenario of a world, or bring one along',
  description: 'It decides the course of what is created from now on. The counters of its rules start at zero.',
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
  summary: 'Look at a scenario file without loading it',
  description: 'Tells its mistakes as the load of a file does, with line and column, or the rules that it would bring. Changes nothing.',
  body: ScenarioTextSchema,
  status: 200,
  response: ScenarioCheckSchema,
  errors: [],
});

/** In the order of the document. */
export const scenarioRoutes = [listScenariosRoute, getScenarioRoute, putScenarioRoute, checkScenarioRoute] as const;
