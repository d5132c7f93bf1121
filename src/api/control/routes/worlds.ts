import type { z } from '@hono/zod-openapi';
import type { NamedWorldRequestSchema } from '../../../contract/control/worlds.js';
import { durationMs } from '../../../contract/shared/duration.js';
import { onePage } from '../../../domain/lists/page.js';
import { listedWorlds } from '../../../sandbox/listed-worlds.js';
import type { WorldRequest } from '../../../world/identity.js';
import type { IdentityRecord } from '../../../world/rows.js';
import type { World } from '../../../world/world.js';
import { partnerOf } from '../partner.js';
import { RawResponse, type ControlPlane } from '../plane.js';
import { publicUrlOf } from './status.js';
import {
  listWorldsRoute,
  createWorldRoute,
  getWorldRoute,
  putWorldRoute,
  deleteWorldRoute,
  resetWorldRoute,
  issueTokenRoute,
} from '../../../contract/control/routes/worlds.js';

function worldView({ identity, rowCount }: World) {
  return headView({ identity, rows: rowCount });
}

function headView({ identity, rows }: { identity: IdentityRecord; rows: number }) {
  const { name, customerId, companyId, clientId, clientSecret } = identity;
  return { name, customerId, companyId, credentials: { clientId, clientSecret }, rows };
}

export function serveWorlds(plane: ControlPlane): void {
  const { sandbox } = plane;
  plane.serveSandbox(listWorldsRoute, async ({ context, query }) => {
    const own = partnerOf(context);
    if (own !== undefined) return onePage([worldView(sandbox.world(own))]);
    const { worlds, nextCursor } = await listedWorlds(sandbox, query);
    return { data: worlds.map(headView), meta: { previousCursor: null, nextCursor, total: worlds.length } };
  });
  plane.serveSandbox(createWorldRoute, async ({ body }) => worldView(await sandbox.createWorld({ ...settingOf(body), name: body.name })));
  plane.serveSandbox(putWorldRoute, async ({ params: { worldName: name }, body, session }) => {
    const request = settingOf(body);
    if (!session) {
      const created = worldView(await sandbox.createWorld({ ...request, name }));
      return new RawResponse({ status: 201, body: JSON.stringify(created), headers: { Location: `/_sandbox/worlds/${name}` } });
    }
    await session.replace((world) => sandbox.recreateWorld(world, request));
    return worldView(session.world);
  });
  plane.serve(getWorldRoute, ({ session }) => worldView(session.world));
  plane.serve(deleteWorldRoute, ({ session }) => session.replace((world) => sandbox.deleteWorld(world)));
  plane.serve(issueTokenRoute, ({ session: { world }, context }) => sandbox.tokens.issue(world, publicUrlOf(plane, context)));
  plane.serve(resetWorldRoute, async ({ body, session }) => {
    await session.replace((world) => sandbox.reset(world, body.ids));
    return worldView(session.world);
  });
}

/** Converts a request body to the options of a world. */
function settingOf({ seed, clock, ttl, ...rest }: z.output<typeof NamedWorldRequestSchema>): WorldRequest {
  return {
    ...rest,
    seed: seed === undefined ? undefined : String(seed),
    clock: clock && (clock.now === undefined ? { mode: clock.mode } : { mode: clock.mode, now: clock.now }),
    ttlMs: ttl === undefined ? undefined : (durationMs(ttl) ?? 0),
  };
}
