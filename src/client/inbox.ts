import { InboxCalls } from './calls.js';
import { answered, defined, type CallOptions, type Control } from './caller.js';
import type { EventType, InboxMessage, InboxResponse } from './types.js';
import { waitInTurns, type WaitOptions } from './waiting.js';

/** Selects the messages to wait for. */
export interface InboxWait extends WaitOptions {
  /** Event type. Default: all */
  readonly eventType?: EventType | undefined;
  /** Id of the operation, beneficiary, instruction or account in the messages. Default: any */
  readonly resourceId?: string | undefined;
  /** Number of messages. Default: 1 */
  readonly count?: number | undefined;
}

/** A webhook receiver inside the sandbox. The first use creates the inbox. */
export class Inbox extends InboxCalls {
  readonly #world: string;

  constructor(client: Control, world: string, name: string) {
    super(client, name);
    this.#world = world;
  }

  /** Returns the URL of the inbox for a subscription. The sandbox itself can reach this URL. */
  async url({ signal = null }: CallOptions = {}): Promise<string> {
    const { internalUrl } = await answered(this.client.GET('/_sandbox', { signal }));
    return `${internalUrl}/_sandbox/inbox/${encodeURIComponent(this.name)}?world=${this.#world}`;
  }

  /** Waits for messages; earlier messages count too. @throws SandboxError WAIT_TIMEOUT, with the received messages in `details.messages` */
  async waitFor({ timeoutMs, signal = null, ...wanted }: InboxWait = {}): Promise<InboxMessage[]> {
    const path = { inboxName: this.name };
    const { data } = await waitInTurns(timeoutMs, (turnMs) =>
      answered(
        this.client.GET('/_sandbox/inbox/{inboxName}/await', {
          params: { path, query: { ...defined(wanted), timeoutMs: turnMs } },
          signal,
        }),
      ),
    );
    return data;
  }

  /** Sets the next responses of the inbox, in order. After these, the inbox responds with 200. */
  async respond(answers: readonly InboxResponse[], { signal = null }: CallOptions = {}): Promise<void> {
    const params = { path: { inboxName: this.name } };
    await answered(this.client.PUT('/_sandbox/inbox/{inboxName}/responses', { params, body: [...answers], signal }));
  }
}
