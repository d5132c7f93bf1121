import type { Commit } from '../world/commit.js';
import type { StoredEvidence } from '../world/stored-evidence.js';
import type { World } from '../world/world.js';
import type { AttemptRecord, OpenRequest, Replacement, RequestRecord } from './exchange.js';

/** Watches the requests, attempts and worlds of a sandbox. An observer must not change a world or throw an error. */
export interface Observer {
  /** Called when a request has arrived. Its world is not known yet. */
  began?(request: RequestRecord): void;
  /** Called when a request has entered its world. The observer may keep the record, whose later fields are still to be filled in. */
  entered?(world: World, request: OpenRequest): void;
  /** Called when a response is about to be sent. @param world null for an unattributed request */
  responded?(world: World | null, request: OpenRequest): void;
  /** Called after {@link responded} if the client disconnected before it received the whole response. `request.outcome` has changed. */
  clientDisconnected?(world: World | null, request: RequestRecord): void;
  attempt?(world: World, attempt: AttemptRecord): void;
  /** Called when a commit is persisted, before the response of its request. @param tookMs milliseconds of real time to persist it */
  committed?(world: World, commit: Commit, tookMs: number): void;
  /** Called when the state of a world was replaced. Requests that began earlier can no longer change the world. */
  replaced?(world: World, how: Replacement): void;
  /** Called when a world has a new client secret. */
  rotated?(world: World): void;
  /** Called when a world was deleted. A new world may have its name. */
  deleted?(world: World): void;
  /** Called when this node starts to own a world, new or existing. {@link deleted} or {@link left} ends this. */
  opened?(world: World): void;
  /** Called when this node acquires a world from another node or from storage. @param evidence null if none was stored */
  taken?(world: World, evidence: StoredEvidence | null): void;
  /** Called when this node releases a world. */
  left?(world: World): void;
  /** Called when the sandbox stops; its worlds still exist. */
  stopped?(): void;
}
