import { healthRoutes } from '../contract/control/routes/health.js';
import { symbols, type DestinationStream, type Logger } from 'pino';
import { statusChanges } from '../analysis/project/status-changes.js';
import { timestampOf } from '../domain/context.js';
import { isCutResponse } from '../analysis/views/entry.js';
import type { Redactor } from '../exchange/redact.js';
import type { Commit } from '../world/commit.js';
import type { AttemptRecord, RequestRecord } from '../exchange/exchange.js';
import type { Observer } from '../exchange/observer.js';
import type { PlanRecord } from '../world/rows.js';
import type { World } from '../world/world.js';

/** Operations and paths that probes request continuously, and that are not logged. */
const silent: ReadonlySet<string> = new Set([...healthRoutes.map(({ operationId }) => operationId), '/metrics']);

/** Maximum logged length of a body, in characters. */
const maxBody = 4096;

/** The fields of every line. */
interface Line {
  readonly world: string | null;
  readonly kind: 'REQUEST' | 'CONTROL' | 'ATTEMPT' | 'STATE' | 'CLOCK';
  readonly what: string;
  readonly status: number | string;
  readonly ms: number | null;
  readonly id: string;
  readonly cause: string | null;
}

/** Logs a line for each request, each webhook attempt and each new status of a resource. */
export class ActivityLog implements Observer {
  readonly #log: Logger;
  /** The stream to which the lines are written. */
  readonly #lines: DestinationStream;
  readonly #redactorOf: (world: World | null) => Redactor;
  /** True if bodies are logged. */
  readonly #hasBodies: boolean;
  /** Worlds for which the log has a line about the frozen clock. */
  readonly #frozen = new WeakSet<World>();

  /** @param redactorOf returns the redactor for the secrets of a world; without a world, for the secrets of all worlds */
  constructor(log: Logger, redactorOf: (world: World | null) => Redactor) {
    this.#log = log;
    this.#lines = (log as unknown as Record<symbol, DestinationStream>)[symbols.streamSym]!;
    this.#redactorOf = redactorOf;
    this.#hasBodies = log.isLevelEnabled('debug');
  }

  responded(world: World | null, request: RequestRecord): void {
    const { operationId, kind, method, path, status, code, began, ended, id, body, response } = request;
    if (silent.has(operationId ?? path)) return;
    const place = this.#redactorOf(world).text(path);
    const what = code === null ? `${method} ${place}` : `${method} ${place} ${code}`;
    const line = { world: world?.identity.name ?? null, kind, what, status, ms: ended.realMs - began.realMs, id, cause: null };
    if (this.#hasBodies && world) this.#log.info({ ...line, ...this.#bodies(world, body?.text, response.body) });
    else this.#write(line);
  }

  attempt(world: World, attempt: AttemptRecord): void {
    const { eventType, url, error, httpStatus: status, began, ended, id, messageId, sent, answer } = attempt;
    const redactor = this.#redactorOf(world);
    const place = redactor.text(placeOf(url));
    const what = error === null ? `${eventType} to ${place}` : `${eventType} to ${place}: ${redactor.text(error)}`;
    const ms = ended.realMs - began.realMs;
    const line = { world: world.identity.name, kind: 'ATTEMPT', what, status, ms, id, cause: `delivery:${messageId}` } as const;
    if (this.#hasBodies) {
      this.#log.info({ ...line, ...this.#bodies(world, sent, answer?.toString(), answer !== null && isCutResponse(answer)) });
    } else this.#write(line);
  }

  committed(world: World, commit: Commit): void {
    if (!('changes' in commit)) return;
    for (const change of commit.changes) {
      if (change.table !== 'plans' || change.row === null) continue;
      const { id, note } = change.row as PlanRecord;
      if (note !== undefined) this.#log.info({ world: world.identity.name, id }, note);
    }
    for (const { kind, id, from, to: status, reason } of statusChanges(commit)) {
      const because = reason === null ? '' : ` (${reason.code})`;
      const what = `${kind} ${from === null ? status : `${from} to ${status}`}${because}`;
      this.#write({ world: world.identity.name, kind: 'STATE', what, status, ms: null, id, cause: commit.causeId });
      if (kind === 'OPERATION' && from === null) this.#noteFrozen(world, id, commit.causeId);
    }
  }

  /** Writes a line for the first operation in a world since its clock was frozen, because operations wait while the clock is frozen. */
  #noteFrozen(world: World, id: string, cause: string | null): void {
    const { clock } = world;
    if (clock.mode !== 'FROZEN') this.#frozen.delete(world);
    else if (!this.#frozen.has(world)) {
      this.#frozen.add(world);
      const what = `The clock is frozen since ${clock.at}: operations wait. "crossborder-sandbox clock run" starts the clock, "advance" moves it.`;
      this.#write({ world: world.identity.name, kind: 'CLOCK', what, status: 'FROZEN', ms: null, id, cause });
    }
  }

  /** Writes a line in the format of pino, but faster. */
  #write({ world, kind, what, status, ms, id, cause }: Line): void {
    const text = JSON.stringify(what);
    const time = timestampOf(Date.now());
    this.#lines.write(
      `{"level":"info","time":"${time}","world":${JSON.stringify(world)},"kind":"${kind}","what":${text},"status":${JSON.stringify(status)},"ms":${ms},"id":"${id}","cause":${JSON.stringify(cause)}}\n`,
    );
  }

  /** @param isAnswerCut true if only the beginning of the response is known */
  #bodies(world: World, request: string | undefined, answer: string | null | undefined, isAnswerCut = false): object {
    const redactor = this.#redactorOf(world);
    return {
      ...(request ? { request: redactor.text(request, maxBody) } : {}),
      ...(answer ? { answer: redactor.text(answer, maxBody, isAnswerCut) } : {}),
    };
  }
}

/** Returns a URL without the parts that may be secret. */
function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
