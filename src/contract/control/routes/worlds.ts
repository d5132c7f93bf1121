import { z } from '@hono/zod-openapi';
import { NamedWorldRequestSchema, WorldNameSchema, WorldRequestSchema, WorldSchema } from '../worlds.js';
import { PageMetaSchema, WorldPageQuerySchema } from '../../shared/paging.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Worlds';

const params = z.object({ worldName: WorldNameSchema });

export const listWorldsRoute = defineRoute({
  operationId: 'listWorlds',
  method: 'get',
  path: '/_sandbox/worlds',
  tag,
  world: 'none',
  summary: 'List all worlds',
  description: 'The world `default`, and those that were made, with their credentials, in the order of their names.',
  query: WorldPageQuerySchema,
  status: 200,
  response: z
    .object({
      data: z.array(WorldSchema).max(100).describe('The worlds of this page, in the order of their names.'),
      meta: PageMetaSchema.describe('How to go on from here. The list is read forward only: `previousCursor` is null.'),
    })
    .openapi('Worlds', { description: 'A page of worlds, and where it lies in the list.' }),
  errors: [],
});

export const createWorldRoute = defineRoute({
  operationId: 'createWorld',
  method: 'post',
  path: '/_sandbox/worlds',
  tag,
  world: 'none',
  summary: 'Make a world with credentials of its own',
  description:
    'A world is all that one client credential sees: data, clock, scenario. The same name, seed, calls and clock moves make the same world.',
  body: WorldRequestSchema,
  status: 201,
  location: '/_sandbox/worlds/{name}',
  response: WorldSchema,
  errors: ['RESOURCE_ALREADY_EXISTS', 'RESOURCE_NOT_FOUND', 'SCENARIO_INVALID'],
});

export const getWorldRoute = defineRoute({
  operationId: 'getWorld',
  method: 'get',
  path: '/_sandbox/worlds/{worldName}',
  tag,
  world: 'path',
  summary: 'Get a world',
  description: 'The world of this name, with its credentials.',
  params,
  status: 200,
  response: WorldSchema,
  errors: ['RESOURCE_NOT_FOUND'],
});

export const putWorldRoute = defineRoute({
  operationId: 'putWorld',
  method: 'put',
  path: '/_sandbox/worlds/{worldName}',
  world: 'path',
  tag,
  summary: 'Make a world of this name, or make the one that there is anew',
  description:
    'So that a job can run again: what was in the world is gone, its snapshots too, and it is as if just created from this body. Its credentials and tokens stay good.',
  params,
  body: NamedWorldRequestSchema,
  status: 200,
  mayCreate: true,
  location: '/_sandbox/worlds/{name}',
  response: WorldSchema,
  errors: ['RESOURCE_NOT_FOUND', 'SCENARIO_INVALID', 'RATE_LIMIT_EXCEEDED'],
});

export const deleteWorldRoute = defineRoute({
  operationId: 'deleteWorld',
  method: 'delete',
  path: '/_sandbox/worlds/{worldName}',
  tag,
  world: 'path',
  summary: 'Delete a world; its tokens are void from then on',
  description: 'All of it is gone: data, subscriptions, snapshots. The world `default` cannot be deleted.',
  params,
  status: 204,
  response: null,
  errors: ['RESOURCE_NOT_FOUND', 'INVALID_STATUS_CHANGE'],
});

export const resetWorldRoute = defineRoute({
  operationId: 'resetWorld',
  method: 'post',
  path: '/_sandbox/reset',
  tag,
  summary: 'Put a world back to what it was created as',
  description: 'Its data, clock, scenario and timers start again. Its credentials and tokens stay good.',
  status: 200,
  response: WorldSchema,
  errors: [],
});

/** In the order of the document. */
export const worldRoutes = [listWorldsRoute, createWorldRoute, getWorldRoute, putWorldRoute, deleteWorldRoute, resetWorldRoute] as const;
