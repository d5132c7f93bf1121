import { answered, defined, type CallOptions, type Control } from './caller.js';
import { Paged, type ListQuery } from './paged.js';
import type { EventType, InboxMessage, InboxResponse } from './types.js';
import { waitInTurns, type WaitOptions } from './waiting.js';

/** Selects the messages to wait for. */
export interface InboxWait extends WaitOptions {
  /** Event type. Default: all */
  readonly eventType?: EventType | undefined;
  /** Id of an operation, beneficiary, instruction or account. */
  readonly resourceId?: string | undefined;
  /** Number of messages. Default: 1 */
  readonly count?: number | undefined;
}

/** A webhook receiver inside the sandbox. It is created on first use. */
export class Inbox {
  readonly name: string;
  readonly #client: Control;
  readonly #world: string;

  constructor(client: Control, world: string, name: string) {
    this.#client = client;
    this.#world = world;
    this.name = name;
  }

  /** Returns the URL for a subscription: the address that the sandbox itself can reach. */
  async url({ signal = null }: CallOptions = {}): Promise<string> {
    const { internalUrl } = await answered(this.#client.GET('/_sandbox', { signal }));
    return `${internalUrl}/_sandbox/inbox/${encodeURIComponent(this.name)}?world=${this.#world}`;
  }

  /** Returns the received messages. */
  messages(query: ListQuery = {}): Paged<InboxMessage> {
    const path = { inboxName: this.name };
    return new Paged(query, (page, signal) =>
      answered(this.#client.GET('/_sandbox/inbox/{inboxName}/messages', { params: { path, query: page }, signal })),
    );
  }

  /** Waits for messages, including those already received. @throws SandboxError WAIT_TIMEOUT, with the received ones in its details */
  async waitFor({ timeoutMs, signal = null, ...wanted }: InboxWait = {}): Promise<InboxMessage[]> {
    const path = { inboxName: this.name };
    const { data } = await waitInTurns(timeoutMs, (turnMs) =>
      answered(
        this.#client.GET('/_sandbox/inbox/{inboxName}/await', {
          params: { path, query: { ...defined(wanted), timeoutMs: turnMs } },
          signal,
        }),
      ),
    );
    return data;
  }

  /** Returns the next planned responses; empty if it responds with 200. */
  async responses({ signal = null }: CallOptions = {}): Promise<InboxResponse[]> {
    const params = { path: { inboxName: this.name } };
    return answered(this.#client.GET('/_sandbox/inbox/{inboxName}/responses', { params, signal }));
  }

  /** Sets its next responses, in order. After them it responds with 200. */
  async respond(answers: readonly InboxResponse[], { signal = null }: CallOptions = {}): Promise<void> {
    const params = { path: { inboxName: this.name } };
    await answered(this.#client.PUT('/_sandbox/inbox/{inboxName}/responses', { params, body: [...answers], signal }));
  }
}
