import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { EventType } from '../../client/types.js';
import { UsageError } from '../failure.js';
import type { Invocation, Verb } from '../verb.js';

/** Where webhooks go on to. @throws UsageError */
function targetOf(text: string | undefined): string {
  if (text === undefined)
    throw new UsageError('--forward-to is missing: where your application receives webhooks, as localhost:3000/webhooks.');
  const url = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(url)) throw new UsageError(`--forward-to is "${text}"; expected an address, as localhost:3000/webhooks.`);
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

/** Hands webhooks on, byte for byte, and tells of each. */
function forwarder({ out }: Invocation, target: string, headers: readonly [string, string][]) {
  return async (request: Request): Promise<Response> => {
    const began = performance.now();
    const [eventType, messageId] = [request.headers.get('x-event-type'), request.headers.get('x-message-id')];
    const tell = (status: number, error: string | null) => {
      const ms = Math.round(performance.now() - began);
      const line = `${eventType ?? 'no event'} ${messageId ?? ''} → ${error ?? out.status(String(status))} ${ms} ms`;
      out.item({ messageId, eventType, status, error, ms }, line, messageId ?? '');
    };
    try {
      const sent = new Headers(request.headers);
      for (const [name, value] of headers) sent.set(name, value);
      const response = await fetch(target, { method: 'POST', headers: sent, body: await request.arrayBuffer(), redirect: 'manual' });
      tell(response.status, null);
      return response;
    } catch (error) {
      const { cause, message } = error as Error;
      tell(0, cause instanceof Error && cause.message !== '' ? cause.message : message);
      throw error;
    }
  };
}

/** Runs a command of the shell with what an application needs to use the world. @returns its exit code */
async function execute(command: string, { world, environment, signal }: Invocation): Promise<number> {
  const child = spawn(command, { shell: true, stdio: 'inherit', env: { ...environment, ...(await world.env({ signal })) } });
  const stop = () => child.kill();
  signal.addEventListener('abort', stop);
  const [code] = (await once(child, 'exit')) as [number | null];
  signal.removeEventListener('abort', stop);
  return code ?? 1;
}

/** The verb that brings webhooks to an application, wherever the sandbox is. */
export const listen: Verb = {
  name: 'listen',
  group: 'webhooks',
  summary: 'Brings the webhooks of a world to your application over outgoing calls alone; its answers are the answers of the attempts.',
  options: [
    { name: 'forward-to', value: 'url', meaning: 'Where your application receives webhooks: localhost:3000/webhooks.' },
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
    'GET /_sandbox/listeners/{listenerName}/attempts',
    'POST /_sandbox/listeners/{listenerName}/attempts/{attemptId}/answer',
    'GET /_sandbox',
    'GET /_sandbox/worlds/{worldName}',
    'POST /api/oauth/client/token',
    'POST /api/subscriptions',
    'DELETE /_sandbox/subscriptions/{subscriptionId}',
  ],
  run: async (invocation) => {
    const { world, given, out, signal } = invocation;
    const target = targetOf(given.text('forward-to'));
    const headers = headersOf(given.all('header'));
    const [name, events, command] = [given.text('name'), given.text('events'), given.text('exec')];
    const receive = forwarder(invocation, target, headers);
    const listening = await world.listen(receive, {
      name,
      takeOver: given.has('take-over'),
      events: events?.toUpperCase().split(',') as EventType[] | undefined,
    });
    try {
      out.remark(`READY: webhooks of world ${world.name} go to ${target}.`);
      if (command !== undefined) return await execute(command, invocation);
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      await listening.close();
    }
    signal.throwIfAborted();
  },
};
