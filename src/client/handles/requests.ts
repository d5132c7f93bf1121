import { RequestsCalls } from '../calls.js';
import { answered, defined } from '../caller.js';
import { Paged, type ListQuery } from '../paged.js';
import type { RecordedEntry, RecordedRequests } from '../types.js';

/** An HTTP archive of recorded requests. */
export type HttpArchive = Exclude<RecordedRequests, { meta: unknown }>;

/** Selects recorded entries. */
export interface RequestsQuery extends ListQuery {
  /** Kinds separated by commas: REQUEST (default), ATTEMPT, CONTROL, MARK. */
  readonly kind?: string | undefined;
  /** `all` also includes entries before the last reset, restore or import. */
  readonly generation?: string | undefined;
}

/** The recorded requests of a world, with their responses. */
export class RequestsHandle extends RequestsCalls {
  list({ kind, generation, ...list }: RequestsQuery = {}): Paged<RecordedEntry> {
    const more = defined({ kind, generation });
    return new Paged(list, async (page, signal) => {
      const answer = await answered(this.client.GET('/_sandbox/requests', { params: { query: { ...page, ...more } }, signal }));
      return answer as Extract<typeof answer, { meta: unknown }>;
    });
  }

  /** Returns all entries that match the filters, as an HTTP archive without secrets and personal data. */
  async har({ filters, signal = null }: ListQuery = {}): Promise<HttpArchive> {
    const query = { format: 'har', ...defined({ filters }) } as const;
    return (await answered(this.client.GET('/_sandbox/requests', { params: { query }, signal }))) as HttpArchive;
  }
}
