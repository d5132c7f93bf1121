import { setTimeout } from 'node:timers/promises';
import type { EventStream } from '../../client/events.js';
import type { Listening } from '../../client/listening.js';
import type { EventType } from '../../client/types.js';
import { exitCodeOf } from '../commands-of-client.js';
import { UsageError } from '../failure.js';
import type { Invocation, Verb } from '../verb.js';

/** Returns the URL to forward webhooks to. @throws UsageError */
function targetOf(text: string | undefined): string {
  if (text === undefined)
    throw new UsageError('--forward-to is missing. Give the webhook URL of your application, for example localhost:3000/webhooks.');
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new UsageError(`--forward-to is "${text}"; expected a URL, for example localhost:3000/webhooks.`);
  return url;
}

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

/** Returns a function that forwards a webhook unchanged and prints the result. @param leaving aborts requests without a response */
function forwarder(invocation: Invocation, target: string, headers: readonly [string, string][], leaving: AbortSignal) {
  const { out } = invocation;
  return async (request: Request): Promise<Response> => {
    const began = performance.now();
    const [eventType, messageId] = [request.headers.get('x-event-type'), request.headers.get('x-message-id')];
    const tell = async (status: number, error: string | null) => {
      const ms = Math.round(performance.now() - began);
      const isTaken = status >= 200 && status < 300;
      const next = isTaken || messageId === null ? null : await nextAttemptAt(invocation, messageId).catch(() => null);
      const came = `${eventType ?? 'no event'} ${messageId ?? ''} → ${error ?? out.status(String(status))} ${ms} ms`;
      const line = isTaken ? came : `${came}, ${next === null ? 'no retry' : `retry at ${next}`}`;
      out.item({ messageId, eventType, status, error, ms, nextAttemptAt: next }, line, messageId ?? '');
    };
    try {
      const sent = new Headers(request.headers);
      for (const [name, value] of headers) sent.set(name, value);
      const body = await request.arrayBuffer();
      const response = await fetch(target, { method: 'POST', headers: sent, body, redirect: 'manual', signal: leaving });
      void tell(response.status, null); // The next attempt is known only after the response is returned.
      return response;
    } catch (error) {
      if (leaving.aborted) throw error;
      const { cause, message } = error as Error;
      void tell(0, cause instanceof Error && cause.message !== '' ? cause.message : message);
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
    { name: 'forward-to', value: 'url', meaning: 'Webhook URL of your application, for example localhost:3000/webhooks.' },
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
      out.remark(`READY: forwarding webhooks of world ${world.name} to ${target}.`);
    };
    const lost = () => {
      if (!isLost) out.remark('LOST: the sandbox closed the connection. Reconnecting.');
      isLost = true;
    };
    listening = await world.listen(forwarder(invocation, target, headers, leaving.signal), {
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
