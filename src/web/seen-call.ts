import type { Context } from 'hono';
import type { RequestEffect } from '../contract/scenario/effects.js';
import { uuidOf } from '../contract/shared/common.js';
import { fieldText } from '../contract/shared/messages/issues.js';
import { unknownFields } from '../contract/shared/messages/known-fields.js';
import type { AnyRoute } from '../contract/shared/route.js';
import type { QueryPairs } from '../contract/versions/version.js';
import {
  nextOrder,
  type BegunCall,
  type Exchange,
  type Fate,
  type Moment,
  type ReceivedBody,
  type ReceivedFile,
} from '../world/witness.js';
import type { World } from '../world/world.js';
import { credentialHash } from './bearer.js';
import { bindingsOf } from './body/body.js';
import { mediaTypeOf } from './body/json-body.js';

/** How many unknown names of a call are told. */
const maxUnknown = 50;

const connections = new WeakMap<object, number>();
let lastConnection = 0;

/** The number of a socket, from 1 in the order of their first calls. */
function numberOf(socket: object): number {
  let number = connections.get(socket);
  if (number === undefined) connections.set(socket, (number = lastConnection += 1));
  return number;
}

/** A body as witnesses are told of it. */
class SeenBody implements ReceivedBody {
  readonly mediaType: string;
  readonly size: number;
  file: ReceivedFile | null;
  value: unknown = undefined;
  #came: unknown;
  readonly #bytes: Buffer | null;
  #text: string | undefined;

  constructor(mediaType: string, size: number, bytes: Buffer | null, file: ReceivedFile | null = null) {
    this.mediaType = mediaType;
    this.size = size;
    this.#bytes = bytes;
    this.file = file;
  }

  get text(): string {
    return (this.#text ??= this.#bytes?.toString() ?? JSON.stringify(this.#came) ?? '');
  }

  received(came: unknown, newest: unknown): void {
    this.#came = came;
    this.value = newest;
  }
}

/** What is answered, as it goes over the wire. */
export interface SentAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly sent: string | null;
}

/** One call as witnesses are told of it: what a plane notes of it on its way, and what follows from that when it is asked for. */
export class SeenCall implements Exchange {
  [note: symbol]: unknown;
  readonly id: string;
  readonly kind: BegunCall['kind'];
  readonly #c: Context;
  readonly #route: AnyRoute | null;
  began: Moment;
  ended: Moment;
  version: string | null = null;
  body: SeenBody | null = null;
  /** Returns a query in the newest wording; null if that is its own. */
  queryIn: ((query: QueryPairs) => QueryPairs) | null = null;
  /** Makes the fingerprint, for calls that have one. */
  fingerprintOf: ((body: SeenBody | null) => string) | null = null;
  #fingerprint: string | undefined;
  ruleId: string | null = null;
  effect: RequestEffect | null = null;
  status = 0;
  outcome = 0;
  fate: Fate = 'INTACT';
  answer: Exchange['answer'] = { headers: {}, body: null, sent: null };
  #unknown: readonly string[] | undefined;
  #rawHeaders: readonly string[] | undefined;
  // Many ask for these, and each answer costs more than keeping it.
  readonly method: string;
  readonly path: string;
  #target: string | undefined;
  #params: Readonly<Record<string, string>> | undefined;
  #query: QueryPairs | undefined;
  #token: string | null | undefined;

  constructor(id: string, kind: BegunCall['kind'], c: Context, route: AnyRoute | null, realMs: number) {
    this.id = id;
    this.kind = kind;
    this.#c = c;
    this.#route = route;
    this.method = c.req.method;
    this.path = c.req.path;
    this.ended = this.began = { order: nextOrder(), realMs, worldMs: null };
  }

  /** Notes that the call has entered a world. */
  entered(world: World): void {
    this.began = { ...this.began, worldMs: world.nowMs() };
  }

  /** Notes a body of JSON. */
  receivedBytes(bytes: Buffer): void {
    this.body = new SeenBody('application/json', bytes.length, bytes);
  }

  /** Notes the body of an upload. */
  receivedUpload(file: ReceivedFile): void {
    const size = Number(this.header('content-length') ?? file.size);
    this.body = new SeenBody(mediaTypeOf(this.#c.req.raw), size, null, file);
  }

  /** Notes what the file of an upload is. */
  judgedFile(type: string): void {
    if (this.body?.file) this.body.file = { ...this.body.file, type };
  }

  /** Notes the JSON of the body. @param value as it came @param newest in the newest wording, which is what observers see */
  receivedValue(value: unknown, newest: unknown): void {
    this.body?.received(value, newest);
  }

  /** Notes the answer. @param outcome the status that it had before something took its place */
  answered(world: World | null, realMs: number, { status, headers, body, sent }: SentAnswer, fate: Fate, outcome: number): void {
    this.ended = { order: nextOrder(), realMs, worldMs: world?.nowMs() ?? null };
    this.status = status;
    this.outcome = outcome;
    this.answer = { headers, body, sent };
    this.fate = fate;
  }

  get connection(): number | null {
    const { incoming } = bindingsOf(this.#c);
    return incoming ? numberOf(incoming.socket) : null;
  }

  get target(): string {
    if (this.#target === undefined) {
      const { url } = this.#c.req;
      this.#target = url.slice(url.indexOf('/', url.indexOf('://') + 3));
    }
    return this.#target;
  }

  get operationId(): string | null {
    return this.#route?.operationId ?? null;
  }

  get params(): Readonly<Record<string, string>> {
    return (this.#params ??= this.#route?.params ? this.#c.req.param() : {});
  }

  get query(): QueryPairs {
    if (this.#query === undefined) {
      const at = this.target.indexOf('?');
      const came = at < 0 ? [] : [...new URLSearchParams(this.target.slice(at + 1))];
      this.#query = this.queryIn ? this.queryIn(came) : came;
    }
    return this.#query;
  }

  get rawHeaders(): readonly string[] {
    return (this.#rawHeaders ??= bindingsOf(this.#c).incoming?.rawHeaders ?? [...this.#c.req.raw.headers].flat());
  }

  header(name: string): string | undefined {
    const raw = this.rawHeaders;
    const wanted = name.toLowerCase();
    let value: string | undefined;
    for (let index = 0; index < raw.length; index += 2)
      if (raw[index]!.length === wanted.length && raw[index]!.toLowerCase() === wanted)
        value = value === undefined ? raw[index + 1]! : `${value}, ${raw[index + 1]!}`;
    return value;
  }

  get token(): string | null {
    if (this.#token === undefined) {
      const value = this.header('authorization');
      const text = value === undefined ? '' : value.slice(value.indexOf(' ') + 1).trim();
      this.#token = text === '' ? null : credentialHash(text);
    }
    return this.#token;
  }

  get idempotencyKey(): string | null {
    const given = this.method === 'GET' ? undefined : this.header('x-idempotency-key')?.trim();
    return given === undefined ? null : (uuidOf(given) ?? given);
  }

  get traceId(): string | null {
    return /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(this.header('traceparent') ?? '')?.[1] ?? null;
  }

  get fingerprint(): string | null {
    if (!this.fingerprintOf || (this.#route?.body && !this.body)) return null;
    return (this.#fingerprint ??= this.fingerprintOf(this.body));
  }

  get unknown(): readonly string[] {
    return (this.#unknown ??= this.#unknownNames());
  }

  #unknownNames(): string[] {
    const { body, query } = this.#route ?? {};
    const fields = body ? unknownFields(body, this.body?.value, maxUnknown) : [];
    const given = this.#route ? this.query : [];
    if (fields.length === 0 && given.length === 0) return [];
    const known = query?.shape ?? {};
    const parameters = given.flatMap(([name]) => (Object.hasOwn(known, name) ? [] : [`query:${name}`]));
    return [...new Set([...fields.map((path) => `body:${fieldText(path)}`), ...parameters])].slice(0, maxUnknown);
  }

  get code(): string | null {
    if (this.status < 400 || this.answer.body === null) return null;
    return /"code":"([A-Z_]+)"/.exec(this.answer.body)?.[1] ?? null;
  }

  get replay(): boolean {
    return this.answer.headers['X-Idempotent-Replay'] === 'true';
  }
}
