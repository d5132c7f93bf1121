import { answered, defined, type CallOptions, type Control } from './caller.js';
import type { PageMeta, WorldDescription } from './types.js';

/** What of a list is wanted. */
export interface ListQuery extends CallOptions {
  /** `currentState.status[eq]=FAILED`, in the language of the API's lists. */
  readonly filters?: string | undefined;
  /** By the time of creation; newest first unless told otherwise. */
  readonly sortOrder?: 'ASCENDING' | 'DESCENDING' | undefined;
}

/** One page, as the API gives it. */
interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly filters?: string;
  readonly sortOrder?: 'ASCENDING' | 'DESCENDING';
}

type FetchPage<T> = (query: PageQuery, signal: AbortSignal | null) => Promise<{ data: T[]; meta: PageMeta }>;

/** The largest page that there is. */
const pageSize = 100;

/** A list that is read page by page, as far as it is wanted. No call is made before. */
export class Paged<T> implements AsyncIterable<T> {
  readonly #fetchPage: FetchPage<T>;
  readonly #query: ListQuery;

  constructor(query: ListQuery, fetchPage: FetchPage<T>) {
    this.#query = query;
    this.#fetchPage = fetchPage;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    yield* this.#read(pageSize);
  }

  /** The first item; undefined when there is none. */
  async first(): Promise<T | undefined> {
    for await (const item of this.#read(1)) return item;
    return undefined;
  }

  /** All items, or the first so many. */
  async all(max = Number.POSITIVE_INFINITY): Promise<T[]> {
    const items: T[] = [];
    if (max < 1) return items;
    for await (const item of this.#read(Math.min(max, pageSize))) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }

  async *#read(limit: number): AsyncGenerator<T, void, undefined> {
    const { signal, filters, sortOrder } = this.#query;
    const query = { limit, ...defined({ filters, sortOrder }) };
    let cursor: string | null = null;
    do {
      const page: { data: T[]; meta: PageMeta } = await this.#fetchPage(cursor === null ? query : { ...query, cursor }, signal ?? null);
      yield* page.data;
      cursor = page.meta.nextCursor;
    } while (cursor !== null);
  }
}

/** All worlds of a sandbox, read page by page. */
export function listedWorlds(control: Control, signal: AbortSignal | null): Paged<WorldDescription> {
  return new Paged({ signal }, ({ limit, cursor }) =>
    answered(control.GET('/_sandbox/worlds', { params: { query: { limit, ...defined({ cursor }) } }, signal })),
  );
}
