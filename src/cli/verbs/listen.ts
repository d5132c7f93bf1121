import { setTimeout } from 'node:timers/promises';
import type { EventStream } from '../../client/events.js';
import type { Listening } from '../../client/listening.js';
import type { EventType } from '../../client/types.js';
import { exitCodeOf } from '../commands-of-client.js';
import { UsageError } from '../failure.js';
import type { Invocation, Verb } from '../verb.js';

/** The application that receives the webhooks. */
interface Target {
  /** URL without user info. */
  readonly url: string;
  /** The user info of the URL as an Authorization header; null without one. */
  readonly authorization: string | null;
}

const wantedTarget = 'expected a URL or a port, for example localhost:3000/webhooks or 3000';

/** Returns the URL to forward webhooks to. A port, or a port with a path, is one of this machine. @throws UsageError */
function targetOf(text: string | undefined): Target {
  if (text === undefined)
    throw new UsageError('--forward-to is missing. Give the webhook URL of your application, for example localhost:3000/webhooks.');
  const given = text.trim();
  const rest = given.replace(/^:(?=[0-9])/, '');
  const [, port] = /^([0-9]+)(?=[/?#]|$)/.exec(rest) ?? [];
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : port === undefined ? `http://${given}` : `http://localhost:${rest}`;
  // A text with user info is not shown: it has a password.
  const shown = given.includes('@') ? ' is not valid' : ` is "${given}"`;
  if (!URL.canParse(whole) || !/^https?:/i.test(whole)) throw new UsageError(`--forward-to${shown}; ${wantedTarget}.`);
  const url = new URL(whole);
  if (url.port === '0') throw new UsageError(`--forward-to${shown}; expected a port from 1 to 65535.`);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const target = url.pathname === '/' && url.search === '' && url.hash === '' ? url.origin : url.href;
  if (username === '' && password === '') return { url: target, authorization: null };
  const user = `${decoded(username)}:${decoded(password)}`;
  return { url: target, authorization: `Basic ${Buffer.from(user).toString('base64')}` };
}

/** Returns a part of a URL without percent-encoding; unchanged if the encoding is not valid. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Returns the fetch function for requests to the application. @param insecure true to accept any certificate, for a host of this machine or
 * a private network
 * @throws UsageError for another host
 */
async function fetcherFor(target: Target, insecure: boolean): Promise<typeof fetch> {
  if (!insecure) return fetch;
  const { hostname } = new URL(target.url);
  if (!(await isNearby(hostname)))
    throw new UsageError(`--insecure is only for hosts of this machine or a private network; got ${hostname}.`);
  const { Agent, fetch: fetchOf } = await import('undici');
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  return ((url: string, init: RequestInit) => fetchOf(url, { ...init, dispatcher } as never)) as unknown as typeof fetch;
}

/** True for a host of this machine or a private network. Loads the rules only if needed, because few commands need them. */
async function isNearby(hostname: string): Promise<boolean> {
  return (await import('../../domain/webhooks/url-policy.js')).isNearbyHost(hostname);
}

/** Codes of certificates that only `--insecure` accepts. */
const untrusted = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_HAS_EXPIRED|ERR_TLS_CERT_ALTNAME_INVALID)/;

/** Parses the headers to add. @throws UsageError */
function headersOf(lines: readonly string[]): [string, string][] {
  return lines.map((line) => {
    const [, name, value] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new UsageError(`--header is "${line}"; expected name: value.`);
    return [name, value];
  });
}

/** Polling of a delivery for the result of an attempt: how many times, and the interval in milliseconds. */
const looks = { times: 40, everyMs: 50 };

/** Returns the world time of the next attempt of a failed webhook; null if there is no next attempt or it is unknown. */
async function nextAttemptAt({ world, signal }: Invocation, messageId: string): Promise<string | null> {
  for (let looked = 0; looked < looks.times; looked += 1) {
    const { status, nextAttemptAt: next } = await world.delivery(messageId).get({ signal });
    if (status !== 'DUE') return next;
    await setTimeout(looks.everyMs, undefined, { signal });
  }
  return null;
}

/** Returns the id of the resource in the body of a webhook; null if it has none. */
function resourceIdOf(body: ArrayBuffer): string | null {
  try {
    const { id, accountId } = JSON.parse(Buffer.from(body).toString()) as { id?: unknown; accountId?: unknown };
    return [id, accountId].find((each): each is string => typeof each === 'string') ?? null;
  } catch {
    return null;
  }
}

interface Forwarding {
  readonly target: Target;
  readonly headers: readonly [string, string][];
  readonly send: typeof fetch;
  /** Aborts requests without a response. */
  readonly leaving: AbortSignal;
}

/** Returns a function that forwards a webhook unchanged and prints the result. */
function forwarder(invocation: Invocation, { target, headers, send, leaving }: Forwarding) {
  const { out } = invocation;
  return async (request: Request): Promise<Response> => {
    const began = performance.now();
    const [eventType, messageId] = [request.headers.get('x-event-type'), request.headers.get('x-message-id')];
    let resourceId: string | null = null;
    const tell = async (status: number, error: string | null) => {
      const ms = Math.round(performance.now() - began);
      const isTaken = status >= 200 && status < 300;
      const next = isTaken || messageId === null ? null : await nextAttemptAt(invocation, messageId).catch(() => null);
      const of = resourceId === null ? '' : ` about ${resourceId}`;
      const came = `${eventType ?? 'no event'}${of}, message ${messageId ?? 'without id'} → ${error ?? out.status(String(status))} ${ms} ms`;
      const line = isTaken ? came : `${came}, ${next === null ? 'no retry' : `retry at ${next}`}`;
      out.item({ messageId, eventType, resourceId, status, error, ms, nextAttemptAt: next }, line, messageId ?? '');
    };
    try {
      const sent = new Headers(request.headers);
      if (target.authorization !== null) sent.set('authorization', target.authorization);
      for (const [name, value] of headers) sent.set(name, value);
      const body = await request.arrayBuffer();
      resourceId = resourceIdOf(body);
      const response = await send(target.url, { method: 'POST', headers: sent, body, redirect: 'manual', signal: leaving });
      void tell(response.status, null); // The next attempt is known only after the response is returned.
      return response;
    } catch (error) {
      if (leaving.aborted) throw error;
      const { cause, message } = error as Error;
      const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
      const { code = '' } = (cause ?? {}) as { code?: string };
      const isLocal = untrusted.test(code) && (await isNearby(new URL(target.url).hostname));
      void tell(0, isLocal ? `${reason}; --insecure accepts the certificate` : reason);
      throw error;
    }
  };
}

/** Subscribes again after each reset, restore or import of the world, because these delete its subscription. */
async function keepSubscribed({ out }: Invocation, listening: Listening, changes: EventStream): Promise<void> {
  for await (const { summary } of changes) if (await listening.renew()) out.remark(`READY: ${summary}; subscribed again.`);
}

/** Default time to reconnect to the sandbox, in milliseconds. */
const usualLostMs = 60_000;

export const listen: Verb = {
  name: 'listen',
  group: 'webhooks',
  summary: "Forward webhooks to a local application, without a public URL. Its responses count as the endpoint's responses.",
  options: [
    {
      name: 'forward-to',
      value: 'url',
      meaning: 'Webhook URL of your application, for example localhost:3000/webhooks, or a port of this machine.',
    },
    {
      name: 'insecure',
      meaning: 'Accept any certificate of the application, for example a self-signed one. Only on this machine or in a private network.',
    },
    {
      name: 'subscription',
      value: 'id',
      meaning: 'Use this subscription instead of creating and deleting one. Its URL must be a listener.',
    },
    { name: 'events', value: 'events', meaning: 'Event types, separated by commas.', usual: 'all' },
    { name: 'name', value: 'name', meaning: 'Name of the listener.', usual: 'a generated name' },
    { name: 'take-over', meaning: 'Disconnect another client that listens by this name.' },
    { name: 'header', value: 'name: value', meaning: 'Header to add.', isMany: true },
    {
      name: 'exec',
      value: 'command',
      meaning: 'Run this command when listening has started, with the variables of env. End with its exit code.',
    },
  ],
  examples: [
    'crossborder-sandbox listen --forward-to localhost:3000/webhooks --exec "npm test"',
    'crossborder-sandbox listen --forward-to localhost:3000/webhooks --events OPERATION_COMPLETED,OPERATION_FAILED --exec "npm test"',
    'crossborder-sandbox listen --forward-to http://localhost:3000/webhooks --header "x-test: 1" --name laptop --exec "npm test"',
  ],
  calls: [
    'GET /_sandbox/stream',
    'GET /_sandbox/subscriptions',
    'GET /_sandbox/deliveries/{deliveryId}',
    'GET /_sandbox/listeners/{listenerName}/attempts',
    'POST /_sandbox/listeners/{listenerName}/attempts/{attemptId}/response',
    'GET /_sandbox',
    'GET /_sandbox/worlds/{worldName}',
    'POST /api/oauth/client/token',
    'POST /api/subscriptions',
    'DELETE /_sandbox/subscriptions/{subscriptionId}',
  ],
  exits: {
    1: 'rejected by the sandbox, or the name is in use',
    3: 'not reachable, or disconnected for longer than --timeout (default: one minute)',
  },
  run: async (invocation) => {
    const { world, given, out, signal, timeoutMs: lostMs = usualLostMs } = invocation;
    const target = targetOf(given.text('forward-to'));
    const headers = headersOf(given.all('header'));
    const send = await fetcherFor(target, given.has('insecure'));
    const [name, events, command, subscription] = ['name', 'events', 'exec', 'subscription'].map((each) => given.text(each));
    if (subscription !== undefined && (name ?? events) !== undefined)
      throw new UsageError(
        '--subscription cannot be combined with --name or --events: the subscription already has a listener and events.',
      );
    let listening: Listening | undefined;
    const leaving = new AbortController();
    let isLost = false;
    const ready = () => {
      isLost = false;
      out.remark(`READY: forwarding webhooks of world ${world.name} to ${target.url}.`);
    };
    const lost = () => {
      if (!isLost) out.remark('LOST: the sandbox closed the connection. Reconnecting.');
      isLost = true;
    };
    listening = await world.listen(forwarder(invocation, { target, headers, send, leaving: leaving.signal }), {
      name,
      subscription,
      takeOver: given.has('take-over'),
      events: events?.toUpperCase().split(',') as EventType[] | undefined,
      signal,
      lostMs,
      onLost: lost,
      onFound: () => void listening?.renew().then(ready, () => undefined),
    });
    const changes = world.events({ kinds: ['WORLD'], signal, lostMs, onGap: () => {} });
    try {
      await changes.ready();
      keepSubscribed(invocation, listening, changes).catch(() => undefined); // `listening.ended` reports the error.
      ready();
      if (command !== undefined) {
        const environment = { ...invocation.environment, ...(await world.env({ signal })) };
        return await exitCodeOf(command, [], { shell: true, stdin: 'inherit', environment, signal });
      }
      await listening.ended;
    } finally {
      changes.close();
      await listening.close();
      leaving.abort(); // Otherwise an application that never responds would keep the process alive.
    }
  },
};
