import type { Logger } from 'pino';
import { statusChanges } from '../mirror/status-changes.js';
import type { Commit } from '../world/commit.js';
import type { Exchange, SeenAttempt, Witness } from '../world/witness.js';
import type { World } from '../world/world.js';

/** Calls that probes make all the time. */
const silent: ReadonlySet<string> = new Set(['getLiveness', 'getReadiness', '/metrics']);

/** Writes a line for each call, each attempt and each status that a resource comes to. */
export class ActivityLog implements Witness {
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  exchange(world: World | null, { operationId, kind, method, path, status, code, began, ended, id }: Exchange): void {
    if (silent.has(operationId ?? path)) return;
    const what = code === null ? `${method} ${path}` : `${method} ${path} ${code}`;
    this.#log.info({ world: world?.identity.name ?? null, kind, what, status, ms: ended.realMs - began.realMs, id, cause: null });
  }

  attempt(world: World, { eventType, url, error, httpStatus: status, began, ended, id, messageId }: SeenAttempt): void {
    const what = error === null ? `${eventType} to ${placeOf(url)}` : `${eventType} to ${placeOf(url)}: ${error}`;
    const ms = ended.realMs - began.realMs;
    this.#log.info({ world: world.identity.name, kind: 'ATTEMPT', what, status, ms, id, cause: `delivery:${messageId}` });
  }

  committed(world: World, commit: Commit): void {
    if (!('changes' in commit)) return;
    for (const { kind, id, from, to: status, reason } of statusChanges(commit)) {
      const because = reason === null ? '' : ` (${reason.code})`;
      const what = `${kind} ${from === null ? status : `${from} to ${status}`}${because}`;
      this.#log.info({ world: world.identity.name, kind: 'STATE', what, status, ms: null, id, cause: commit.causeId });
    }
  }
}

/** Where a URL leads, without what may be secret in it. */
function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
