import { Observers, type AttemptRecord, type Observer, type OpenRequest, type Replacement, type RequestRecord } from './exchange.js';
import type { Commit } from '../world/commit.js';
import type { World } from '../world/world.js';
import { isRead } from '../analysis/record.js';

/** Maximum time that a successful read waits in the queue, in milliseconds. */
const waitMs = 20;
/** Maximum number of waiting requests, and of characters in their bodies. */
const limits = { records: 256, characters: 1024 * 1024 } as const;

/** A finished request that the observers have not seen yet. */
interface Waiting {
  readonly world: World | null;
  readonly request: OpenRequest;
}

const weightOf = ({ body, response }: RequestRecord) => (body?.text.length ?? 0) + (response.body?.length ?? 0);

/**
 * Forwards finished requests to the observers in batches, so that no client waits for the observers: successful reads within 20 ms, all
 * other requests at the end of the turn of the event loop. All other calls of an observer are forwarded immediately; a call that depends on
 * waiting requests forwards these first.
 */
export class RecordQueue implements Required<Observer> {
  readonly #observers: Observers;
  #waiting: Waiting[] = [];
  #weight = 0;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  /** @param onFault called when an observer throws */
  constructor(observers: readonly Observer[], onFault: (error: unknown, what: string) => void) {
    this.#observers = new Observers(observers, onFault);
  }

  /** Forwards all waiting requests to the observers. Call this before you read the data of the observers. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#timer = this.#immediate = undefined;
    const batch = this.#waiting;
    this.#waiting = [];
    this.#weight = 0;
    for (const { world, request } of batch) this.#observers.responded(world, request);
  }

  began(request: RequestRecord): void {
    this.#observers.began(request);
  }

  entered(world: World, request: OpenRequest): void {
    if (!isRead(request)) this.flush();
    this.#observers.entered(world, request);
  }

  responded(world: World | null, request: OpenRequest): void {
    this.#weight += weightOf(request);
    if (this.#waiting.push({ world, request }) >= limits.records || this.#weight >= limits.characters) this.flush();
    else if (!isRead(request) || request.status >= 400) this.#immediate ??= setImmediate(() => this.flush());
    else this.#timer ??= setTimeout(() => this.flush(), waitMs).unref();
  }

  clientDisconnected(world: World | null, request: RequestRecord): void {
    // If the request still waits, `flush` forwards it with its new outcome.
    const isWaiting = this.#waiting.some((each) => each.request === request);
    this.flush();
    if (!isWaiting) this.#observers.clientDisconnected(world, request);
  }

  attempt(world: World, attempt: AttemptRecord): void {
    this.flush();
    this.#observers.attempt(world, attempt);
  }

  committed(world: World, commit: Commit, tookMs: number): void {
    this.flush();
    this.#observers.committed(world, commit, tookMs);
  }

  replaced(world: World, how: Replacement): void {
    this.flush();
    this.#observers.replaced(world, how);
  }

  deleted(world: World): void {
    this.flush();
    this.#observers.deleted(world);
  }

  opened(world: World): void {
    this.#observers.opened(world);
  }

  taken(world: World): void {
    this.flush();
    this.#observers.taken(world);
  }

  left(world: World): void {
    this.flush();
    this.#observers.left(world);
  }

  stopped(): void {
    this.flush();
    this.#observers.stopped();
  }
}
