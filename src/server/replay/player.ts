import { join } from 'node:path';
import { tokenLifetimeS } from '../../contract/public/tokens.js';
import type { Replay, ReplayAttempt, ReplayCall } from '../../contract/control/analysis/replay.js';
import { sha256 } from '../../exchange/response-hash.js';
import { readScenarios, scenarioIn } from '../../fixtures/scenario-files.js';
import { runSync } from '../../domain/interruptible.js';
import type { Commit } from '../../world/commit.js';
import type { AttemptRecord, RequestRecord } from '../../exchange/exchange.js';
import type { Observer } from '../../exchange/observer.js';
import type { World } from '../../world/world.js';
import { packageRoot } from '../directories.js';
import { settingsOf, type StartOptions } from '../options.js';
import { startServer, type RunningServer } from '../server.js';
import { differenceIn, type Difference } from './difference.js';
import { RecordedEndpoints } from './endpoints.js';
import { requestOf } from './requests.js';
import { ReplayTime } from './time.js';
import { startOf } from '../../contract/shared/messages/cut.js';

/** Maximum real time in milliseconds to wait for a webhook attempt or a response, in addition to its recorded duration. */
const waitMs = 5000;

/** A request of a replay. */
interface SentCall extends Expected {
  readonly step: ReplayCall;
  /** Number of the step after which the response is expected. */
  readonly after: number;
  readonly number: number;
  /**
   * Resolves when the next step may begin, if this is before the response: when a control request has entered the world, or when a request
   * with a delayed response has made its first commit.
   */
  readonly begun: Promise<void>;
  /** Lets the request enter the world. */
  readonly admit: () => void;
  /** Ends the delay of the request by a rule or fault. */
  readonly release: () => void;
  readonly response: Promise<void>;
}

/** Replays a file in a sandbox of this process. The "real" time of this sandbox changes only from one step to the next. */
export class Player {
  readonly server: RunningServer;
  readonly #file: Replay;
  readonly #world: World;
  readonly #time: ReplayTime;
  readonly #endpoints: RecordedEndpoints;
  readonly #entries: Entries;
  readonly #jobs: JobGate;
  /** Access tokens of the replay by their recorded ids. */
  readonly #tokens = new Map<string, string>();
  /** Keys of the attempts that have ended: message id and number. */
  readonly #ended = new Set<string>();
  /** Functions to call when an attempt ends, by key. */
  readonly #waiting = new Map<string, () => void>();
  /** Number of steps so far. */
  #played = 0;
  /** Requests that were sent early, because they overlapped with an earlier one, by number. They wait before they enter the world. */
  readonly #ahead = new Map<number, SentCall>();
  /** Requests that await their responses. */
  readonly #open = new Set<SentCall>();

  private constructor(
    file: Replay,
    parts: { server: RunningServer; world: World; time: ReplayTime; endpoints: RecordedEndpoints; entries: Entries; jobs: JobGate },
  ) {
    this.#file = file;
    this.server = parts.server;
    this.#world = parts.world;
    this.#time = parts.time;
    this.#endpoints = parts.endpoints;
    this.#entries = parts.entries;
    this.#jobs = parts.jobs;
    parts.jobs.begin(parts.world);
    parts.entries.attempted = (key) => {
      this.#ended.add(key);
      this.#waiting.get(key)?.();
    };
  }

  /** Starts a sandbox with the world of a file, before the first step. @param options settings that replace those of an embedded sandbox */
  static async start(file: Replay, options: StartOptions = {}): Promise<Player> {
    const { world: made } = file;
    const time = new ReplayTime(made);
    const endpoints = new RecordedEndpoints(file.steps);
    const entries = new Entries();
    const jobs = new JobGate();
    const server = await startServer(settingsOf({ webhookUrlPolicy: made.urlPolicy, ...options }), {
      isEmbedded: true,
      replay: {
        realNow: time.now,
        holdAttempt: (attempt) => endpoints.hold(attempt),
        mayRunJobs: (world) => jobs.mayRun(world),
        instantMs: (causeId, index) => entries.instantMs(causeId, index),
        holdCall: (causeId) => entries.hold(causeId),
        observer: entries,
        ports: made.ports,
      },
    });
    try {
      const world = await makeWorld(server, file);
      time.begin();
      return new Player(file, { server, world, time, endpoints, entries, jobs });
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  /**
   * Replays the next steps up to and including `until`.
   * @returns the first step that could not be replayed, with the reason; null if there is none
   */
  async play(until = this.#file.steps.length): Promise<Difference | null> {
    for (const step of this.#file.steps.slice(this.#played, until)) {
      const number = (this.#played += 1);
      if (step.kind === 'ATTEMPT') {
        if (!(await this.#attempt(step, number)))
          return { step: number, field: 'attempt', recorded: `${step.eventType} ${step.number}`, now: 'not sent' };
      } else {
        this.#moveTo(Date.parse(step.at), step.realMs);
        const sent = this.#ahead.get(number) ?? (await this.#begin(step, number));
        this.#ahead.delete(number);
        if (step.kind === 'CALL') await this.#sendOverlapping(number, until);
        this.#entries.expect(sent);
        sent.admit();
        this.#open.add(sent);
        if (!(await within(Promise.race([sent.begun, sent.response]), step.response.ms + waitMs))) return unanswered(sent);
      }
      for (const each of this.#open) {
        if (each.after > number) continue;
        this.#open.delete(each);
        each.release();
        if (!(await within(each.response, each.step.response.ms + waitMs))) return unanswered(each);
        this.#endAt(each.step);
      }
    }
    return null;
  }

  /** Replays all steps and compares the results. @returns the first difference; null if there is none */
  async check(): Promise<Difference | null> {
    const damaged = changedBody(this.#file);
    if (damaged) return damaged;
    const stopped = await this.play();
    const { ends } = this.#file;
    this.#jobs.allow(ends.jobsBefore ?? Infinity);
    this.#moveTo(Date.parse(ends.at), ends.realMs);
    if (ends.jobsBefore !== undefined) await this.server.sandbox.tickerOf(this.#world).runDueJobs();
    return differenceIn(this.#file, await this.#repeated(), stopped);
  }

  /** Compares the steps so far; not those whose responses depend on later steps. @returns the first difference; null if there is none */
  async difference(): Promise<Difference | null> {
    const [open] = this.#open;
    const steps = this.#file.steps.slice(0, open ? open.number - 1 : this.#played);
    return differenceIn({ ...this.#file, steps, complete: false }, await this.#repeated(), null);
  }

  /** Returns the file of this replay. */
  async #repeated(): Promise<Replay> {
    const headers = { 'x-sandbox-world': this.#world.identity.name };
    const response = await this.server.fetch(new Request(`${this.server.controlUrl}/_sandbox/replay`, { headers }));
    return (await response.json()) as Replay;
  }

  /** Ends the replay and freezes the clock of the world. From now on, the sandbox serves requests like any sandbox. */
  async stand(): Promise<void> {
    const headers = { 'x-sandbox-world': this.#world.identity.name, 'content-type': 'application/json' };
    const body = JSON.stringify({ mode: 'FROZEN' });
    await this.server.fetch(new Request(`${this.server.controlUrl}/_sandbox/clock`, { method: 'PUT', headers, body }));
    this.#time.run();
    this.#endpoints.over();
  }

  /** The credentials of the world, which are those of the recorded world. */
  get credentials(): { readonly clientId: string; readonly clientSecret: string } {
    const { clientId, clientSecret } = this.#world.identity;
    return { clientId, clientSecret };
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** Moves the real time so that a running clock of the world shows `worldMs`. An open control request may set the clock itself. */
  #moveTo(worldMs: number, realMs: number): void {
    const isOpen = [...this.#open].some(({ step }) => step.kind === 'CONTROL' && !waiting.has(step.operationId ?? ''));
    if (!isOpen || this.#world.clock.mode === 'FROZEN') this.#time.moveTo(this.#world, worldMs, realMs);
  }

  /** Returns the number of jobs that ran between a step and the next one. */
  #jobsAfter(number: number): number {
    return this.#file.steps[number]?.jobsBefore ?? Infinity;
  }

  /** Moves the time to the end of a request. The end is not known exactly in the time of a running clock, which must not decrease. */
  #endAt({ at, realMs, response }: ReplayCall): void {
    if (this.#world.clock.mode === 'FROZEN') this.#time.moveTo(this.#world, Date.parse(at), realMs + response.ms);
  }

  /** Sends the next requests, up to `until`, that began before the response to step `number` and to each step between. */
  async #sendOverlapping(number: number, until: number): Promise<void> {
    let last = until;
    for (let next = number; next < last; next += 1) {
      const [step, after] = [this.#file.steps[next - 1]!, this.#file.steps[next]!];
      if (step.kind === 'ATTEMPT' || after.kind !== 'CALL') return;
      last = Math.min(last, step.endsAfter ?? next);
      if (next < last && !this.#ahead.has(next + 1)) this.#ahead.set(next + 1, await this.#begin(after, next + 1));
    }
  }

  /** Sends the request of a step, which waits before it enters the world. */
  async #begin(step: ReplayCall, number: number): Promise<SentCall> {
    const token = await this.#tokenOf(step);
    const [turn, begun, delay] = [deferred(), deferred(), deferred()];
    const after = step.endsAfter ?? number;
    const sent: SentCall = {
      step,
      number,
      after,
      begun: begun.promise,
      admit: turn.resolve,
      delayed: delay.promise,
      release: delay.resolve,
      entered: () => {
        // Attempts during a request move the time themselves.
        if (after === number) this.#endAt(step);
        if (step.kind === 'CALL') return;
        this.#jobs.allow(this.#jobsAfter(number));
        begun.resolve();
      },
      committed: () => {
        if (step.kind === 'CONTROL') return;
        if (!isDelayed(step)) return;
        this.#jobs.allow(this.#jobsAfter(number));
        begun.resolve();
      },
      responded: () => {
        if (step.kind === 'CALL' && !isDelayed(step)) this.#jobs.allow(this.#jobsAfter(number));
      },
      response: this.#send(step, token, turn.promise),
    };
    return sent;
  }

  /** Sends the request of a step and reads the response. @param token access token to send; null to send the recorded header @param turn resolves when the request may enter the world */
  async #send(step: ReplayCall, token: string | null, turn: Promise<void>): Promise<void> {
    const { identity } = this.#world;
    const { request, fileSha256 } = requestOf(step, {
      base: this.server.url,
      world: identity.name,
      token,
      secret: identity.clientSecret,
    });
    const response = await this.server.fetch(request, { fileSha256, turn });
    const text = await response.text().catch(() => ''); // A recorded fault may abort the response.
    if (step.response.issued === null) return;
    const [, accessToken] = /"accessToken":"([^"]{1,4096})"/.exec(text) ?? [];
    if (accessToken !== undefined) await this.#know(step.response.issued, accessToken);
  }

  /** Returns the access token for a step: the token that an earlier step got, or a new token with the recorded expiry; null for none. */
  async #tokenOf({ kind, token }: ReplayCall): Promise<string | null> {
    if (kind === 'CONTROL' || token === null) return null;
    const known = this.#tokens.get(token.id);
    if (known !== undefined) return known;
    if (token.endsAt === null) return null;
    const { clientId, customerId, companyId, incarnation } = this.#world.identity;
    const exp = Date.parse(token.endsAt) / 1000;
    const claims = {
      iss: this.server.url,
      sub: clientId,
      customerId,
      companyId,
      iat: exp - tokenLifetimeS,
      exp,
      jti: `${incarnation}.${token.id.padEnd(21, '_')}`,
    };
    const text = await this.server.sandbox.tokens.sign(JSON.stringify(claims), 'JWT');
    return this.#know(token.id, text);
  }

  /** Stores an access token by its recorded id. Verifies the token, so that later requests do not wait for that. */
  async #know(id: string, token: string): Promise<string> {
    this.#tokens.set(id, token);
    await this.server.sandbox.tokens.verify(token);
    return token;
  }

  async #attempt(step: ReplayAttempt, number: number): Promise<boolean> {
    const key = `${step.messageId} ${step.number}`;
    const { at, realMs, response } = step;
    const endMs = Date.parse(at);
    this.#moveTo(Math.max(endMs - response.ms, this.#world.nowMs()), realMs);
    const ticker = this.server.sandbox.tickerOf(this.#world);
    await ticker.runDueJobs();
    if (!(await this.#endpoints.started(step, 0))) {
      // An attempt may follow from a job that the recording counts for a later step.
      this.#jobs.allow(Infinity);
      await ticker.runDueJobs();
      if (!(await this.#endpoints.started(step, waitMs))) return false;
    }
    this.#moveTo(endMs, realMs + response.ms);
    await ticker.runDueJobs();
    this.#endpoints.release(step);
    const hasEnded = this.#ended.has(key) || (await within(new Promise<void>((resolve) => this.#waiting.set(key, resolve)), waitMs));
    this.#jobs.allow(this.#jobsAfter(number));
    return hasEnded;
  }
}

/** Holds the due jobs of a world that the recording ran after the next step. */
class JobGate {
  #world: World | null = null;
  /** Number of jobs that may have run. */
  #most = Infinity;

  begin(world: World): void {
    this.#world = world;
  }

  mayRun(world: World): boolean {
    return world !== this.#world || world.ranJobs < this.#most;
  }

  /** Lets this number of jobs run until the next step. */
  allow(count: number): void {
    this.#most = this.#world!.ranJobs + count;
  }
}

/** Functions to call when a request enters its world, after each of its commits, and at its response. */
interface Expected {
  readonly entered: () => void;
  readonly committed: () => void;
  readonly responded: () => void;
  /** The recorded step. */
  readonly step: ReplayCall;
  /** Resolves at the end of its delay by a rule or fault. */
  readonly delayed: Promise<void>;
}

/** Observes the requests and attempts of a replay. */
class Entries implements Observer {
  #next: Expected | null = null;
  readonly #known = new Map<string, Expected>();
  /** Called after each attempt with its key. */
  attempted: (key: string) => void = () => undefined;

  /** Sets the functions for the next request that enters a world. */
  expect(expected: Expected): void {
    this.#next = expected;
  }

  /** Returns the recorded world time of a commit or an advance of a request, in milliseconds since 1970; undefined if it is not recorded. */
  instantMs(id: string, index: number): number | undefined {
    const at = this.#known.get(id)?.step.instants?.[index];
    return at === undefined ? undefined : Date.parse(at);
  }

  /** Resolves at the end of the delay of a request. */
  hold(id: string): Promise<void> {
    return this.#known.get(id)?.delayed ?? Promise.resolve();
  }

  entered(_world: World, { id }: RequestRecord): void {
    if (!this.#next) return;
    this.#known.set(id, this.#next);
    this.#next.entered();
    this.#next = null;
  }

  committed(_world: World, commit: Commit): void {
    if ('causeId' in commit) this.#known.get(commit.causeId)?.committed();
  }

  responded(_world: World | null, { id }: RequestRecord): void {
    this.#known.get(id)?.responded();
    this.#known.delete(id);
  }

  attempt(_world: World, { messageId, number }: AttemptRecord): void {
    this.attempted(`${messageId} ${number}`);
  }
}

/** The control requests that only wait while a running clock advances. */
const waiting: ReadonlySet<string> = new Set(['flushDeliveries', 'awaitInboxMessages']);

/** Whether a rule or fault delayed the response to a request. */
const isDelayed = ({ effect }: ReplayCall): boolean => effect !== null && ('delay' in effect || 'respondAfter' in effect);

/** Returns the difference for a request without a response. */
function unanswered({ number, step }: SentCall): Difference {
  return { step: number, field: 'response', recorded: 'a response', now: `none within ${step.response.ms + waitMs} ms` };
}

/** Creates the world of a file, with its scenarios and its initial state. */
export async function makeWorld({ sandbox, fetch, controlUrl }: RunningServer, { world: made }: Replay): Promise<World> {
  const own = made.scenarios.map(({ name, text }) => runSync(scenarioIn(text, `${name}.json`)));
  const names = new Set(own.map(({ name }) => name));
  const { files } = readScenarios([{ path: join(packageRoot(), 'scenarios'), shownAs: 'scenarios' }]);
  sandbox.replaceScenarios([...files.filter(({ name }) => !names.has(name)), ...own]);
  const { name, seed, scenario, fixtures, clock } = made;
  const asked = { seed, scenario, fixtures, clock: clock.now === undefined ? { mode: clock.mode } : { mode: clock.mode, now: clock.now } };
  const known = sandbox.worlds.get(name);
  const world = known ?? (await sandbox.createWorld({ ...asked, name }));
  if (known) await sandbox.recreateWorld(known, asked);
  if (made.base === 'created') return world;
  const headers = { 'x-sandbox-world': name, 'content-type': 'application/json' };
  const response = await fetch(new Request(`${controlUrl}/_sandbox/state`, { method: 'PUT', headers, body: made.base.state }));
  if (!response.ok) throw new Error(`The state at the beginning of the file cannot be imported: ${startOf(await response.text(), 500)}`);
  await response.text();
  return world;
}

/** Returns the first step whose body does not match its recorded hash, because the file was changed; null if there is none. */
export function changedBody({ steps }: Replay): Difference | null {
  for (const [index, step] of steps.entries()) {
    const content = step.kind === 'ATTEMPT' ? step.response : step.body;
    const text = step.kind === 'ATTEMPT' ? step.response.body : (step.body?.text ?? null);
    if (content === null || text === null || content.sha256 === null) continue;
    const now = sha256(text);
    if (now !== content.sha256)
      return { step: index + 1, field: step.kind === 'ATTEMPT' ? 'response.body' : 'body', recorded: content.sha256, now };
  }
  return null;
}

/** Returns a promise, and the function that resolves it. */
function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

/** Resolves with true when the work is done, or with false after the time. */
async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
