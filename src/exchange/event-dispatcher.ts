import type { Commit } from '../world/commit.js';
import type { StoredEvidence } from '../world/stored-evidence.js';
import type { World } from '../world/world.js';
import { isRead, type AttemptRecord, type OpenRequest, type Replacement, type RequestRecord } from './exchange.js';
import type { Observer } from './observer.js';

/** Maximum time that a successful read waits for the projections, in milliseconds. */
const waitMs = 20;
/** Maximum number of waiting requests, and of characters in their bodies. Another event waits for at most so many. */
const limits = { requests: 64, characters: 1024 * 1024 } as const;
/** Time after which other work of the event loop comes first, in milliseconds. */
const sliceMs = 5;

type Event = keyof Observer;

const events = [
  'began',
  'entered',
  'responded',
  'clientDisconnected',
  'attempt',
  'committed',
  'replaced',
  'rotated',
  'deleted',
  'opened',
  'taken',
  'left',
  'stopped',
] as const satisfies readonly Event[];

/** The methods of the observers for each event, so that an event without observers costs nothing. */
type ByEvent = { readonly [E in Event]: readonly Required<Observer>[E][] };

const byEvent = (all: readonly Observer[]) =>
  Object.fromEntries(
    events.map((event) => [event, all.flatMap((each) => (each[event] as (() => void) | undefined)?.bind(each) ?? [])] as const),
  ) as unknown as ByEvent;

const weightOf = ({ body, response }: RequestRecord) => (body?.text.length ?? 0) + (response.body?.length ?? 0);

/**
 * Passes all events of a sandbox to its projections and its live observers. Live observers see each event immediately. Projections see
 * finished requests later, so that no client waits for them: successful reads after 20 ms, all other requests after the turn of the event
 * loop, in time slices, or as soon as {@link catchUp} is called or another event depends on them. An observer that throws does not affect
 * the others.
 */
export class EventDispatcher implements Required<Observer> {
  readonly #projections: ByEvent;
  readonly #live: ByEvent;
  readonly #onInternalError: (error: unknown, what: string) => void;
  /** Finished requests that the projections have not seen. */
  readonly #requests: { readonly world: World | null; readonly request: OpenRequest; readonly weight: number }[] = [];
  #isCatchingUp = false;
  #characters = 0;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  /** @param onInternalError called when an observer throws */
  constructor(projections: readonly Observer[], live: readonly Observer[], onInternalError: (error: unknown, what: string) => void) {
    this.#projections = byEvent(projections);
    this.#live = byEvent(live);
    this.#onInternalError = onInternalError;
  }

  /** Passes all waiting requests to the projections. Call this before you read the data of a projection. */
  catchUp(): void {
    // A projection that asks another one while it sees a request must not see the next request meanwhile.
    if (!this.#isCatchingUp && this.#requests.length > 0) this.#pass(Infinity);
  }

  /** Passes waiting requests until a time by `performance.now()`, and the rest in later turns of the event loop. */
  #pass(untilMs: number): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#timer = this.#immediate = undefined;
    while (this.#requests.length > 0 && performance.now() < untilMs) this.#passNext();
    if (this.#requests.length > 0) this.#immediate ??= setImmediate(this.#passSome);
  }

  /** Passes waiting requests for one time slice. */
  readonly #passSome = (): void => this.#pass(performance.now() + sliceMs);

  /** Passes the oldest waiting request to the projections. */
  #passNext(): void {
    const { world, request, weight } = this.#requests.shift()!;
    this.#characters -= weight;
    this.#isCatchingUp = true;
    try {
      this.#notify(this.#projections.responded, world, request);
    } finally {
      this.#isCatchingUp = false;
    }
  }

  began(request: RequestRecord): void {
    this.#notifyAll('began', request);
  }

  entered(world: World, request: OpenRequest): void {
    if (!isRead(request)) this.catchUp();
    this.#notifyAll('entered', world, request);
  }

  responded(world: World | null, request: OpenRequest): void {
    const weight = weightOf(request);
    this.#characters += weight;
    this.#requests.push({ world, request, weight });
    while (!this.#isCatchingUp && (this.#requests.length > limits.requests || this.#characters > limits.characters)) this.#passNext();
    if (!isRead(request) || request.status >= 400) this.#immediate ??= setImmediate(this.#passSome);
    else this.#timer ??= setTimeout(this.#passSome, waitMs).unref();
    this.#notify(this.#live.responded, world, request);
  }

  clientDisconnected(world: World | null, request: RequestRecord): void {
    // Projections see a waiting request with its new outcome.
    const isWaiting = this.#requests.some((each) => each.request === request);
    this.catchUp();
    if (!isWaiting) this.#notify(this.#projections.clientDisconnected, world, request);
    this.#notify(this.#live.clientDisconnected, world, request);
  }

  attempt(world: World, attempt: AttemptRecord): void {
    this.catchUp();
    this.#notifyAll('attempt', world, attempt);
  }

  committed(world: World, commit: Commit, tookMs: number): void {
    this.catchUp();
    this.#notifyAll('committed', world, commit, tookMs);
  }

  replaced(world: World, how: Replacement): void {
    this.catchUp();
    this.#notifyAll('replaced', world, how);
  }

  rotated(world: World): void {
    this.catchUp();
    this.#notifyAll('rotated', world);
  }

  deleted(world: World): void {
    this.catchUp();
    this.#notifyAll('deleted', world);
  }

  opened(world: World): void {
    this.#notifyAll('opened', world);
  }

  taken(world: World, evidence: StoredEvidence | null): void {
    this.catchUp();
    this.#notifyAll('taken', world, evidence);
  }

  left(world: World): void {
    this.catchUp();
    this.#notifyAll('left', world);
  }

  stopped(): void {
    this.catchUp();
    this.#notifyAll('stopped');
  }

  #notifyAll<E extends Event>(event: E, ...facts: Parameters<Required<Observer>[E]>): void {
    this.#notify(this.#projections[event] as readonly ((...given: typeof facts) => void)[], ...facts);
    this.#notify(this.#live[event] as readonly ((...given: typeof facts) => void)[], ...facts);
  }

  #notify<A extends unknown[]>(observers: readonly ((...facts: A) => void)[], ...facts: A): void {
    for (const notify of observers) {
      try {
        notify(...facts);
      } catch (error) {
        this.#onInternalError(error, 'observer');
      }
    }
  }
}
