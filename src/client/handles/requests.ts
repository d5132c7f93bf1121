import { answered, defined, type CallOptions, type Control } from '../caller.js';
import { Paged, type ListQuery } from '../paged.js';
import type { HttpArchive, RecordedEntry, Verified, VerifyRequest } from '../types.js';

/** Selects recorded entries. */
export interface RequestsQuery extends ListQuery {
  /** Kinds separated by commas: REQUEST (default), ATTEMPT, CONTROL, MARK. */
  readonly kind?: string | undefined;
  /** `all` also includes entries before the last reset, restore or import. */
  readonly generation?: string | undefined;
}

/** The recorded requests of a world, with their responses. */
export class RequestsHandle {
  readonly #client: Control;

  constructor(client: Control) {
    this.#client = client;
  }

  list({ kind, generation, ...list }: RequestsQuery = {}): Paged<RecordedEntry> {
    const more = defined({ kind, generation });
    return new Paged(list, async (page, signal) => {
      const answer = await answered(this.#client.GET('/_sandbox/requests', { params: { query: { ...page, ...more } }, signal }));
      return answer as Extract<typeof answer, { meta: unknown }>;
    });
  }

  /** Returns all entries that match the filters, as an HTTP archive without secrets and personal data. */
  async har({ filters, signal = null }: ListQuery = {}): Promise<HttpArchive> {
    const query = { format: 'har', ...defined({ filters }) } as const;
    return (await answered(this.#client.GET('/_sandbox/requests', { params: { query }, signal }))) as HttpArchive;
  }

  /** Returns one entry with its bodies. @param id X-Request-Id of a request, or id of the execution log of an attempt */
  get(id: string, { signal = null }: CallOptions = {}): Promise<RecordedEntry> {
    return answered(this.#client.GET('/_sandbox/requests/{requestId}', { params: { path: { requestId: id } }, signal }));
  }

  /** Checks the count or order of requests. @throws SandboxError VERIFICATION_FAILED with the actual requests */
  verify(expected: VerifyRequest, { signal = null }: CallOptions = {}): Promise<Verified> {
    return answered(this.#client.POST('/_sandbox/requests/verify', { body: expected, signal }));
  }

  /** Deletes the recorded requests. Everything else stays. */
  async clear({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(this.#client.DELETE('/_sandbox/requests', { signal }));
  }
}
