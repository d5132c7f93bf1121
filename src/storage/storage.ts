import type { WorldVerdict } from '../contract/control/worlds.js';
import type { WorldLog } from '../world/commit.js';
import type { StoredEvidence } from '../world/stored-evidence.js';
import type { IdentityRecord } from '../world/rows.js';
import type { TableRow, WorldRows } from '../world/state.js';

/** A world without its rows. */
export type WorldHead = Pick<IdentityRecord, 'name' | 'clientId'>;

/** The evidence of a world to store, with its size in bytes and the verdict on its client for the list of worlds. */
export interface NewEvidence {
  readonly name: string;
  readonly text: string;
  readonly bytes: number;
  readonly verdict: WorldVerdict;
}

/** The filters of the list of worlds. */
export interface WorldFilter {
  /** `*` stands for any characters. */
  readonly name?: string | undefined;
  readonly verdict?: WorldVerdict | undefined;
  /** URL of the owner. */
  readonly node?: string | undefined;
  /** Real time. */
  readonly unusedSince?: string | undefined;
}

/** A stored world in a list. What another node has in memory may be newer. */
export interface StoredOverview {
  readonly identity: IdentityRecord;
  readonly rows: number;
  readonly lastUsedAt: string;
  /** URL of the owner; null without one. */
  readonly node: string | null;
  /** Null if not known yet. */
  readonly bytes: number | null;
  readonly verdict: WorldVerdict;
}

/** A world after its last acknowledged commit. */
export interface OpenedWorld {
  readonly log: WorldLog;
  /** Sequence number of that commit. */
  readonly sequence: number;
  readonly rows: AsyncIterable<TableRow> | Iterable<TableRow>;
  /** Null or absent if none is stored. */
  readonly evidence?: StoredEvidence | null;
}

/** Thrown if another node owns the world. */
export class OwnedByOtherNode extends Error {
  /** @param url base URL of that node */
  constructor(readonly url: string) {
    super(`The node at ${url} owns this world.`);
  }
}

/** Stores worlds, with one commit log for each. */
export interface Storage {
  /** Lists all worlds. */
  heads(): AsyncIterable<WorldHead> | Iterable<WorldHead>;
  /** Returns the world with this name or client id; null if it does not exist. */
  find(by: { readonly name: string } | { readonly clientId: string }): Promise<WorldHead | null>;
  /** Stores a new world as commit 0. @throws DomainError SERVICE_UNAVAILABLE, RESOURCE_ALREADY_EXISTS */
  create(head: WorldHead, rows: WorldRows): Promise<WorldLog>;
  /** Opens a world; null if it does not exist. @throws OwnedByOtherNode if another node owns it */
  open(name: string): Promise<OpenedWorld | null>;
  /** Returns the secret with this name. If there is none, calls `make` and stores the result. */
  secret(name: string, make: () => Promise<string>): Promise<string>;
  /** True after a commit could not be stored: all further commits are rejected. */
  readonly isReadOnly: boolean;
  /** Resolves when all commits are stored. Do not commit after this call. */
  close(): Promise<void>;
}

const noopLog: WorldLog = {
  isReadOnly: false,
  heldBy: () => undefined,
  append: () => Promise.resolve(),
  replace: () => Promise.resolve(),
  drop: () => Promise.resolve(),
  release: () => Promise.resolve(),
};

/** Stores nothing. */
export const memoryStorage: Storage = {
  isReadOnly: false,
  heads: () => [],
  find: () => Promise.resolve(null),
  create: () => Promise.resolve(noopLog),
  open: () => Promise.resolve(null),
  secret: (_name, make) => make(),
  close: () => Promise.resolve(),
};
