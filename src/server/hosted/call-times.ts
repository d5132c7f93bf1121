import type { Logger } from 'pino';
import type { Bindings } from '../../web/body/body.js';
import type { Commit } from '../../world/commit.js';
import type { Witness } from '../../world/witness.js';
import type { World } from '../../world/world.js';
import { keepWithin } from '../../domain/keep-within.js';

/** Of how many causes it is kept how long their commits took. */
const keptCommits = 1000;

/** How long the commits of a cause took, in milliseconds: until they were sent, and the statement that kept them. */
interface CommitTimes {
  waitMs: number;
  databaseMs: number;
}

const rounded = (ms: number) => Math.round(ms * 100) / 100;

/** The parts of one call, by when each ended. */
export class CallTimes {
  readonly parts: Record<string, number> = {};
  #lastMs = performance.now();

  /** Ends a part, which began with the end of the one before. */
  end(part: string): void {
    const nowMs = performance.now();
    this.parts[part] = rounded(nowMs - this.#lastMs);
    this.#lastMs = nowMs;
  }
}

/** Writes down of each call where its time went, one line at each node that it comes through, under the same id. */
export class CallTimesLog implements Witness {
  readonly #log: Logger;
  readonly #commits = new Map<string, CommitTimes>();
  #statementMs = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** A statement that kept commits has ended; those are told of next. @param seconds how long it took */
  appended(seconds: number): void {
    this.#statementMs = seconds * 1000;
  }

  committed(_world: World, commit: Commit, tookMs: number): void {
    if (!('causeId' in commit)) return;
    const { waitMs, databaseMs } = this.#commits.get(commit.causeId) ?? { waitMs: 0, databaseMs: 0 };
    const times = { waitMs: waitMs + tookMs - this.#statementMs, databaseMs: databaseMs + this.#statementMs };
    this.#commits.set(commit.causeId, times);
    keepWithin(this.#commits, keptCommits);
  }

  /** Writes the line of a call when all of its answer is sent. */
  tell(times: CallTimes, world: string, { status, headers }: Response, { outgoing, isHop }: Bindings): void {
    const id = headers.get('x-request-id');
    const commit = this.#commits.get(id ?? '');
    this.#commits.delete(id ?? '');
    const write = () => {
      times.end('answerMs');
      const { workMs, ...parts } = times.parts;
      const work = workMs === undefined ? {} : { workMs: rounded(workMs - (commit ? commit.waitMs + commit.databaseMs : 0)) };
      const kept = commit ? { waitMs: rounded(commit.waitMs), databaseMs: rounded(commit.databaseMs) } : {};
      const what = workMs === undefined ? 'passed on' : isHop ? 'answered for another node' : 'answered';
      this.#log.debug({ world, kind: 'TIMES', what, status, id, ...parts, ...work, ...kept });
    };
    if (outgoing && !outgoing.closed) outgoing.once('close', write);
    else write();
  }
}
