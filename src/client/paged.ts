import { answered, defined, type CallOptions, type Control } from './caller.js';
import type { ListedWorld, PageMeta } from './types.js';

/** Options for a list. */
export interface ListQuery extends CallOptions {
  /** Filter expression of the API, for example `currentState.status[eq]=FAILED`. */
  readonly filters?: string | undefined;
  /** Order by creation time. Default: newest first */
  readonly sortOrder?: 'ASCENDING' | 'DESCENDING' | undefined;
}

/** The query parameters of one page. */
interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly filters?: string;
  readonly sortOrder?: 'ASCENDING' | 'DESCENDING';
}

type FetchPage<T> = (query: PageQuery, signal: AbortSignal | null) => Promise<{ data: T[]; meta: PageMeta }>;

/** The maximum page size. */
const pageSize = 100;

/** A list that requests each page only when it is read. Creating the list makes no request. */
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

  /** Returns the first item; undefined if the list is empty. */
  async first(): Promise<T | undefined> {
    for await (const item of this.#read(1)) return item;
    return undefined;
  }

  /** Returns all items, or the first `max`. */
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

export function listedWorlds(control: Control, signal: AbortSignal | null): Paged<ListedWorld> {
  return new Paged({ signal }, ({ limit, cursor }) =>
    answered(control.GET('/_sandbox/worlds', { params: { query: { limit, ...defined({ cursor }) } }, signal })),
  );
}
