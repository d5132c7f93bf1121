import type { World } from '../../world/world.js';
import type { Transport } from './deliverer.js';
import { ownPlace } from './own-places.js';

/** What worlds that are held elsewhere need of the sandbox around. */
export interface ElsewhereHost {
  /** The worlds that are held here, by name. */
  readonly worlds: ReadonlyMap<string, World>;
  /** Answers a call of the control plane, by whichever node has its world. Its body comes beside it, so that it can be sent again. */
  readonly post: (request: Request, body: Buffer) => Promise<Response>;
}

/** A transport that posts what is meant for an inbox or a listener of a world that is not held here to the node that has it, and leaves the rest to `here`. */
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
      const why = deadline.aborted ? `No answer within ${attempt.timeoutMs} ms.` : (error as Error).message;
      return { httpStatus: 0, error: why };
    }
  };
}
