import { setTimeout as wait } from 'node:timers/promises';
import type { UrlPolicy } from '../../contract/scenario/settings.js';
import type { Transport } from './deliverer.js';
import { ownPlace, type OwnPlace } from './own-places.js';
import { SubscribedPlaces } from './subscribed-places.js';
import { targetFault } from './own-ports.js';
import { receiveMessage } from '../../services/webhooks/receive-message.js';
import { defaultWorld } from '../../world/identity.js';
import type { Session } from '../../world/session.js';
import type { World } from '../../world/world.js';

/** What inboxes need of the sandbox around them. */
export interface InboxHost {
  /** The worlds that there are, by name. */
  readonly worlds: ReadonlyMap<string, World>;
  /** Whether there are others besides them, so that only the company of a message tells whose it is. */
  readonly isShared: boolean;
  /** Real time, in milliseconds since 1970. */
  realNow(): number;
  /** The ports at which the sandbox listens. */
  ownPorts(): readonly number[];
}

/** The receivers inside the sandbox: what they take, how they answer, and which URLs lead to them. */
export class Inboxes {
  readonly #host: InboxHost;
  /** The places that subscriptions send to. */
  readonly subscribed = new SubscribedPlaces();

  constructor(host: InboxHost) {
    this.#host = host;
  }

  /** Keeps what was sent to an inbox of a world; resolves with how the inbox answers when the message is kept. */
  async receive(
    into: Pick<Session, 'write'>,
    name: string,
    message: { headers: Readonly<Record<string, string>>; body: Uint8Array },
  ): Promise<{ status: number; delayMs: number }> {
    const realS = Math.floor(this.#host.realNow() / 1000);
    const { value, kept } = into.write((uow) => receiveMessage(uow, { name, ...message, realS }));
    await kept;
    return value;
  }

  /**
   * The name of the world that a post from outside to an inbox or a listener is for: that of the subscription with this one, or of the
   * one of these that has the company of the message; else the default one. Where several nodes share the worlds it is the company's alone, and undefined where none has it.
   */
  worldOf({ kind, name }: Pick<OwnPlace, 'kind' | 'name'>, companyId: string | undefined): string | undefined {
    const { worlds, isShared } = this.#host;
    if (isShared) return [...worlds.values()].find(({ identity }) => identity.companyId === companyId)?.identity.name;
    const subscribed = this.subscribed.worldsOf({ kind, name });
    const [only, ...others] = subscribed;
    const world = subscribed.find(({ identity }) => identity.companyId === companyId) ?? (others.length === 0 ? only : undefined);
    return (world?.identity ?? defaultWorld).name;
  }

  /** Why a webhook may not be sent to `url`; null when it may. An inbox or a listener of this sandbox always may, and nothing else of it. */
  urlFault(url: string, policy: UrlPolicy): string | null {
    return ownPlace(url, '') === null ? targetFault(url, policy, this.#host.ownPorts()) : null;
  }

  /** A transport that hands what is meant for an own inbox over within the process, where no connection is made, and leaves the rest to `outside`. */
  transport(outside: Transport): Transport {
    return async (attempt) => {
      const own = ownPlace(attempt.url, attempt.world);
      if (own?.kind !== 'inbox') return outside(attempt);
      const world = this.#host.worlds.get(own.world);
      if (!world) return { httpStatus: 404, error: null };
      const deadline = AbortSignal.timeout(attempt.timeoutMs);
      try {
        const headers = Object.fromEntries(Object.entries(attempt.headers).map(([header, value]) => [header.toLowerCase(), value]));
        const message = { headers, body: Buffer.from(attempt.body) };
        const { status, delayMs } = await this.receive(webhookInto(world), own.name, message);
        if (delayMs > 0) await wait(delayMs, undefined, { signal: AbortSignal.any([deadline, attempt.signal]) });
        return { httpStatus: status, error: null };
      } catch (error) {
        if (deadline.aborted) return { httpStatus: 0, error: `No answer within ${attempt.timeoutMs} ms.` };
        return { httpStatus: 0, error: (error as Error).message };
      }
    };
  }
}

/** What a webhook that never left the process does to the world of its inbox. */
function webhookInto(world: World): Pick<Session, 'write'> {
  return { write: (verb) => world.write('webhook', verb) };
}
