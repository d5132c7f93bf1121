import { setTimeout as wait } from 'node:timers/promises';
import type { UrlPolicy } from '../../contract/scenario/settings.js';
import type { Transport } from './deliverer.js';
import { internalReceiver, type InternalReceiver } from './internal-receivers.js';
import { SubscribedReceivers } from './subscribed-receivers.js';
import { targetProblem } from './own-ports.js';
import { receiveMessage } from '../../services/webhooks/inboxes.js';
import { defaultWorld } from '../../world/identity.js';
import type { Session } from '../../world/session.js';
import type { World } from '../../world/world.js';

/** The parts of the sandbox that inboxes use. */
export interface InboxHost {
  /** All worlds, by name. */
  readonly worlds: ReadonlyMap<string, World>;
  /** True if other nodes own more worlds. If true, only the company id of a message determines its world. */
  readonly isShared: boolean;
  /** Returns real time in Unix milliseconds. */
  realNow(): number;
  /** Returns the ports on which the sandbox listens. */
  ownPorts(): readonly number[];
}

/** The inboxes: webhook receivers inside the sandbox, with their responses and URLs. */
export class Inboxes {
  readonly #host: InboxHost;
  /** The inboxes and listeners to which subscriptions send. */
  readonly subscribed = new SubscribedReceivers();

  constructor(host: InboxHost) {
    this.#host = host;
  }

  /** Stores a message in an inbox. Resolves with the response of the inbox after the message is stored. */
  async receive(
    into: Pick<Session, 'write'>,
    name: string,
    message: { headers: Readonly<Record<string, string>>; body: Buffer },
  ): Promise<{ status: number; delayMs: number }> {
    const realS = Math.floor(this.#host.realNow() / 1000);
    const { value, kept } = into.write((uow) => receiveMessage(uow, { name, ...message, realS }));
    await kept;
    return value;
  }

  /**
   * Returns the name of the world for a message that a program posts to an inbox or listener. Searches the worlds that have a subscription
   * to this receiver: returns the world with the company id of the message, else the only such world, else the default world. If several
   * nodes share the worlds, returns the world of this node with the company id; undefined if there is none.
   */
  worldOf({ kind, name }: Pick<InternalReceiver, 'kind' | 'name'>, companyId: string | undefined): string | undefined {
    const { worlds, isShared } = this.#host;
    if (isShared) return [...worlds.values()].find(({ identity }) => identity.companyId === companyId)?.identity.name;
    const subscribed = this.subscribed.worldsOf({ kind, name });
    const [only, ...others] = subscribed;
    const world = subscribed.find(({ identity }) => identity.companyId === companyId) ?? (others.length === 0 ? only : undefined);
    return (world?.identity ?? defaultWorld).name;
  }

  /**
   * Returns why a world may not send webhooks to `url`; null if allowed. Of this sandbox, only inboxes and listeners of the same world are
   * allowed: webhooks to another world would fill its inboxes and use up its working time.
   */
  urlProblem(url: string, policy: UrlPolicy, world: string): string | null {
    const own = internalReceiver(url, world);
    if (own === null) return targetProblem(url, policy, this.#host.ownPorts());
    return own.world === world ? null : 'it names another world than that of the subscription';
  }

  /** Returns a transport that delivers to inboxes of this process without a connection. Uses `outside` for all other URLs. */
  transport(outside: Transport): Transport {
    return async (attempt) => {
      const own = internalReceiver(attempt.url, attempt.world);
      if (own?.kind !== 'inbox') return outside(attempt);
      const world = own.world === attempt.world ? this.#host.worlds.get(own.world) : undefined;
      if (!world) return { httpStatus: 404, error: null };
      const deadline = AbortSignal.timeout(attempt.timeoutMs);
      try {
        const headers = Object.fromEntries(Object.entries(attempt.headers).map(([header, value]) => [header.toLowerCase(), value]));
        const message = { headers, body: Buffer.from(attempt.body) };
        const { status, delayMs } = await this.receive(webhookInto(world, headers['x-message-id'] ?? ''), own.name, message);
        if (delayMs > 0) await wait(delayMs, undefined, { signal: AbortSignal.any([deadline, attempt.signal]) });
        return { httpStatus: status, error: null };
      } catch (error) {
        if (deadline.aborted) return { httpStatus: 0, error: `No response within ${attempt.timeoutMs} ms.` };
        return { httpStatus: 0, error: (error as Error).message };
      }
    };
  }
}

/** Returns a writer with which a webhook inside the process stores its message in the world of the inbox. */
function webhookInto(world: World, messageId: string): Pick<Session, 'write'> {
  return { write: (verb) => world.write(`delivery:${messageId}`, verb) };
}
