import type { z } from '@hono/zod-openapi';
import type { WorldRequestSchema } from '../../contract/control/control.js';
import { durationMs } from '../../contract/shared/duration.js';
import type { IdentityRecord } from '../../world/rows.js';
import type { ControlPlane } from '../plane.js';
import { listWorlds, createWorld, getWorld, deleteWorld, resetWorld } from '../../contract/control/routes/worlds.js';

function worldView({ name, customerId, companyId, clientId, clientSecret }: IdentityRecord) {
  return { name, customerId, companyId, credentials: { clientId, clientSecret } };
}

export function serveWorlds(plane: ControlPlane): void {
  const { sandbox } = plane;
  plane.serveSandbox(listWorlds, () => ({ data: [...sandbox.worlds.values()].map((world) => worldView(world.identity)) }));
  plane.serveSandbox(createWorld, async ({ body }) => {
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
  plane.serve(getWorld, ({ session }) => worldView(session.world.identity));
  plane.serve(deleteWorld, ({ session }) => session.replace((world) => sandbox.deleteWorld(world)));
  plane.serve(resetWorld, async ({ session }) => {
    await session.replace((world) => sandbox.reset(world));
    return worldView(session.world.identity);
  });
}

function clockSetting(clock: z.output<typeof WorldRequestSchema>['clock']) {
  return clock && (clock.now === undefined ? { mode: clock.mode } : { mode: clock.mode, now: clock.now });
}
