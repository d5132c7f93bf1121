import type { WorldLog } from '../world/commit.js';
import type { IdentityRecord } from '../world/rows.js';
import type { TableRow, WorldRows } from '../world/state.js';

/** What can be told of a world without its rows. */
export type WorldHead = Pick<IdentityRecord, 'name' | 'clientId'>;

/** A world as it was when its last acknowledged commit ended. */
export interface OpenedWorld {
  readonly log: WorldLog;
  /** The number of that commit. */
  readonly sequence: number;
  readonly rows: AsyncIterable<TableRow> | Iterable<TableRow>;
}

/** A world that another node owns. */
export class OwnedElsewhere extends Error {
  /** @param url where that node is reached */
  constructor(readonly url: string) {
    super(`The world is owned by the node at ${url}.`);
  }
}

/** Where worlds are kept: one log a world, whatever is behind it. */
export interface Storage {
  /** The worlds that there are. */
  heads(): AsyncIterable<WorldHead> | Iterable<WorldHead>;
  /** The world of a name or of a client; null when there is none. */
  find(by: { readonly name: string } | { readonly clientId: string }): Promise<WorldHead | null>;
  /** Keeps a new world as commit number 0. @throws DomainError SERVICE_UNAVAILABLE, RESOURCE_ALREADY_EXISTS */
  create(head: WorldHead, rows: WorldRows): Promise<WorldLog>;
  /** Null when there is no world of this name. @throws OwnedElsewhere where several nodes share the worlds */
  open(name: string): Promise<OpenedWorld | null>;
  /** What is kept under a name for all worlds; made at the first call, and the same ever after. */
  secret(name: string, make: () => Promise<string>): Promise<string>;
  /** Whether keeping a commit has failed, so that no further one is taken. */
  readonly isReadOnly: boolean;
  /** Resolves when all commits are kept; nothing is committed afterwards. */
  close(): Promise<void>;
}

const forgetful: WorldLog = {
  isReadOnly: false,
  heldBy: () => undefined,
  append: () => Promise.resolve(),
  replace: () => Promise.resolve(),
  drop: () => Promise.resolve(),
  release: () => Promise.resolve(),
};

/** Keeps nothing. */
export const memoryStorage: Storage = {
  isReadOnly: false,
  heads: () => [],
  find: () => Promise.resolve(null),
  create: () => Promise.resolve(forgetful),
  open: () => Promise.resolve(null),
  secret: (_name, make) => make(),
  close: () => Promise.resolve(),
};
