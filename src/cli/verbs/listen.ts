import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { EventStream } from '../../client/events.js';
import type { Listening } from '../../client/listening.js';
import type { EventType } from '../../client/types.js';
import { UsageError } from '../failure.js';
import type { Invocation, Verb } from '../verb.js';

/** Where webhooks go on to. @throws UsageError */
function targetOf(text: string | undefined): string {
  if (text === undefined)
    throw new UsageError('--forward-to is missing: where your application receives webhooks, as localhost:3000/webhooks.');
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new UsageError(`--forward-to is "${text}"; expected an address, as localhost:3000/webhooks.`);
  return url;
}

/** Headers that are added. @throws UsageError */
function headersOf(lines: readonly string[]): [string, string][] {
  return lines.map((line) => {
    const [, name, value] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new UsageError(`--header is "${line}"; expected name: value.`);
    return [name, value];
  });
}

/** How often a delivery is looked at until what came of an attempt is there, and how far apart, in milliseconds. */
const looks = { times: 40, everyMs: 50 };

/** When a webhook that was not taken comes again, by the clock of the world; null when it does not, or when that cannot be told. */
async function nextAttemptAt({ world, signal }: Invocation, messageId: string): Promise<string | null> {
  for (let looked = 0; looked < looks.times; looked += 1) {
    const { status, nextAttemptAt: next } = await world.delivery(messageId).get({ signal });
    if (status !== 'DUE') return next;
    await setTimeout(looks.everyMs, undefined, { signal });
  }
  return null;
}

/** Hands webhooks on, byte for byte, and tells of each. @param leaving hangs up on an application that has not answered */
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
      void tell(response.status, null); // What comes next is known only once the answer is on its way.
      return response;
    } catch (error) {
      if (leaving.aborted) throw error;
      const { cause, message } = error as Error;
      void tell(0, cause instanceof Error && cause.message !== '' ? cause.message : message);
      throw error;
    }
  };
}

/** Runs a command of the shell with what an application needs to use the world. @returns its exit code */
async function execute(command: string, { world, environment, signal }: Invocation): Promise<number> {
  // Without a terminal, whose Ctrl-C reaches all, the shell and what it runs are a group of their own, to be ended together.
  const detached = process.platform !== 'win32' && !process.stdin.isTTY;
  const child = spawn(command, { shell: true, stdio: 'inherit', detached, env: { ...environment, ...(await world.env({ signal })) } });
  const stop = () => {
    try {
      if (detached) process.kill(-child.pid!, 'SIGTERM');
      else child.kill();
    } catch {
      // The group is gone already.
    }
  };
  signal.addEventListener('abort', stop);
  const [code, ended] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  return code ?? 128 + constants.signals[ended!];
}

/** Subscribes again whenever the world was reset, restored or imported, since its subscription went with what it was. */
async function keepSubscribed({ out }: Invocation, listening: Listening, changes: EventStream): Promise<void> {
  for await (const { summary } of changes) if (await listening.renew()) out.remark(`READY: ${summary}, and subscribed to again.`);
}

/** How long a sandbox that was lost may take to come back, unless told otherwise, in milliseconds. */
const usualLostMs = 60_000;

/** The verb that brings webhooks to an application, wherever the sandbox is. */
export const listen: Verb = {
  name: 'listen',
  group: 'webhooks',
  summary: 'Brings the webhooks of a world to your application over outgoing calls alone; its answers are the answers of the attempts.',
  options: [
    { name: 'forward-to', value: 'url', meaning: 'Where your application receives webhooks: localhost:3000/webhooks.' },
    {
      name: 'subscription',
      value: 'id',
      meaning: 'Bring the webhooks of this one, which has to send to a listener, instead of subscribing and unsubscribing.',
    },
    { name: 'events', value: 'events', meaning: 'Only these, with commas between.', usual: 'all' },
    { name: 'name', value: 'name', meaning: 'Name of the listener.', usual: 'one of its own' },
    { name: 'take-over', meaning: 'Put out who else listens by that name.' },
    { name: 'header', value: 'name: value', meaning: 'A header to add.', isMany: true },
    {
      name: 'exec',
      value: 'command',
      meaning: 'Run this command once webhooks are heard, with the variables of env, and end with its exit code.',
    },
  ],
  examples: [
    'crossborder-sandbox listen --forward-to localhost:3000/webhooks --exec "node --version"',
    'crossborder-sandbox listen --forward-to localhost:3000/webhooks --events OPERATION_COMPLETED,OPERATION_FAILED --exec "node --version"',
    'crossborder-sandbox listen --forward-to http://localhost:3000/webhooks --header "x-test: 1" --name laptop --exec "node --version"',
  ],
  calls: [
    'GET /_sandbox/stream',
    'GET /_sandbox/subscriptions',
    'GET /_sandbox/deliveries/{deliveryId}',
    'GET /_sandbox/listeners/{listenerName}/attempts',
    'POST /_sandbox/listeners/{listenerName}/attempts/{attemptId}/answer',
    'GET /_sandbox',
    'GET /_sandbox/worlds/{worldName}',
    'POST /api/oauth/client/token',
    'POST /api/subscriptions',
    'DELETE /_sandbox/subscriptions/{subscriptionId}',
  ],
  exits: { 1: 'the sandbox says no, or another one listens by that name', 3: 'not reachable, or lost for longer than --timeout, a minute' },
  run: async (invocation) => {
    const { world, given, out, signal, timeoutMs: lostMs = usualLostMs } = invocation;
    const target = targetOf(given.text('forward-to'));
    const headers = headersOf(given.all('header'));
    const [name, events, command, subscription] = ['name', 'events', 'exec', 'subscription'].map((each) => given.text(each));
    if (subscription !== undefined && (name ?? events) !== undefined)
      throw new UsageError('--subscription brings its own listener and events; --name and --events are for one that is made.');
    let listening: Listening | undefined;
    const leaving = new AbortController();
    let isLost = false;
    const ready = () => {
      isLost = false;
      out.remark(`READY: webhooks of world ${world.name} go to ${target}.`);
    };
    const lost = () => {
      if (!isLost) out.remark('LOST: the sandbox has hung up. Trying again.');
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
      keepSubscribed(invocation, listening, changes).catch(() => undefined); // Listening itself says what has ended.
      ready();
      if (command !== undefined) return await execute(command, invocation);
      await listening.ended;
    } finally {
      changes.close();
      await listening.close();
      leaving.abort(); // An application that never answers would keep the process.
    }
  },
};
