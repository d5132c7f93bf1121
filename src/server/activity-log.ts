import type { Logger } from 'pino';
import { statusChanges } from '../mirror/status-changes.js';
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
  /** Takes the secrets out of the bodies of a world; null where no bodies are written. */
  readonly #redacted: ((world: World, text: string) => string) | null;

  /** @param redact takes the secrets out of a text of a world, for the bodies that are written at `debug` */
  constructor(log: Logger, redact: (world: World, text: string) => string) {
    this.#log = log;
    this.#redacted = log.isLevelEnabled('debug') ? (world, text) => redact(world, text).slice(0, maxBody) : null;
  }

  exchange(world: World | null, seen: Exchange): void {
    const { operationId, kind, method, path, status, code, began, ended, id } = seen;
    if (silent.has(operationId ?? path)) return;
    const what = code === null ? `${method} ${path}` : `${method} ${path} ${code}`;
    const line = { world: world?.identity.name ?? null, kind, what, status, ms: ended.realMs - began.realMs, id, cause: null };
    this.#log.info(this.#redacted && world ? { ...line, ...this.#bodies(world, seen.body?.text, seen.answer.body) } : line);
  }

  attempt(world: World, seen: SeenAttempt): void {
    const { eventType, url, error, httpStatus: status, began, ended, id, messageId } = seen;
    const what = error === null ? `${eventType} to ${placeOf(url)}` : `${eventType} to ${placeOf(url)}: ${error}`;
    const ms = ended.realMs - began.realMs;
    const line = { world: world.identity.name, kind: 'ATTEMPT', what, status, ms, id, cause: `delivery:${messageId}` };
    this.#log.info(this.#redacted ? { ...line, ...this.#bodies(world, seen.body, seen.answer?.toString()) } : line);
  }

  committed(world: World, commit: Commit): void {
    if (!('changes' in commit)) return;
    for (const { kind, id, from, to: status, reason } of statusChanges(commit)) {
      const because = reason === null ? '' : ` (${reason.code})`;
      const what = `${kind} ${from === null ? status : `${from} to ${status}`}${because}`;
      this.#log.info({ world: world.identity.name, kind: 'STATE', what, status, ms: null, id, cause: commit.causeId });
    }
  }

  #bodies(world: World, request: string | undefined, answer: string | null | undefined): object {
    return {
      ...(request ? { request: this.#redacted?.(world, request) } : {}),
      ...(answer ? { answer: this.#redacted?.(world, answer) } : {}),
    };
  }
}

/** Where a URL leads, without what may be secret in it. */
function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
