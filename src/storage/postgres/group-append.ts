import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Change } from '../../world/state.js';
import { lineOf } from './commit-lines.js';
import type { Database } from './database.js';

/** Limits of one statement: commits, and characters of their lines. */
const most = { commits: 1000, characters: 4 * 1024 * 1024 } as const;

/** A commit to store in the database. */
export interface Appended {
  readonly world: string;
  /** The epoch in which this node acquired the world. */
  readonly epoch: number;
  readonly sequence: number;
  readonly changes: readonly Change[];
  /** Time of the next timer of the world in Unix milliseconds; null if there is none. */
  readonly nextDueMs: number | null;
  /** Called when the commit is stored, with the length of its line in characters. */
  readonly kept: (length: number) => void;
  /** Called with the error if the commit is not stored; null if this node no longer owns the world. */
  readonly failed: (cause: unknown) => void;
  /** Whether the log of the world has ended, so that the commit must not be sent. */
  readonly isVoid: () => boolean;
}

/** The combined commits of one world in a statement. */
interface Head {
  readonly world: string;
  readonly epoch: number;
  readonly first: number;
  last: number;
  nextDueMs: number | null;
  /** The changed identity of the world as JSON; null if it did not change. */
  identity: string | null;
}

/**
 * Appends commits. One statement at a time stores the waiting commits of all worlds. The statement skips a world if its epoch or sequence
 * differs, the lease has expired, or another node owns it.
 */
export class GroupAppend {
  readonly #database: Database;
  readonly #nodeId: () => string;
  readonly #took: (seconds: number) => void;
  readonly #waiting: Appended[] = [];
  #running: Promise<void> | null = null;

  /** @param took called with the duration of each statement in seconds */
  constructor(database: Database, nodeId: () => string, took: (seconds: number) => void = () => undefined) {
    this.#database = database;
    this.#nodeId = nodeId;
    this.#took = took;
  }

  add(commit: Appended): void {
    this.#waiting.push(commit);
    this.#running ??= this.#run();
  }

  /** Resolves when no commit waits. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    await nextTurn();
    while (this.#waiting.length > 0) await this.#send();
    this.#running = null;
  }

  async #send(): Promise<void> {
    const commits: Appended[] = [];
    const lines: string[] = [];
    let characters = 0;
    while (this.#waiting.length > 0 && commits.length < most.commits && characters < most.characters) {
      const commit = this.#waiting.shift()!;
      if (commit.isVoid()) {
        commit.failed(null);
        continue;
      }
      const line = await lineOf(commit.changes);
      commits.push(commit);
      lines.push(line);
      characters += line.length;
    }
    if (commits.length === 0) return;
    const heads = headsOf(commits);
    let inserted: Set<string> | null = null;
    let cause: unknown;
    const beganMs = performance.now();
    try {
      inserted = await this.#insert(heads, commits, lines);
    } catch (error) {
      cause = error;
    }
    this.#took((performance.now() - beganMs) / 1000);
    for (const [index, commit] of commits.entries()) {
      if (inserted?.has(commit.world)) commit.kept(lines[index]!.length);
      else commit.failed(inserted ? null : cause);
    }
  }

  /** @returns the worlds whose commits were stored */
  async #insert(heads: readonly Head[], commits: readonly Appended[], lines: readonly string[]): Promise<Set<string>> {
    const values: unknown[] = [
      this.#nodeId(),
      heads.map(({ world }) => world),
      heads.map(({ epoch }) => epoch),
      heads.map(({ first }) => first),
      heads.map(({ last }) => last),
      heads.map(({ nextDueMs }) => nextDueMs),
      heads.map(({ identity }) => identity),
    ];
    const rows = commits.map(({ world, sequence }, index) => {
      const at = values.push(world, sequence, lines[index]);
      return `($${at - 2}::text, $${at - 1}::bigint, $${at}::text)`;
    });
    const found = await this.#database.query<{ name: string }>(
      `WITH head AS (
         SELECT * FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::float8[], $7::text[]) AS h (world, epoch, first, last, due, identity)
       ), moved AS (
         UPDATE worlds w SET sequence = h.last, next_due_at = to_timestamp(h.due / 1000), last_used_at = now(),
                             identity = COALESCE(h.identity, w.identity)
         FROM head h
         WHERE w.name = h.world AND w.epoch = h.epoch AND w.sequence = h.first - 1 AND w.owner = $1
           AND EXISTS (SELECT 1 FROM nodes n WHERE n.id = $1 AND n.lease_until > clock_timestamp())
         RETURNING w.name, w.epoch
       ), kept AS (
         INSERT INTO world_commits (world, sequence, epoch, line)
         SELECT l.world, l.sequence, m.epoch, l.line FROM (VALUES ${rows.join(', ')}) AS l (world, sequence, line) JOIN moved m ON m.name = l.world
       )
       SELECT name FROM moved`,
      values,
    );
    return new Set(found.map(({ name }) => name));
  }
}

function headsOf(commits: readonly Appended[]): Head[] {
  const heads = new Map<string, Head>();
  for (const { world, epoch, sequence, nextDueMs, changes } of commits) {
    const identity = changes.findLast(({ table }) => table === 'identity')?.row;
    const head = heads.get(world) ?? { world, epoch, first: sequence, last: sequence, nextDueMs, identity: null };
    Object.assign(head, { last: sequence, nextDueMs }, identity ? { identity: JSON.stringify(identity) } : {});
    heads.set(world, head);
  }
  return [...heads.values()];
}
