import { ExplorationSchema } from '../../analysis/exploration.js';
import { defineRoute } from '../../../shared/route.js';

const tag = 'Findings';

export const putExplorationRoute = defineRoute({
  operationId: 'putExploration',
  method: 'put',
  path: '/_sandbox/exploration',
  tag,
  summary: 'Store the result of an exploration',
  description: 'The client package and the command `explore` send their result, which the report and the console show.',
  body: ExplorationSchema,
  status: 200,
  response: ExplorationSchema,
  errors: [],
  client: 'world.putExploration(result)',
});

export const getExplorationRoute = defineRoute({
  operationId: 'getExploration',
  method: 'get',
  path: '/_sandbox/exploration',
  tag,
  summary: 'Get the result of the latest exploration',
  description: 'The result is in memory and is lost on restart.',
  status: 200,
  response: ExplorationSchema,
  errors: ['RESOURCE_NOT_FOUND'],
  client: 'world.exploration()',
});

/** The operations of this file, in the order of the OpenAPI document. */
export const explorationRoutes = [putExplorationRoute, getExplorationRoute] as const;
