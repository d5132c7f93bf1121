import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { NamedWorldRequestSchema } from '../../../contract/control/worlds.js';
import { durationMs, durationText } from '../../../contract/shared/duration-text.js';
import { DomainError, invalidData, worldExists } from '../../../domain/errors.js';
import { onePage } from '../../../domain/lists/page.js';
import { listedWorld, listedWorlds, type ListedWorld } from '../../../sandbox/listed-worlds.js';
import type { WorldRequest } from '../../../world/identity.js';
import type { IdentityRecord } from '../../../world/rows.js';
import type { World } from '../../../world/world.js';
import { partnerOf, partnerSecretOf } from '../partner.js';
import { RawResponse, type ControlPlane } from '../plane.js';
import { publicUrlOf } from './status.js';
import {
  listWorldsRoute,
  createWorldRoute,
  getWorldRoute,
  putWorldRoute,
  deleteWorldRoute,
  rotateCredentialsRoute,
  resetWorldRoute,
  issueTokenRoute,
} from '../../../contract/control/routes/worlds.js';

/** Returns a world with the secret of the caller: a partner's former secret, while it is valid, must not reveal the new one. */
function worldView({ identity, rowCount }: World, context: Context) {
  const clientSecret = partnerSecretOf(context) ?? identity.clientSecret;
  return headView({ identity: { ...identity, clientSecret }, rows: rowCount });
}

const overviewOf = ({ lastUsedAt, node, bytes, verdict }: ListedWorld) => ({ lastUsedAt, node, bytes, verdict });

function headView({ identity, rows }: { identity: IdentityRecord; rows: number }) {
  const { name, customerId, companyId, clientId, clientSecret, seed, scenario, fixtures, clock, ttlMs } = identity;
  const ttl = ttlMs === undefined ? {} : { ttl: durationText(ttlMs) };
  return { name, customerId, companyId, credentials: { clientId, clientSecret }, seed, scenario, fixtures, clock, ...ttl, rows };
}

export function serveWorlds(plane: ControlPlane): void {
  const { sandbox } = plane;
  plane.serveSandbox(listWorldsRoute, async ({ context, query }) => {
    const own = partnerOf(context);
    const verdictOf = (world: World) => plane.options.analysis.reports.verdictOf(world);
    if (own !== undefined) {
      const world = sandbox.world(own);
      return onePage([{ ...overviewOf(listedWorld(world, verdictOf)), ...worldView(world, context) }]);
    }
    const { worlds, nextCursor } = await listedWorlds(sandbox, query, verdictOf);
    return {
      data: worlds.map((each) => ({ ...headView(each), ...overviewOf(each) })),
      meta: { previousCursor: null, nextCursor, total: worlds.length },
    };
  });
  plane.serveSandbox(createWorldRoute, async ({ body, context }) =>
    worldView(await sandbox.createWorld({ ...settingOf(body), name: body.name }), context),
  );
  plane.serveSandbox(putWorldRoute, async ({ params: { worldName: name }, query: { ifExists }, body, session, context }) => {
    if (body.name !== undefined && body.name !== name) throw otherName(name, body.name);
    const request = settingOf({ ...body, name });
    if (!session) {
      const { world, isNew } = await sandbox.ensureWorld({ ...request, name });
      if (isNew)
        return new RawResponse({
          status: 201,
          body: JSON.stringify(worldView(world, context)),
          headers: { Location: `/_sandbox/worlds/${name}` },
        });
      if (ifExists === 'replace') await sandbox.recreateWorld(world, request);
      if (ifExists !== undefined) return worldView(world, context);
    }
    if (!session || ifExists === undefined) throw worldExists(name);
    session.check();
    if (ifExists === 'replace') await session.replace((world) => sandbox.recreateWorld(world, request));
    return worldView(session.world, context);
  });
  plane.serve(getWorldRoute, ({ session, context }) => worldView(session.world, context));
  plane.serve(deleteWorldRoute, ({ session }) => session.replace((world) => sandbox.deleteWorld(world)));
  plane.serve(rotateCredentialsRoute, async ({ body: { grace }, session, context }) => {
    const { clientId, clientSecret: present } = session.world.identity;
    if ((partnerSecretOf(context) ?? present) !== present)
      throw new DomainError(
        'NOT_PERMITTED',
        'The former client secret cannot change credentials. Use the present one, or the control token.',
      );
    const untilMs = await sandbox.rotateCredentials(session, durationMs(grace) ?? 0);
    const { clientSecret } = session.world.identity;
    return { clientId, clientSecret, formerValidUntil: untilMs === null ? null : new Date(untilMs).toISOString() };
  });
  plane.serve(issueTokenRoute, ({ session: { world }, context }) =>
    sandbox.tokens.issue(world, publicUrlOf(plane, context), partnerSecretOf(context)),
  );
  plane.serve(resetWorldRoute, async ({ body, session, context }) => {
    await session.replace((world) => sandbox.reset(world, body.ids));
    return worldView(session.world, context);
  });
}

/** Returns the error for a body that names another world than its path. */
function otherName(inPath: string, inBody: string) {
  const message = `name: expected ${inPath}, the name in the path, or no name; got "${inBody}".`;
  return invalidData([{ code: 'INVALID_FORMAT', message, field: 'body:name', params: { expected: inPath } }]);
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
