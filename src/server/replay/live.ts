import type { Replay } from '../../contract/control/analysis/replay.js';
import { isReadMethod } from '../../api/plane/guard.js';
import type { AttemptRecord, RequestRecord } from '../../exchange/exchange.js';
import type { Observer } from '../../exchange/observer.js';
import type { World } from '../../world/world.js';
import { settingsOf, type StartOptions } from '../options.js';
import { startServer, type RunningServer } from '../server.js';
import { Follower, type FirstDifference } from './follower.js';
import { makeWorld } from './player.js';
import { ReplayTime } from './time.js';

/** Time without a request or webhook after which the clock moves on to the next recorded step, in milliseconds. */
const pauseMs = 50;

/** A sandbox in which a live client repeats a recording. Its clock shows the recorded time at each recorded request and webhook. */
export class LiveReplay implements Observer {
  readonly #file: Replay;
  readonly #time: ReplayTime;
  readonly #follower: Follower;
  #server: RunningServer | null = null;
  /** Ids of the requests to the world that have no response yet. */
  readonly #open = new Set<string>();
  /** Ids of the requests that were open when the world was replaced. They belong to the world before. */
  readonly #earlier = new Set<string>();
  #nudge: NodeJS.Timeout | null = null;

  private constructor(file: Replay) {
    this.#file = file;
    this.#time = new ReplayTime(file.world);
    this.#follower = new Follower(file);
  }

  /** Starts a sandbox with the world of a file, before the first step. */
  static async start(file: Replay, options: StartOptions = {}): Promise<LiveReplay> {
    const live = new LiveReplay(file);
    const { urlPolicy: webhookUrlPolicy, seed } = file.world;
    const server = await startServer(settingsOf({ webhookUrlPolicy, seed, ...options }), {
      isEmbedded: true,
      replay: {
        realNow: live.#time.now,
        holdAttempt: () => Promise.resolve(null),
        mayRunJobs: () => true,
        observer: live,
        ports: undefined,
      },
    });
    try {
      await makeWorld(server, file);
      live.#server = server;
      live.#follower.restart();
      return live;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  get server(): RunningServer {
    return this.#server!;
  }

  /** The credentials of the world, which are those of the recorded world. */
  get credentials(): { readonly clientId: string; readonly clientSecret: string } {
    const { clientId, clientSecret } = this.server.sandbox.world(this.#file.world.name).identity;
    return { clientId, clientSecret };
  }

  /** The first difference between the recording and the client; null if there was none so far. */
  get departure(): FirstDifference | null {
    return this.#follower.departure;
  }

  /** Number of requests and webhooks that were as recorded. */
  get same(): FirstDifference['same'] {
    return this.#follower.same;
  }

  /** Records that the client has ended. */
  ended(): void {
    this.#follower.ended();
  }

  async close(): Promise<void> {
    if (this.#nudge) clearTimeout(this.#nudge);
    await this.#server?.close();
  }

  entered(world: World, request: RequestRecord): void {
    if (!this.#isFollowed(world)) return;
    this.#open.add(request.id);
    const step = this.departure ? undefined : this.#follower.expected(request);
    if (step && !world.isPinned) this.#time.moveTo(world, Math.max(Date.parse(step.at), world.nowMs()), step.realMs);
  }

  responded(world: World | null, request: RequestRecord): void {
    if (!world || !this.#isFollowed(world)) return;
    this.#open.delete(request.id);
    const { kind, method } = request;
    // The recording has no reads of the control API.
    if (this.#earlier.delete(request.id) || (kind === 'CONTROL' && isReadMethod(method))) return;
    this.#follower.called(request);
    this.#goOn(world);
  }

  attempt(world: World, attempt: AttemptRecord): void {
    if (!this.#isFollowed(world)) return;
    this.#follower.attempted(attempt);
    this.#goOn(world);
  }

  replaced(world: World): void {
    if (world.identity.name === this.#file.world.name) this.#restart();
  }

  opened(world: World): void {
    if (world.identity.name === this.#file.world.name) this.#restart();
  }

  #isFollowed(world: World): boolean {
    return this.#server !== null && world.identity.name === this.#file.world.name;
  }

  #restart(): void {
    for (const id of this.#open) this.#earlier.add(id);
    this.#follower.restart();
  }

  /**
   * Lets time run after the first difference. Before that, moves a running clock to the next step: the client may wait for a webhook
   * that becomes due before it.
   */
  #goOn(world: World): void {
    const { next } = this.#follower;
    if (this.departure || !next) return this.#time.run();
    if (world.clock.mode === 'FROZEN') return;
    if (this.#nudge) clearTimeout(this.#nudge);
    this.#nudge = setTimeout(() => {
      if (this.#follower.next !== next || this.departure || world.isPinned || world.isGone) return;
      this.#time.moveTo(world, Math.max(Date.parse(next.at), world.nowMs()), next.realMs);
      void this.#server!.sandbox.tickerOf(world).runDueJobs();
    }, pauseMs).unref();
  }
}
