import type { AuditEntry, AuditQuery } from '../contract/control/audit.js';
import { textCursor, textInCursor } from '../domain/lists/text-cursor.js';
import type { AuditStore } from '../storage/audit-store.js';

/** Maximum number of entries that wait to be stored. Beyond it, the oldest are lost. */
const maxWaiting = 10_000;
/** Maximum number of entries in one statement. */
const atOnce = 500;
/** Interval between stores, and between deletions of old entries, in milliseconds. */
const every = { storeMs: 500, pruneMs: 3_600_000 } as const;
/** Maximum number of entries about unknown callers in a minute, so that these cannot fill the log. Further ones are counted. */
const maxUnknown = 60;

export interface AuditLogOptions {
  readonly store: AuditStore;
  /** Writes entries to a file; null without one. */
  readonly write: ((entry: AuditEntry) => void) | null;
  /** Called with warnings for the operator. */
  readonly warn: (message: string) => void;
}

/** The log of what operators and partners did through the control API. Entries are stored up to half a second after the response. */
export class AuditLog {
  readonly #options: AuditLogOptions;
  readonly #waiting: AuditEntry[] = [];
  readonly #timers: NodeJS.Timeout[];
  #storing: Promise<void> | null = null;
  #unknown = { minute: 0, count: 0 };
  #omitted = 0;

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#timers = [
      setInterval(() => void this.#settle().catch(() => undefined), every.storeMs),
      setInterval(() => void options.store.prune().catch(() => undefined), every.pruneMs),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** Adds an entry. */
  note(given: Omit<AuditEntry, 'omitted'>): void {
    if (given.caller === 'UNKNOWN' && this.#isTooMany(Date.parse(given.at))) {
      this.#omitted += 1;
      return;
    }
    const entry = { ...given, omitted: this.#omitted };
    this.#omitted = 0;
    this.#options.write?.(entry);
    this.#waiting.push(entry);
    if (this.#waiting.length <= maxWaiting) return;
    this.#waiting.shift();
    this.#options.warn(`Entries of the audit log are lost: more than ${maxWaiting} wait for the database.`);
  }

  /** Returns a page of the log, newest first. @throws DomainError INVALID_DATA for an unknown cursor */
  async list({ limit, cursor, ...filter }: AuditQuery): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
    await this.#settle();
    const before = cursor ? Number(textInCursor('audit', cursor)) : undefined;
    const found = await this.#options.store.list(filter, limit + 1, before);
    const entries = found.slice(0, limit).map(({ entry }) => entry);
    return { entries, nextCursor: found.length > limit ? textCursor('audit', String(found[limit - 1]!.number)) : null };
  }

  /** Stores the waiting entries, and stops. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#settle().catch((error: unknown) => this.#options.warn(`The audit log was not stored: ${(error as Error).message}.`));
  }

  async #settle(): Promise<void> {
    await (this.#storing ??= this.#store().finally(() => (this.#storing = null)));
  }

  async #store(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.slice(0, atOnce);
      await this.#options.store.add(entries);
      const stored = new Set(entries);
      while (stored.has(this.#waiting[0]!)) this.#waiting.shift();
    }
  }

  #isTooMany(atMs: number): boolean {
    const minute = Math.floor(atMs / 60_000);
    if (minute !== this.#unknown.minute) this.#unknown = { minute, count: 0 };
    return (this.#unknown.count += 1) > maxUnknown;
  }
}
