import { getStatus } from '../../contract/control/routes/status.js';
import type { Status } from '../../contract/control/status.js';
import { maxErrorItems } from '../../contract/shared/errors.js';
import { DomainError } from '../../domain/errors.js';
import { checkControlToken } from '../../web/guard.js';
import type { ControlPlane } from '../plane.js';

export function serveStatus(plane: ControlPlane): void {
  const { sandbox, options } = plane;
  plane.serveSandbox(getStatus, ({ context }): Status => {
    const { version, apiVersions, startedAt, internalUrl, publicPort, inContainer } = options.about();
    const auth = options.controlToken === null ? 'none' : 'token';
    if (!isTrusted(context.req.raw.headers)) return { version, auth };
    const { scenarios, storage } = sandbox.options;
    const controlUrl = new URL(context.req.url).origin;
    return {
      version,
      auth,
      apiVersions: [...apiVersions],
      startedAt,
      internalUrl,
      controlUrl,
      publicUrl: publicPort === null ? controlUrl : atPort(controlUrl, publicPort),
      inContainer,
      readOnly: storage.isReadOnly,
      worlds: sandbox.worlds.size,
      scenarios: { loadedAt: scenarios.readAt, mistakes: scenarios.files.flatMap(({ mistakes }) => mistakes).slice(0, maxErrorItems) },
    };
  });

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

function atPort(base: string, port: number): string {
  const url = new URL(base);
  url.port = String(port);
  return url.origin;
}
