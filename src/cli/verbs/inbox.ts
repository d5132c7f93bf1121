import { answered } from '../../client/caller.js';
import type { EventType, InboxMessage, InboxResponse } from '../../client/types.js';
import { UsageError } from '../failure.js';
import { countOption, follow } from '../follow.js';
import { idMeaning, idOf } from '../ids.js';
import type { Output } from '../output.js';
import { documentCall, eventIn, publicDocument } from '../public-document.js';
import { wholeNumber } from '../values.js';
import type { Invocation, Verb } from '../verb.js';

function messageLine(out: Output, { headers, body, signatureValid, receivedAt }: InboxMessage): string {
  const signature = signatureValid ? out.style('green', 'signature valid') : out.style('red', 'signature invalid');
  return `${receivedAt} ${headers['x-event-type'] ?? 'no event'} ${headers['x-message-id'] ?? ''} ${signature} ${body}`;
}

/** Shows messages. @param none remark if there are none */
function showMessages(out: Output, messages: readonly InboxMessage[], none: string): void {
  for (const each of messages) out.item(each, messageLine(out, each), each.headers['x-message-id'] ?? each.id);
  if (messages.length === 0) out.remark(none);
}

/** Parses responses such as `500x2,200`: statuses, each with its number of responses. @throws UsageError */
function responsesOf(text: string) {
  return text.split(',').map((each) => {
    const [, status, times = '1'] = /^([2-5][0-9]{2})(?:x([0-9]+))?$/.exec(each.trim()) ?? [];
    if (status === undefined) throw new UsageError(`--respond is "${text}"; expected statuses separated by commas, for example 500x2,200.`);
    return { status: Number(status), times: wholeNumber(times, '--respond', 1_000_000), delayMs: 0 };
  });
}

function responseLine({ status, times, delayMs }: InboxResponse): string {
  return `${status}, ${times} ${times === 1 ? 'time' : 'times'}${delayMs === 0 ? '' : `, after ${delayMs} ms`}`;
}

/** Shows messages as they arrive. */
async function followInbox(invocation: Invocation, inboxName: string): Promise<void> {
  const { control, given, out, signal } = invocation;
  const eventType = given.text('event')?.toUpperCase();
  if (eventType !== undefined) eventIn(await publicDocument(invocation), eventType);
  const resource = given.text('resource');
  const resourceId = resource === undefined ? undefined : await idOf(resource, 'operation', invocation);
  await follow(invocation, { kinds: ['INBOX'], resourceId }, async ({ id }) => {
    if (!id.startsWith(`${inboxName}/`)) return false;
    const params = { path: { inboxName }, query: { filters: `id[eq]=${id}`, limit: 1 } };
    const [message] = (await answered(control.GET('/_sandbox/inbox/{inboxName}/messages', { params, signal }))).data;
    if (!message || (eventType !== undefined && message.headers['x-event-type'] !== eventType)) return false;
    out.item(message, messageLine(out, message), message.headers['x-message-id'] ?? id);
    return true;
  });
}

export const inbox: Verb = {
  name: 'inbox',
  group: 'webhooks',
  summary: 'Show the messages of an inbox in the sandbox, wait for or follow them, or set its responses.',
  args: [{ name: 'name', meaning: 'Name of the inbox, which is created on first use.' }],
  options: [
    { name: 'address', meaning: 'Only show the URL of the inbox, for use in a subscription.' },
    { name: 'await', value: 'number', meaning: 'Wait until n messages have arrived. Default timeout: 10 seconds.' },
    { name: 'follow', meaning: 'Show new messages until interrupted.' },
    { name: 'event', value: 'event', meaning: 'Wait for or follow only events of this type.' },
    { name: 'resource', value: 'id', meaning: `Wait for or follow only events about this resource. ${idMeaning('operation')}` },
    countOption,
    { name: 'respond', value: 'statuses', meaning: 'Next responses, then 200. For example 500x2,200.' },
    { name: 'responses', meaning: 'Only show the remaining responses of --respond.' },
    { name: 'limit', value: 'number', meaning: 'Maximum number of messages, up to 100.', usual: '20' },
  ],
  examples: [
    'crossborder-sandbox inbox orders --follow --count 1',
    'crossborder-sandbox inbox orders --await 1 --event OPERATION_REQUESTED --json',
    'crossborder-sandbox inbox orders --respond 500x2,200',
  ],
  exits: { 4: 'timed out' },
  calls: [
    'GET /_sandbox/inbox/{inboxName}/messages',
    'GET /_sandbox/inbox/{inboxName}/await',
    'GET /_sandbox/inbox/{inboxName}/responses',
    'PUT /_sandbox/inbox/{inboxName}/responses',
    'GET /_sandbox/stream',
    'GET /_sandbox/operations',
    'GET /_sandbox',
    documentCall,
  ],
  run: async (invocation) => {
    const { world, control, args, given, out, timeoutMs, signal } = invocation;
    const path = { inboxName: args[0]! };
    const handle = world.inbox(path.inboxName);
    const [respond, count, event, resource] = [given.text('respond'), given.text('await'), given.text('event'), given.text('resource')];
    const ways = ['address', 'await', 'follow', 'respond', 'responses'].filter((each) => given.has(each) || given.text(each) !== undefined);
    if (ways.length > 1) throw new UsageError(`${ways.map((each) => `--${each}`).join(' and ')} cannot be combined.`);
    if (given.text('count') !== undefined && !given.has('follow')) throw new UsageError('--count requires --follow.');
    if (given.has('follow')) return followInbox(invocation, path.inboxName);
    if (given.has('address')) return out.line(await handle.url({ signal }));
    if (respond !== undefined) {
      const answer = await answered(
        control.PUT('/_sandbox/inbox/{inboxName}/responses', { params: { path }, body: responsesOf(respond), signal }),
      );
      return out.show(answer, answer.map(responseLine));
    }
    if (given.has('responses')) {
      const answer = await handle.responses({ signal });
      return out.show(answer, answer.length === 0 ? ['200'] : answer.map(responseLine));
    }
    if (count === undefined) {
      if (event !== undefined || resource !== undefined) throw new UsageError('--event and --resource require --await or --follow.');
      const query = { limit: wholeNumber(given.text('limit') ?? '20', '--limit', 100) };
      const answer = await answered(control.GET('/_sandbox/inbox/{inboxName}/messages', { params: { path, query }, signal }));
      return showMessages(out, answer.data, `Inbox ${path.inboxName} is empty.`);
    }
    const data = await handle.waitFor({
      count: wholeNumber(count, '--await', 1000),
      timeoutMs,
      signal,
      eventType: event?.toUpperCase() as EventType | undefined,
      ...(resource === undefined ? {} : { resourceId: await idOf(resource, 'operation', invocation) }),
    });
    showMessages(out, data, '');
  },
};
