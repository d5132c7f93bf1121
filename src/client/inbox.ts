import { answered, defined, type CallOptions, type Control } from './caller.js';
import { Paged, type ListQuery } from './paged.js';
import type { EventType, InboxMessage, InboxResponse } from './types.js';
import { waitInTurns, type WaitOptions } from './waiting.js';

/** Which messages to wait for. */
export interface InboxWait extends WaitOptions {
  /** Only events of this type; all count unless told otherwise. */
  readonly eventType?: EventType | undefined;
  /** Only events about this operation, beneficiary, instruction or account. */
  readonly resourceId?: string | undefined;
  /** How many; one unless told otherwise. */
  readonly count?: number | undefined;
}

/** A receiver of webhooks inside the sandbox, which comes to be by being used. */
export class Inbox {
  readonly name: string;
  readonly #client: Control;
  readonly #world: string;

  constructor(client: Control, world: string, name: string) {
    this.#client = client;
    this.#world = world;
    this.name = name;
  }

  /** What to give as the URL of a subscription: as the sandbox itself reaches the inbox. */
  async url({ signal = null }: CallOptions = {}): Promise<string> {
    const { internalUrl } = await answered(this.#client.GET('/_sandbox', { signal }));
    return `${internalUrl}/_sandbox/inbox/${encodeURIComponent(this.name)}?world=${this.#world}`;
  }

  /** What has arrived. */
  messages(query: ListQuery = {}): Paged<InboxMessage> {
    const path = { inboxName: this.name };
    return new Paged(query, (page, signal) =>
      answered(this.#client.GET('/_sandbox/inbox/{inboxName}/messages', { params: { path, query: page }, signal })),
    );
  }

  /** Waits until enough has arrived; what had come before counts. @throws SandboxError WAIT_TIMEOUT, with what came in its details */
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

  /** How it answers next: what is left of what was decided; empty when it answers 200. */
  async responses({ signal = null }: CallOptions = {}): Promise<InboxResponse[]> {
    const params = { path: { inboxName: this.name } };
    return answered(this.#client.GET('/_sandbox/inbox/{inboxName}/responses', { params, signal }));
  }

  /** Decides how it answers from now on: each of these in order, then 200. */
  async respond(answers: readonly InboxResponse[], { signal = null }: CallOptions = {}): Promise<void> {
    const params = { path: { inboxName: this.name } };
    await answered(this.#client.PUT('/_sandbox/inbox/{inboxName}/responses', { params, body: [...answers], signal }));
  }
}
