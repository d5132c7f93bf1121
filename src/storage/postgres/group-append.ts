import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Change } from '../../world/state.js';
import { lineOf } from './commit-lines.js';
import type { Database } from './database.js';

/** The most that goes into one statement: commits, and characters of their lines. */
const most = { commits: 1000, characters: 4 * 1024 * 1024 } as const;

/** A commit on its way to the database. */
export interface Appended {
  readonly world: string;
  /** What the world was taken with. */
  readonly epoch: number;
  readonly sequence: number;
  readonly changes: readonly Change[];
  /** When the world has something to do by itself, in milliseconds since 1970; null when nothing is planned. */
  readonly nextDueMs: number | null;
  /** Told when it is kept, with the length of its line in characters. */
  readonly kept: (length: number) => void;
  /** Told the reason when it is not kept: null when the world is no longer this node's. */
  readonly failed: (cause: unknown) => void;
  /** Whether its log has ended meanwhile, so that it is not to be sent any more. */
  readonly isVoid: () => boolean;
}

/** What the commits of one world in a statement have in common. */
interface Head {
  readonly world: string;
  readonly epoch: number;
  readonly first: number;
  last: number;
  nextDueMs: number | null;
}

/**
 * Appends commits: those of all worlds that wait go into one statement, one statement at a time. A world's commits go in only where its
 * epoch and its next number are still as this node knows them, its lease is good, and it owns the world.
 */
export class GroupAppend {
  readonly #database: Database;
  readonly #nodeId: () => string;
  readonly #took: (seconds: number) => void;
  readonly #waiting: Appended[] = [];
  #running: Promise<void> | null = null;

  /** @param took told how long each statement took, in seconds */
  constructor(database: Database, nodeId: () => string, took: (seconds: number) => void = () => undefined) {
    this.#database = database;
    this.#nodeId = nodeId;
    this.#took = took;
  }

  add(commit: Appended): void {
    this.#waiting.push(commit);
    this.#running ??= this.#run();
  }

  /** Resolves when nothing waits. */
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

  /** @returns the worlds whose commits went in */
  async #insert(heads: readonly Head[], commits: readonly Appended[], lines: readonly string[]): Promise<Set<string>> {
    const values: unknown[] = [
      this.#nodeId(),
      heads.map(({ world }) => world),
      heads.map(({ epoch }) => epoch),
      heads.map(({ first }) => first),
      heads.map(({ last }) => last),
      heads.map(({ nextDueMs }) => nextDueMs),
    ];
    const rows = commits.map(({ world, sequence }, index) => {
      const at = values.push(world, sequence, lines[index]);
      return `($${at - 2}::text, $${at - 1}::bigint, $${at}::text)`;
    });
    const found = await this.#database.query<{ name: string }>(
      `WITH head AS (
         SELECT * FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::float8[]) AS h (world, epoch, first, last, due)
       ), moved AS (
         UPDATE worlds w SET sequence = h.last, next_due_at = to_timestamp(h.due / 1000), last_used_at = now()
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
  for (const { world, epoch, sequence, nextDueMs } of commits) {
    const head = heads.get(world);
    if (!head) heads.set(world, { world, epoch, first: sequence, last: sequence, nextDueMs });
    else [head.last, head.nextDueMs] = [sequence, nextDueMs];
  }
  return [...heads.values()];
}
