import type { World } from '../../world/world.js';
import type { Transport } from './deliverer.js';
import { ownPlace } from './own-places.js';

/** The parts of the sandbox that deliveries to worlds on other nodes use. */
export interface ElsewhereHost {
  /** The worlds on this node, by name. */
  readonly worlds: ReadonlyMap<string, World>;
  /** Sends a request of the control API to the node that owns its world. The body is separate, so that it can be sent again. */
  readonly post: (request: Request, body: Buffer) => Promise<Response>;
}

/** Returns a transport that posts webhooks for inboxes and listeners in worlds of other nodes to these nodes. Uses `here` for the rest. */
export function transportElsewhere({ worlds, post }: ElsewhereHost, here: Transport): Transport {
  return async (attempt) => {
    const own = ownPlace(attempt.url, attempt.world);
    if (!own || worlds.has(own.world)) return here(attempt);
    const deadline = AbortSignal.timeout(attempt.timeoutMs);
    const signal = AbortSignal.any([deadline, attempt.signal]);
    const over = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    const { headers, body } = attempt;
    const url = `http://localhost/_sandbox/${own.kind}/${own.name}?world=${encodeURIComponent(own.world)}`;
    try {
      const response = await Promise.race([post(new Request(url, { method: 'POST', headers, signal }), Buffer.from(body)), over]);
      await response.body?.cancel();
      return { httpStatus: response.status, error: null };
    } catch (error) {
      const why = deadline.aborted ? `No response within ${attempt.timeoutMs} ms.` : (error as Error).message;
      return { httpStatus: 0, error: why };
    }
  };
}
