import { z } from '@hono/zod-openapi';
import { WorldNameSchema, WorldRequestSchema, WorldSchema } from '../../contract/control/control.js';
import { durationMs } from '../../contract/shared/duration.js';
import { defineRoute } from '../../web/route.js';
import type { IdentityRecord } from '../../world/rows.js';
import type { ControlPlane } from '../plane.js';

const tag = 'Worlds';
const params = z.object({ worldName: WorldNameSchema });

const listWorlds = defineRoute({
  operationId: 'listWorlds',
  method: 'get',
  path: '/_sandbox/worlds',
  tag,
  summary: 'List all worlds',
  status: 200,
  response: z.object({ data: z.array(WorldSchema) }).openapi('Worlds'),
  errors: [],
});

const createWorld = defineRoute({
  operationId: 'createWorld',
  method: 'post',
  path: '/_sandbox/worlds',
  tag,
  summary: 'Make a world with credentials of its own',
  description:
    'A world is all that one client credential sees: data, clock, scenario. The same name, seed, calls and clock moves make the same world.',
  body: WorldRequestSchema,
  status: 201,
  response: WorldSchema,
  errors: ['RESOURCE_ALREADY_EXISTS', 'RESOURCE_NOT_FOUND', 'SCENARIO_INVALID', 'RATE_LIMIT_EXCEEDED'],
});

const getWorld = defineRoute({
  operationId: 'getWorld',
  method: 'get',
  path: '/_sandbox/worlds/{worldName}',
  tag,
  summary: 'Get a world',
  params,
  status: 200,
  response: WorldSchema,
  errors: ['RESOURCE_NOT_FOUND'],
});

const deleteWorld = defineRoute({
  operationId: 'deleteWorld',
  method: 'delete',
  path: '/_sandbox/worlds/{worldName}',
  tag,
  summary: 'Delete a world; its tokens are void from then on',
  params,
  status: 204,
  response: null,
  errors: ['RESOURCE_NOT_FOUND', 'INVALID_STATUS_CHANGE'],
});

const resetWorld = defineRoute({
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

function worldView({ name, customerId, companyId, clientId, clientSecret }: IdentityRecord) {
  return { name, customerId, companyId, credentials: { clientId, clientSecret } };
}

export function serveWorlds(plane: ControlPlane): void {
  const { sandbox } = plane;
  plane.serve(listWorlds, () => ({ data: [...sandbox.worlds.values()].map((world) => worldView(world.identity)) }));
  plane.serve(createWorld, async ({ body }) => {
    const seed = body.seed === undefined ? undefined : String(body.seed);
    return worldView(
      (
        await sandbox.createWorld({
          ...body,
          seed,
          clock: clockSetting(body.clock),
          ttlMs: body.ttl === undefined ? undefined : (durationMs(body.ttl) ?? 0),
        })
      ).identity,
    );
  });
  plane.serve(getWorld, ({ params: { worldName: name } }) => worldView(sandbox.world(name).identity));
  plane.serve(deleteWorld, ({ params: { worldName: name } }) => sandbox.deleteWorld(sandbox.world(name)));
  plane.serve(resetWorld, async ({ world }) => {
    await sandbox.reset(world());
    return worldView(world().identity);
  });
}

function clockSetting(clock: z.output<typeof WorldRequestSchema>['clock']) {
  return clock && (clock.now === undefined ? { mode: clock.mode } : { mode: clock.mode, now: clock.now });
}
