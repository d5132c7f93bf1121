import { z } from '@hono/zod-openapi';
import {
  IfExistsSchema,
  ListedWorldSchema,
  NamedWorldRequestSchema,
  ResetRequestSchema,
  RotatedCredentialsSchema,
  RotationRequestSchema,
  WorldNameSchema,
  WorldRequestSchema,
  WorldSchema,
  worldFilters,
} from '../worlds.js';
import { PageMetaSchema, WorldPageQuerySchema } from '../../shared/paging.js';
import { TokenSchema } from '../../public/tokens.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Worlds';

const params = z.object({ worldName: WorldNameSchema });

export const listWorldsRoute = defineRoute({
  operationId: 'listWorlds',
  method: 'get',
  path: '/_sandbox/worlds',
  tag,
  world: 'none',
  partners: true,
  lane: 'operator',
  summary: 'List all worlds',
  description:
    'The world `default` and all created worlds with their credentials, their last use and the verdict on their clients, sorted by name.',
  query: WorldPageQuerySchema.extend(worldFilters),
  status: 200,
  response: z
    .object({
      data: z.array(ListedWorldSchema).max(100).describe('The worlds of this page, sorted by name.'),
      meta: PageMetaSchema.describe('Cursor of the next page. The list can be read forward only: `previousCursor` is null.'),
    })
    .openapi('Worlds', { description: 'A page of worlds, and its position in the list.' }),
  errors: [],
});

export const createWorldRoute = defineRoute({
  operationId: 'createWorld',
  method: 'post',
  path: '/_sandbox/worlds',
  tag,
  world: 'none',
  lane: 'operator',
  summary: 'Create a world with its own credentials',
  description:
    'A world is an isolated sandbox with its own credentials, data, clock and scenario. The same name, seed, requests and clock changes produce the same world.',
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
  lane: 'operator',
  summary: 'Get a world',
  description: 'The world of this name, with its credentials.',
  params,
  status: 200,
  response: WorldSchema,
  errors: ['RESOURCE_NOT_FOUND'],
  client: 'world.get()',
});

export const putWorldRoute = defineRoute({
  operationId: 'putWorld',
  method: 'put',
  path: '/_sandbox/worlds/{worldName}',
  world: 'path',
  partners: false,
  tag,
  lane: 'operator',
  summary: 'Create or replace a world',
  description:
    'Creates the world. If it exists, `ifExists` decides: `keep` returns it unchanged with 200; `replace` replaces it with a new one from this body, and deletes its data and snapshots, while credentials and tokens stay valid. Without `ifExists`, the response is 409.',
  params,
  query: z.object({
    ifExists: IfExistsSchema.optional().meta({
      description: 'What happens to a world that exists. Default: it is rejected with 409.',
      example: 'keep',
    }),
  }),
  body: NamedWorldRequestSchema,
  status: 200,
  mayCreate: true,
  location: '/_sandbox/worlds/{name}',
  response: WorldSchema,
  errors: ['RESOURCE_ALREADY_EXISTS', 'RESOURCE_NOT_FOUND', 'SCENARIO_INVALID', 'RATE_LIMIT_EXCEEDED'],
});

export const deleteWorldRoute = defineRoute({
  operationId: 'deleteWorld',
  method: 'delete',
  path: '/_sandbox/worlds/{worldName}',
  tag,
  world: 'path',
  partners: false,
  lane: 'operator',
  summary: 'Delete a world and invalidate its tokens',
  description: 'Deletes the data, subscriptions and snapshots of the world. The world `default` cannot be deleted.',
  params,
  status: 204,
  response: null,
  errors: ['RESOURCE_NOT_FOUND', 'INVALID_STATUS_CHANGE'],
  cli: {
    verb: 'worlds delete',
    group: 'worlds',
    summary: 'Delete worlds.',
    args: [{ name: 'name', field: 'worldName', meaning: 'Name of the world.', isMany: true }],
    examples: [
      'crossborder-sandbox worlds create ci-worker-7 && crossborder-sandbox worlds delete ci-worker-7',
      'crossborder-sandbox worlds create one && crossborder-sandbox worlds create two && crossborder-sandbox worlds delete one two',
      'crossborder-sandbox worlds create three && crossborder-sandbox worlds delete three --quiet',
    ],
    done: 'Deleted world {worldName}.',
  },
});

export const rotateCredentialsRoute = defineRoute({
  operationId: 'rotateCredentials',
  method: 'post',
  path: '/_sandbox/worlds/{worldName}/credentials',
  tag,
  world: 'path',
  lane: 'operator',
  summary: 'Change the client secret of a world',
  description:
    'Makes a new client secret. The present one stays valid for `grace`, and at most two are valid at a time. Tokens that were issued with a secret end with it. Until the former secret ends, it signs webhooks; the header `webhook-signature` of Standard Webhooks then also has a signature of the new one. A partner may call this with its present secret only.',
  params,
  body: RotationRequestSchema,
  status: 200,
  noStore: true,
  response: RotatedCredentialsSchema,
  errors: ['RESOURCE_NOT_FOUND', 'NOT_PERMITTED'],
  client: 'world.rotateCredentials(grace?)',
  cli: {
    verb: 'worlds rotate',
    group: 'worlds',
    summary: 'Make a new client secret for a world.',
    args: [
      { name: 'name', field: 'worldName', meaning: 'Name of the world.' },
      { name: 'grace', field: 'grace', meaning: 'How long the present secret stays valid; 0s ends it. Default: 1h.', isOptional: true },
    ],
    examples: [
      'crossborder-sandbox worlds create acme && crossborder-sandbox worlds rotate acme',
      'crossborder-sandbox worlds create acme && crossborder-sandbox worlds rotate acme 0s --json',
      'crossborder-sandbox worlds create acme && crossborder-sandbox worlds rotate acme 24h',
    ],
    line: 'clientId {clientId}\nclientSecret {clientSecret}',
  },
});

export const resetWorldRoute = defineRoute({
  operationId: 'resetWorld',
  method: 'post',
  path: '/_sandbox/reset',
  tag,
  summary: 'Reset a world to its initial state',
  description:
    'Data, clock, scenario and timers return to the state at creation. Credentials and tokens stay valid. With `{"ids": "fresh"}` all resources get new ids, including those of the fixtures.',
  body: ResetRequestSchema,
  status: 200,
  response: WorldSchema,
  errors: [],
});

export const issueTokenRoute = defineRoute({
  operationId: 'issueToken',
  method: 'post',
  path: '/_sandbox/token',
  tag,
  summary: 'Get an access token for the payments API',
  description:
    'Issues a token of the world as `POST /api/oauth/client/token` does, but faults and rules do not apply, and it does not count as a request of the client.',
  status: 200,
  noStore: true,
  response: TokenSchema,
  errors: [],
  client: 'world.accessToken().accessToken',
});

/** Ids of the operations that create, replace or delete a world. */
export const worldOperations: ReadonlySet<string> = new Set(
  [createWorldRoute, putWorldRoute, deleteWorldRoute].map(({ operationId }) => operationId),
);

/** The operations of this file, in the order of the OpenAPI document. */
export const worldRoutes = [
  listWorldsRoute,
  createWorldRoute,
  getWorldRoute,
  putWorldRoute,
  deleteWorldRoute,
  rotateCredentialsRoute,
  resetWorldRoute,
  issueTokenRoute,
] as const;
