import type { TraceContext } from '../domain/webhooks/trace-context.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { Version } from '../contract/versions/version.js';
import { versions } from '../contract/versions/versions.js';
import { DomainError } from '../domain/errors.js';
import { Inboxes } from './delivery/inboxes.js';
import { Listeners } from './delivery/listeners.js';
import { HeldCalls } from './held-calls.js';
import { runJob } from './jobs.js';
import type { ReadFile } from '../scenario/versions.js';
import { Deliverer } from './delivery/deliverer.js';
import { TokenService } from './tokens.js';
import { CommitWatch } from '../world/watch.js';
import { freshState } from '../fixtures/populate.js';
import { keepSnapshots, orphanedParts } from '../world/document/snapshots.js';
import type { NewEvidence } from '../storage/storage.js';
import type { StoredEvidence } from '../world/stored-evidence.js';
import type { Commit, WorldLog } from '../world/commit.js';
import { withNewSecret } from '../world/credentials.js';
import type { IdentityRecord } from '../world/rows.js';
import { stateOf, rowCount, rowsOf, weightOfState, type State } from '../world/state.js';
import type { SharedServices } from '../world/view.js';
import { Session } from '../world/session.js';
import { Ticker } from '../world/ticker.js';
import { type Replacement } from '../exchange/exchange.js';
import { EventDispatcher } from '../exchange/event-dispatcher.js';
import { defaultRetention } from '../world/retention.js';
import { World } from '../world/world.js';
import type { PlaneHost } from '../api/plane/plane.js';
import { replaceUnknownScenario, scenarioUsers } from './used-scenarios.js';
import { WorldRegister } from './world-register.js';
import { idSeriesIn } from '../world/id-series.js';
import { defaultWorld, identityOf, randomCredentials, randomWorldName, type WorldRequest } from '../world/identity.js';
import { sharedServicesOf, type SandboxOptions } from './options.js';

/** Number of worlds whose evidence is stored in one statement. */
const evidenceAtOnce = 50;

/** Composition root: connects the worlds of a sandbox with all services. */
export class Sandbox {
  readonly options: SandboxOptions;
  readonly tokens: TokenService;
  readonly deliverer: Deliverer;
  readonly inboxes: Inboxes;
  readonly listeners: Listeners;
  /** The calls that wait before their response. */
  readonly held = new HeldCalls();
  /** Wakes requests that wait for a change in a world. */
  readonly watch: CommitWatch;
  /** Services for the public API and the control API. */
  readonly planeHost: PlaneHost & { readonly observers: EventDispatcher };
  /** The versions of the public API, newest first. */
  readonly versions: readonly Version[];
  readonly #services: SharedServices;
  readonly #register: WorldRegister;
  readonly #tickers = new WeakMap<World, Ticker>();

  private constructor(options: SandboxOptions) {
    this.options = options;
    this.versions = options.versions ?? versions;
    this.watch = new CommitWatch(options.worldLimits?.waits);
    this.#register = new WorldRegister(
      options,
      (world) => void this.deleteWorld(world).catch((error: unknown) => options.onInternalError(error, 'end of a world')),
    );
    const { worlds } = this.#register;
    const observers = options.dispatcher ?? new EventDispatcher([], [], options.onInternalError);
    this.planeHost = { observers, realNow: options.realNow, onInternalError: options.onInternalError };
    this.#services = sharedServicesOf(options);
    const { hosted } = options;
    this.inboxes = new Inboxes({ worlds, isShared: hosted !== undefined, realNow: options.realNow, ownPorts: options.ownPorts });
    this.listeners = new Listeners(worlds);
    const transport = this.inboxes.transport(this.listeners.transport(options.transport));
    this.deliverer = new Deliverer({
      transport,
      holdAttempt: options.holdAttempt,
      versions: this.versions,
      observers,
      realNow: options.realNow,
      onInternalError: options.onInternalError,
    });
    this.tokens = new TokenService(options.tokenKey, (clientId) => this.#register.ofClient(clientId), options.realNow);
  }

  /**
   * Opens a sandbox: loads its worlds, creates the default world if it is missing, and resumes pending work.
   * @throws Error if the storage cannot be read or the scenario does not exist
   */
  static async open(options: SandboxOptions): Promise<Sandbox> {
    const sandbox = new Sandbox(options);
    options.scenarios.check(options.scenario);
    if (options.hosted) return sandbox;
    for await (const { name } of options.storage.heads()) await sandbox.#openWorld(name);
    if (!sandbox.worlds.has(defaultWorld.name)) await sandbox.createWorld({ name: defaultWorld.name });
    for (const world of sandbox.worlds.values()) await sandbox.#begin(world);
    return sandbox;
  }

  get worlds(): ReadonlyMap<string, World> {
    return this.#register.worlds;
  }

  /** @throws DomainError RESOURCE_NOT_FOUND */
  world(name: string): World {
    return this.#register.world(name);
  }

  /**
   * Starts a request to a world and pauses its time to live until the request ends.
   * @param isUse false for a request that neither pauses nor restarts the time to live
   * @param trace trace context of the request; null without one
   */
  enter(world: World, causeId: string, overtaken: (world: World) => Error, isUse = true, trace: TraceContext | null = null): Session {
    if (isUse) world.lastUsedMs = this.options.realNow();
    const ended = isUse ? this.#register.expiry.hold(world) : () => undefined;
    const { rows } = this.#register;
    const host = {
      overtaken,
      admit: (change: UnitOfWork) => rows.admitChange(world, change),
      admitBytes: (written: number, growth: number) => rows.admitBytes(world, written, growth),
      ended,
      ...(this.options.instantMs ? { instantMs: this.options.instantMs } : {}),
    };
    return new Session(world, causeId, host, trace);
  }

  tickerOf(world: World): Ticker {
    const ticker = this.#tickers.get(world);
    if (!ticker) throw new Error('The world has no ticker.');
    return ticker;
  }

  /**
   * Creates a world, or returns the existing one with this name, also if another request is creating it.
   * @throws DomainError as {@link createWorld}, and SERVICE_UNAVAILABLE while another node creates the world
   */
  async ensureWorld(request: WorldRequest & { readonly name: string }): Promise<{ readonly world: World; readonly isNew: boolean }> {
    const { name } = request;
    try {
      return { world: await this.createWorld(request), isNew: true };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'RESOURCE_ALREADY_EXISTS') throw error;
      const world = await this.#register.arrival(name);
      if (!world) throw new DomainError('SERVICE_UNAVAILABLE', `World ${name} is being created. Retry in a second.`);
      return { world, isNew: false };
    }
  }

  /**
   * Creates a world with new credentials.
   * @throws DomainError RESOURCE_ALREADY_EXISTS, RESOURCE_NOT_FOUND (scenario), RATE_LIMIT_EXCEEDED at the maximum number of worlds
   */
  async createWorld(request: WorldRequest): Promise<World> {
    const name = request.name ?? randomWorldName();
    return this.#register.reserve(name, async () => {
      const scenario = request.scenario ?? this.options.scenario;
      if (request.scenario !== undefined) this.options.scenarios.check(scenario);
      const computed = identityOf({ ...request, name, scenario, seed: request.seed ?? this.options.seed });
      const identity = this.options.hosted ? { ...computed, ...randomCredentials() } : computed;
      const state = this.#freshState(identity);
      this.#register.rows.admit(rowCount(state), weightOfState(state));
      const world = this.#newWorld(await this.options.storage.create(identity, rowsOf(state)), 0, state);
      this.#add(world);
      this.#afterCommit(world);
      return world;
    });
  }

  /**
   * Stores the evidence of worlds for their next node, some at a time. Does nothing without other nodes. Errors are reported, not thrown:
   * without the evidence, the next report says so.
   * @param worlds default: those whose evidence has changed since the last call
   * @param isFinal true if this node releases the worlds
   */
  async storeEvidence(worlds?: readonly World[], isFinal = false): Promise<void> {
    const { hosted } = this.options;
    if (!hosted) return;
    const all = worlds ?? hosted.evidence.changed();
    const failed = (error: unknown, names: readonly string[]) => {
      // A node that may no longer store anything has reported that, and stores no evidence either.
      if (isFinal || !this.options.storage.isReadOnly)
        this.options.onInternalError(error, `storing of the evidence of world ${names.join(', ')}`);
    };
    for (let at = 0; at < all.length; at += evidenceAtOnce) {
      const evidence: NewEvidence[] = [];
      const some = all.slice(at, at + evidenceAtOnce);
      for (const world of some) {
        if (!this.#register.has(world) && !isFinal) continue;
        try {
          const [verdict, bytes] = [hosted.verdictOf(world), Math.round(world.weight)];
          evidence.push({ name: world.identity.name, text: await hosted.evidence.stored(world), bytes, verdict });
        } catch (error) {
          failed(error, [world.identity.name]); // The other worlds are stored all the same.
          hosted.evidence.retry([world]);
        }
      }
      try {
        await hosted.storeEvidence(evidence, isFinal);
      } catch (error) {
        failed(
          error,
          evidence.map(({ name }) => name),
        );
        hosted.evidence.retry(some);
      }
    }
  }

  /** Loads a stored world that is not in memory and runs its due jobs. Returns null if there is no such world. @throws OwnedByOtherNode */
  async acquire(name: string): Promise<World | null> {
    if (this.#register.isComing(name)) throw new DomainError('SERVICE_UNAVAILABLE', `World ${name} is being created. Retry in a second.`);
    const opened = await this.#openWorld(name);
    if (!opened) return null;
    const { world, evidence } = opened;
    this.planeHost.observers.taken(world, evidence);
    await this.#begin(world);
    return world;
  }

  /** Releases a world, so that another node can own it. Open requests to the world have no effect. */
  release(world: World): void {
    if (!this.#register.has(world)) return;
    this.#stop(world);
    world.lose();
    this.watch.notify(world);
    this.listeners.forget(world);
    this.planeHost.observers.left(world);
  }

  /** Stops deliveries and timers of a world, and removes it from the register. */
  #stop(world: World): void {
    this.deliverer.abandon(world);
    this.tickerOf(world).stop();
    this.#register.remove(world);
    this.inboxes.subscribed.forget(world);
  }

  /**
   * Replaces a world by a new world, which keeps the name, credentials and tokens. Deletes all other data, also snapshots.
   * @throws DomainError RESOURCE_NOT_FOUND (scenario), SCENARIO_INVALID, RATE_LIMIT_EXCEEDED
   */
  async recreateWorld(world: World, request: Omit<WorldRequest, 'name'>): Promise<void> {
    if (request.scenario !== undefined) this.options.scenarios.check(request.scenario);
    const { scenario, seed } = this.options;
    const { name, clientId, clientSecret, incarnation, former } = world.identity;
    const wanted = { ...request, name, scenario: request.scenario ?? scenario, seed: request.seed ?? seed };
    const identity = { ...identityOf(wanted), clientId, clientSecret, incarnation, ...(former ? { former } : {}) };
    const fresh = this.#freshState(identity);
    this.#register.rows.admit(rowCount(fresh) - rowCount(world.state), weightOfState(fresh) - world.weight);
    await this.#put(world, fresh, 'RECREATE');
    this.#register.expiry.forget(world);
    this.#register.expiry.begin(world);
  }

  /**
   * Gives a world a new client secret. Tokens that were issued with the present secret end with it.
   * @param graceMs real time in milliseconds for which the present secret stays valid
   * @returns the end of the present secret in Unix milliseconds; null if it ended at once
   */
  async rotateCredentials(session: Session, graceMs: number): Promise<number | null> {
    const untilMs = graceMs === 0 ? null : this.options.realNow() + graceMs;
    const { kept } = session.write((uow) => uow.put('identity', withNewSecret(uow.identity, untilMs)));
    this.planeHost.observers.rotated(session.world);
    await kept;
    return untilMs;
  }

  /**
   * Resets a world to the state after its creation. The world keeps its name, credentials and tokens.
   * @param ids `same`: new rows get the ids that they had after the creation; `fresh`: ids that the world never had
   */
  async reset(world: World, ids: 'same' | 'fresh' = 'same'): Promise<void> {
    const { scenarios, scenario } = this.options;
    const { identity } = world;
    const known = scenarios.get(identity.scenario) ? identity.scenario : scenario;
    // An imported state can contain ids of a later series than the last series of this world.
    const series = ids === 'same' ? 0 : Math.max(identity.lastIdSeries ?? 0, idSeriesIn(world.state)) + 1;
    const fresh = this.#freshState({ ...identity, scenario: known }, series);
    fresh.identity.set('identity', series === 0 ? identity : { ...identity, lastIdSeries: series });
    await this.#replace(world, fresh, 'RESET');
  }

  /**
   * Replaces the state of a world except its snapshots. Open requests have no effect. Sends the pending attempts of the new state.
   * @throws DomainError RESOURCE_NOT_FOUND if the world is deleted, RATE_LIMIT_EXCEEDED if the state exceeds the limits
   */
  async replaceState(world: World, state: State, how: Replacement): Promise<void> {
    const { snapshots, snapshotParts } = world.state;
    const bytes = weightOfState(state) + snapshots.weight + snapshotParts.weight;
    this.#register.rows.admitWorld(state, bytes);
    this.#register.rows.admit(rowCount(state) + snapshots.size + snapshotParts.size - rowCount(world.state), bytes - world.weight);
    await this.#replace(world, state, how);
  }

  async #replace(world: World, state: State, how: Replacement): Promise<void> {
    this.#register.check(world);
    keepSnapshots(world.state, state);
    await this.#put(world, state, how);
  }

  async #put(world: World, state: State, how: Replacement): Promise<void> {
    const kept = world.replace(state);
    this.inboxes.subscribed.read(world);
    this.planeHost.observers.replaced(world, how);
    this.watch.notify(world);
    await kept;
    await replaceUnknownScenario(world, this.options); // A snapshot may use a scenario whose file was deleted.
    await this.tickerOf(world).runDueJobs();
  }

  /** Deletes a world permanently. @throws DomainError INVALID_STATUS_CHANGE for the default world, RESOURCE_NOT_FOUND if already deleted */
  async deleteWorld(world: World): Promise<void> {
    this.#register.check(world);
    const { name, clientId } = world.identity;
    if (name === defaultWorld.name && !this.options.hosted) {
      const message = 'The default world cannot be deleted. Reset it instead.';
      throw new DomainError('INVALID_STATUS_CHANGE', message, { resource: 'World', name, possible: ['reset'] });
    }
    this.#stop(world);
    this.tokens.forget(clientId);
    const dropped = world.drop();
    this.watch.notify(world);
    try {
      await dropped;
    } catch (error) {
      this.#register.add(world);
      this.inboxes.subscribed.read(world);
      throw error;
    }
    this.listeners.forget(world);
    this.planeHost.observers.deleted(world);
  }

  /** Stops timers and deliveries and stores all commits. Open attempts stay pending. */
  async close(): Promise<void> {
    // Stored before the observers end: requests at the next node may disprove their final conclusions.
    await this.storeEvidence([...this.worlds.values()], true);
    this.planeHost.observers.stopped();
    this.deliverer.stop();
    this.#register.expiry.stop();
    for (const world of this.worlds.values()) this.tickerOf(world).stop();
    // Storage errors were already reported, and do not prevent the stop.
    await Promise.allSettled(Array.from(this.worlds.values(), (world) => world.rest()));
    await this.options.storage.close();
  }

  /** Replaces all scenario files, for resources that are created later. Scenarios in use stay available even if their file is missing. */
  replaceScenarios(files: readonly ReadFile[]): void {
    const users = scenarioUsers(this.worlds, this.options.scenario);
    this.options.scenarios.replace(files, new Date(this.options.realNow()).toISOString(), users);
  }

  #freshState(identity: IdentityRecord, idSeries = 0): State {
    return freshState({ identity, idSeries }, this.options.data, this.#services, this.options.realNow());
  }

  /** Loads a stored world; null if there is no such world. */
  async #openWorld(name: string): Promise<{ readonly world: World; readonly evidence: StoredEvidence | null } | null> {
    const opened = await this.options.storage.open(name);
    if (!opened) return null;
    const world = this.#newWorld(opened.log, opened.sequence, await stateOf(opened.rows));
    this.#add(world);
    return { world, evidence: opened.evidence ?? null };
  }

  #add(world: World): void {
    this.#register.add(world);
    this.inboxes.subscribed.read(world);
    this.planeHost.observers.opened(world);
  }

  /** Resumes the pending work of an opened world. */
  async #begin(world: World): Promise<void> {
    await replaceUnknownScenario(world, this.options);
    const orphans = orphanedParts(world.state);
    if (orphans.length > 0) await world.write('start', (uow) => orphans.forEach((id) => uow.delete('snapshotParts', id))).kept;
    await this.tickerOf(world).runDueJobs();
    this.#afterCommit(world);
  }

  #newWorld(log: WorldLog, sequence: number, state: State): World {
    const world: World = new World(
      {
        realNow: this.options.realNow,
        services: this.#services,
        retention: this.options.retention ?? defaultRetention,
        committed: (each, commit, tookMs) => this.#afterCommit(each, commit, tookMs),
      },
      log,
      sequence,
      state,
    );
    this.#tickers.set(
      world,
      new Ticker(world, {
        runJob: (each, job) => runJob(each, job, this.options.onInternalError),
        deliver: async (each) => void (await this.deliverer.flush(each)),
        mayRun: (each) => this.options.mayRunJobs?.(each) ?? true,
        watchDeliveries: (each, listener) => this.deliverer.watch(each, listener),
      }),
    );
    return world;
  }

  #afterCommit(world: World, commit?: Commit, tookMs = 0): void {
    if (commit) this.planeHost.observers.committed(world, commit, tookMs);
    if (!this.#register.has(world)) return;
    if (commit) this.inboxes.subscribed.committed(world, commit);
    this.#register.rows.count(world);
    this.deliverer.committed(world, commit);
    this.watch.notify(world, commit);
    this.tickerOf(world).arm();
  }
}
