import { answered, defined, type CallOptions, type Control } from '../caller.js';
import { Paged, type ListQuery } from '../paged.js';
import type { HttpArchive, RecordedEntry, Verified, VerifyRequest } from '../types.js';

/** Which of what was recorded is wanted. */
export interface RequestsQuery extends ListQuery {
  /** Kinds with commas between: REQUEST, which is usual, ATTEMPT, CONTROL, MARK. */
  readonly kind?: string | undefined;
  /** `all` for what was before the last reset, restore or import, too. */
  readonly chapter?: string | undefined;
}

/** What clients of a world have called, and what they were answered. */
export class RequestsHandle {
  readonly #client: Control;

  constructor(client: Control) {
    this.#client = client;
  }

  list({ kind, chapter, ...list }: RequestsQuery = {}): Paged<RecordedEntry> {
    const more = defined({ kind, chapter });
    return new Paged(list, async (page, signal) => {
      const answer = await answered(this.#client.GET('/_sandbox/requests', { params: { query: { ...page, ...more } }, signal }));
      return answer as Extract<typeof answer, { meta: unknown }>;
    });
  }

  /** All that filters leave, as an HTTP archive without secrets and personal data. */
  async har({ filters, signal = null }: ListQuery = {}): Promise<HttpArchive> {
    const query = { format: 'har', ...defined({ filters }) } as const;
    return (await answered(this.#client.GET('/_sandbox/requests', { params: { query }, signal }))) as HttpArchive;
  }

  /** One of them, with its bodies. @param id its X-Request-Id */
  get(id: string, { signal = null }: CallOptions = {}): Promise<RecordedEntry> {
    return answered(this.#client.GET('/_sandbox/requests/{requestId}', { params: { path: { requestId: id } }, signal }));
  }

  /** Checks what clients did: how often, or in which order. @throws SandboxError VERIFICATION_FAILED with what there was instead */
  verify(expected: VerifyRequest, { signal = null }: CallOptions = {}): Promise<Verified> {
    return answered(this.#client.POST('/_sandbox/requests/verify', { body: expected, signal }));
  }

  /** Empties the record; everything else stays. */
  async clear({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(this.#client.DELETE('/_sandbox/requests', { signal }));
  }
}
