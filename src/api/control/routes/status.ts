import type { Context } from 'hono';
import { getStatusRoute, listKindsRoute } from '../../../contract/control/routes/status.js';
import type { Status } from '../../../contract/control/status.js';
import { maxErrorItems } from '../../../contract/shared/errors.js';
import { DomainError } from '../../../domain/errors.js';
import { kinds } from '../../../domain/kinds.js';
import type { KindName } from '../../../contract/shared/kinds.js';
import type { Kinds } from '../../../contract/control/kinds.js';
import { checkControlToken } from '../../plane/guard.js';
import type { ControlPlane } from '../plane.js';

export function serveStatus(plane: ControlPlane): void {
  const { sandbox, options } = plane;
  plane.serveSandbox(getStatusRoute, async ({ context }): Promise<Status> => {
    const { version, apiVersions, bootId, startedAt, internalUrl, inContainer, freeBytes } = options.about();
    const auth = options.controlToken === null ? 'none' : 'token';
    if (!isTrusted(context.req.raw.headers)) return { version, auth };
    const { scenarios, storage } = sandbox.options;
    const controlUrl = new URL(context.req.url).origin;
    return {
      version,
      auth,
      apiVersions: [...apiVersions],
      bootId,
      startedAt,
      internalUrl,
      controlUrl,
      publicUrl: publicUrlOf(plane, context),
      inContainer,
      readOnly: storage.isReadOnly,
      freeBytes: await freeBytes(),
      worlds: sandbox.worlds.size,
      scenarios: { loadedAt: scenarios.readAt, errors: scenarios.files.flatMap(({ errors }) => errors).slice(0, maxErrorItems) },
    };
  });

  plane.serveSandbox(listKindsRoute, (): Kinds => ({ data: (Object.keys(kinds) as KindName[]).map(kindView) }));

  function isTrusted(headers: Headers): boolean {
    try {
      checkControlToken(headers, options);
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }
}

/** Returns the address of the payments API as the sender of a control request reaches it. */
export function publicUrlOf({ options }: ControlPlane, context: Context): string {
  const url = new URL(context.req.url);
  const { publicPort } = options.about();
  if (publicPort !== null) url.port = String(publicPort);
  return url.origin;
}

function kindView(kind: KindName): Kinds['data'][number] {
  const { statuses, transitions } = kinds[kind];
  return { kind, statuses: [...statuses], transitions: statuses.flatMap((from) => (transitions[from] ?? []).map((to) => ({ from, to }))) };
}
