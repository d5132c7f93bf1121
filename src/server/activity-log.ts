import type { Logger } from 'pino';
import { statusChanges } from '../mirror/status-changes.js';
import { isCutAnswer } from '../mirror/record/entry.js';
import type { Redactor } from '../mirror/record/redaction.js';
import type { Commit } from '../world/commit.js';
import type { Exchange, SeenAttempt, Witness } from '../world/witness.js';
import type { World } from '../world/world.js';

/** Calls that probes make all the time. */
const silent: ReadonlySet<string> = new Set(['getLiveness', 'getReadiness', '/metrics']);

/** How much of a body is written, in characters. */
const maxBody = 4096;

/** Writes a line for each call, each attempt and each status that a resource comes to. */
export class ActivityLog implements Witness {
  readonly #log: Logger;
  readonly #redactorOf: (world: World | null) => Redactor;
  /** Whether bodies are written. */
  readonly #hasBodies: boolean;

  /** @param redactorOf returns what removes the secrets of a world from a text; without a world, those of all */
  constructor(log: Logger, redactorOf: (world: World | null) => Redactor) {
    this.#log = log;
    this.#redactorOf = redactorOf;
    this.#hasBodies = log.isLevelEnabled('debug');
  }

  exchange(world: World | null, seen: Exchange): void {
    const { operationId, kind, method, path, status, code, began, ended, id } = seen;
    if (silent.has(operationId ?? path)) return;
    const place = this.#redactorOf(world).text(path);
    const what = code === null ? `${method} ${place}` : `${method} ${place} ${code}`;
    const line = { world: world?.identity.name ?? null, kind, what, status, ms: ended.realMs - began.realMs, id, cause: null };
    this.#log.info(this.#hasBodies && world ? { ...line, ...this.#bodies(world, seen.body?.text, seen.answer.sent) } : line);
  }

  attempt(world: World, seen: SeenAttempt): void {
    const { eventType, url, error, httpStatus: status, began, ended, id, messageId } = seen;
    const redactor = this.#redactorOf(world);
    const place = redactor.text(placeOf(url));
    const what = error === null ? `${eventType} to ${place}` : `${eventType} to ${place}: ${redactor.text(error)}`;
    const ms = ended.realMs - began.realMs;
    const line = { world: world.identity.name, kind: 'ATTEMPT', what, status, ms, id, cause: `delivery:${messageId}` };
    this.#log.info(
      this.#hasBodies
        ? { ...line, ...this.#bodies(world, seen.sent, seen.answer?.toString(), Boolean(seen.answer && isCutAnswer(seen.answer))) }
        : line,
    );
  }

  committed(world: World, commit: Commit): void {
    if (!('changes' in commit)) return;
    for (const { kind, id, from, to: status, reason } of statusChanges(commit)) {
      const because = reason === null ? '' : ` (${reason.code})`;
      const what = `${kind} ${from === null ? status : `${from} to ${status}`}${because}`;
      this.#log.info({ world: world.identity.name, kind: 'STATE', what, status, ms: null, id, cause: commit.causeId });
    }
  }

  /** @param isAnswerCut true if only the beginning of the answer is known */
  #bodies(world: World, request: string | undefined, answer: string | null | undefined, isAnswerCut = false): object {
    const redactor = this.#redactorOf(world);
    return {
      ...(request ? { request: redactor.text(request, maxBody) } : {}),
      ...(answer ? { answer: redactor.text(answer, maxBody, isAnswerCut) } : {}),
    };
  }
}

/** Where a URL leads, without what may be secret in it. */
function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
