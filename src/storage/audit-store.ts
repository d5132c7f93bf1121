import type { AuditEntry, AuditQuery } from '../contract/control/audit.js';
import { registerKept } from '../domain/kept-memory.js';

/** The filters of the audit log. */
export type AuditFilter = Omit<AuditQuery, 'limit' | 'cursor'>;

/** An entry with its number in the log. */
export interface NumberedEntry {
  readonly number: number;
  readonly entry: AuditEntry;
}

/** Stores the audit log, to which entries are only added. */
export interface AuditStore {
  /** Adds entries, oldest first. @throws Error if they are not stored */
  add(entries: readonly AuditEntry[]): Promise<void>;
  /** Returns up to `count` matching entries before a number, newest first. @param before default: the newest ones */
  list(filter: AuditFilter, count: number, before?: number): Promise<NumberedEntry[]>;
  /** Deletes entries beyond the limits of age and number. No partner displaces the entries of others. */
  prune(): Promise<void>;
}

/** Maximum number of entries in memory. */
const maxEntries = 10_000;

/** Approximate size of an entry in memory, in bytes. */
const entryBytes = 1024;

/** The audit log of a sandbox without a database, in memory. Beyond its maximum, each kind of caller has an equal share. */
export class MemoryAudit implements AuditStore {
  #entries: NumberedEntry[] = [];
  #last = 0;

  constructor() {
    registerKept('audit', this, (audit) => audit.#entries.length * entryBytes);
  }

  async add(entries: readonly AuditEntry[]): Promise<void> {
    for (const entry of entries) this.#entries.push({ number: (this.#last += 1), entry });
    if (this.#entries.length > maxEntries * 1.1) await this.prune();
  }

  list(filter: AuditFilter, count: number, before = Infinity): Promise<NumberedEntry[]> {
    const found: NumberedEntry[] = [];
    for (let index = this.#entries.length - 1; index >= 0 && found.length < count; index -= 1) {
      const each = this.#entries[index]!;
      if (each.number < before && matches(each.entry, filter)) found.push(each);
    }
    return Promise.resolve(found);
  }

  prune(): Promise<void> {
    const counts = new Map<AuditEntry['caller'], number>();
    for (const { entry } of this.#entries) counts.set(entry.caller, (counts.get(entry.caller) ?? 0) + 1);
    const share = shareOf([...counts.values()]);
    this.#entries = this.#entries.filter(({ entry }) => {
      const newer = counts.get(entry.caller)! - 1;
      counts.set(entry.caller, newer);
      return newer < share;
    });
    return Promise.resolve();
  }
}

/** Returns the maximum number of entries of one kind of caller at which all kinds together have at most {@link maxEntries}. */
function shareOf(counts: number[]): number {
  let left = maxEntries;
  for (const [index, count] of counts.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (counts.length - index));
    if (count > share) return share;
    left -= count;
  }
  return Infinity;
}

function matches(entry: AuditEntry, { worldName, credential, caller, operationId, minStatus, since, until }: AuditFilter): boolean {
  const atMs = Date.parse(entry.at);
  return (
    (worldName === undefined || entry.world === worldName) &&
    (credential === undefined || entry.credential === credential) &&
    (caller === undefined || entry.caller === caller) &&
    (operationId === undefined || entry.operationId === operationId) &&
    (minStatus === undefined || entry.status >= minStatus) &&
    (since === undefined || atMs >= Date.parse(since)) &&
    (until === undefined || atMs < Date.parse(until))
  );
}
