import { join } from 'node:path';
import { tokenLifetimeS } from '../../contract/public/tokens.js';
import type { Replay, ReplayAttempt, ReplayCall } from '../../contract/control/analysis/replay.js';
import { sha256 } from '../../analysis/replay/step.js';
import { readScenarios, scenarioIn } from '../../fixtures/scenario-files.js';
import { runSync } from '../../domain/interruptible.js';
import type { World } from '../../world/world.js';
import { packageRoot } from '../directories.js';
import { settingsOf, type StartOptions } from '../options.js';
import { startServer, type RunningServer } from '../server.js';
import { differenceIn, type Difference } from './difference.js';
import { RecordedEndpoints } from './endpoints.js';
import { requestOf } from './requests.js';

/** Maximum real time in milliseconds to wait for a webhook attempt or a response, in addition to its recorded duration. */
const waitMs = 5000;

/** Replays a file in a sandbox of this process. The "real" time of this sandbox changes only from one step to the next. */
export class Player {
  readonly server: RunningServer;
  readonly #file: Replay;
  readonly #world: World;
  readonly #time: { ms: number | null };
  readonly #endpoints: RecordedEndpoints;
  /** Access tokens of the replay by their recorded ids. */
  readonly #tokens = new Map<string, string>();
  /** Keys of the attempts that have ended: message id and number. */
  readonly #ended = new Set<string>();
  /** Functions to call when an attempt ends, by key. */
  readonly #waiting = new Map<string, () => void>();

  private constructor(
    file: Replay,
    parts: { server: RunningServer; world: World; time: { ms: number | null }; endpoints: RecordedEndpoints },
  ) {
    this.#file = file;
    this.server = parts.server;
    this.#world = parts.world;
    this.#time = parts.time;
    this.#endpoints = parts.endpoints;
    parts.server.sandbox.deliverer.watch(parts.world, ({ messageId, attempt }) => {
      const key = `${messageId} ${attempt}`;
      this.#ended.add(key);
      this.#waiting.get(key)?.();
    });
  }

  /** Starts a sandbox with the world of a file, before the first step. @param options settings that replace those of an embedded sandbox */
  static async start(file: Replay, options: StartOptions = {}): Promise<Player> {
    const { world: made } = file;
    const time: { ms: number | null } = { ms: Date.parse(made.beganAt) };
    const endpoints = new RecordedEndpoints(file.steps);
    const server = await startServer(settingsOf({ webhookUrlPolicy: made.urlPolicy, ...options }), {
      isEmbedded: true,
      replay: { realNow: () => time.ms ?? Date.now(), holdAttempt: (attempt) => endpoints.hold(attempt), ports: made.ports },
    });
    try {
      return new Player(file, { server, world: await makeWorld(server, file), time, endpoints });
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  /**
   * Replays the steps up to and including `until`.
   * @returns the first step that could not be replayed, with the reason; null if there is none
   */
  async play(until = this.#file.steps.length): Promise<Difference | null> {
    const open: {
      readonly kind: ReplayCall['kind'];
      readonly after: number;
      readonly number: number;
      readonly response: Promise<unknown>;
      readonly withinMs: number;
    }[] = [];
    for (const [index, step] of this.#file.steps.slice(0, until).entries()) {
      const number = index + 1;
      // An open control request may be an advance of the clock, which itself sets the time.
      if (!open.some(({ kind }) => kind === 'CONTROL')) this.#moveTo(Date.parse(step.at));
      if (step.kind === 'ATTEMPT') {
        if (!(await this.#attempt(step)))
          return { step: number, field: 'attempt', recorded: `${step.eventType} ${step.number}`, now: 'not sent' };
      } else {
        const token = await this.#tokenOf(step);
        open.push({
          kind: step.kind,
          after: step.endsAfter ?? number,
          number,
          response: this.#send(step, token),
          withinMs: step.response.ms + waitMs,
        });
      }
      for (const each of open.filter(({ after }) => after <= number || number === until)) {
        open.splice(open.indexOf(each), 1);
        // The response to a step that ends after `until` may depend on later steps.
        if (each.after > until) continue;
        if (!(await within(each.response, each.withinMs)))
          return { step: each.number, field: 'response', recorded: 'a response', now: `none within ${each.withinMs} ms` };
      }
    }
    return null;
  }

  /** Replays all steps and compares the results. @returns the first difference; null if there is none */
  async check(): Promise<Difference | null> {
    const damaged = changedBody(this.#file);
    if (damaged) return damaged;
    const stopped = await this.play();
    this.#moveTo(Date.parse(this.#file.ends.at));
    const headers = { 'x-sandbox-world': this.#world.identity.name };
    const response = await this.server.fetch(new Request(`${this.server.controlUrl}/_sandbox/replay`, { headers }));
    return differenceIn(this.#file, (await response.json()) as Replay, stopped);
  }

  /** Ends the replay and freezes the clock of the world. From now on, the sandbox serves requests like any sandbox. */
  async stand(): Promise<void> {
    const headers = { 'x-sandbox-world': this.#world.identity.name, 'content-type': 'application/json' };
    const body = JSON.stringify({ mode: 'FROZEN' });
    await this.server.fetch(new Request(`${this.server.controlUrl}/_sandbox/clock`, { method: 'PUT', headers, body }));
    this.#time.ms = null;
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

  /** Sets the real time of the sandbox so that the clock of the world shows `worldMs`. */
  #moveTo(worldMs: number): void {
    const { clock } = this.#world;
    this.#time.ms = clock.mode === 'RUNNING' ? worldMs - clock.offsetMs : worldMs;
  }

  /** Sends the request of a step and reads the response. @param token access token to send; null to send the recorded header */
  async #send(step: ReplayCall, token: string | null): Promise<void> {
    const { identity } = this.#world;
    const { request, fileSha256 } = requestOf(step, {
      base: this.server.url,
      world: identity.name,
      token,
      secret: identity.clientSecret,
    });
    const response = await this.server.fetch(request, { fileSha256 });
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

  async #attempt(step: ReplayAttempt): Promise<boolean> {
    const key = `${step.messageId} ${step.number}`;
    await this.server.sandbox.tickerOf(this.#world).runDueJobs();
    if (!(await this.#endpoints.release(step, waitMs))) return false;
    if (this.#ended.has(key)) return true;
    return within(new Promise<void>((resolve) => this.#waiting.set(key, resolve)), waitMs);
  }
}

/** Creates the world of a file, with its scenarios and its initial state. */
async function makeWorld({ sandbox, fetch, controlUrl }: RunningServer, { world: made }: Replay): Promise<World> {
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
  if (!response.ok) throw new Error(`The state at the beginning of the file cannot be imported: ${(await response.text()).slice(0, 500)}`);
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
