import { answered, defined } from '../../client/caller.js';
import type { StreamItem, StreamKind, TimelineItem } from '../../client/types.js';
import { timesOfLines } from '../../client/why-text.js';
import { SandboxError } from '../../client/error.js';
import { curlOf } from '../../contract/shared/curl.js';
import { UsageError } from '../failure.js';
import { countOption, follow } from '../follow.js';
import { idMeaning, idOf } from '../ids.js';
import type { Output } from '../output.js';
import { callsOf, documentCall, publicDocument } from '../public-document.js';
import type { Invocation, Verb } from '../verb.js';

/** Options that require `--follow`. */
const followOptions = ['kind', 'status', 'operation', 'resource', 'bodies', 'count'] as const;

function itemLine(out: Output, { at, kind, summary, status, ms, resource, resourceId }: StreamItem, timeOf: (instant: string) => string) {
  const parts = [timeOf(at), kind.padEnd(8)];
  if (kind === 'STATE')
    parts.push(status === null ? summary : summary.replace(` ${status}`, () => ` ${out.status(status)}`), resourceId ?? '');
  else parts.push(summary, out.status(status), ms === null ? '' : `${ms} ms`);
  if (kind !== 'STATE' && resourceId !== null && !summary.includes(resourceId)) parts.push(`${resource ?? ''} ${resourceId}`.trim());
  return parts.filter(Boolean).join(' ');
}

/** Headers that curl adds itself, or whose values are not recorded. */
const ownHeaders = /^(host|connection|content-length|transfer-encoding|authorization|accept-encoding|user-agent)$/;

/** Returns a recorded request as a curl command. @throws UsageError if the id is not that of a request */
async function recordedCurl(invocation: Invocation, requestId: string): Promise<string> {
  const { control, connection, signal } = invocation;
  const entry = await answered(control.GET('/_sandbox/requests/{requestId}', { params: { path: { requestId } }, signal }));
  if (!('method' in entry)) throw new UsageError(`${requestId} has kind ${entry.kind}, which is not a request.`);
  const { kind, method, url, headers, body, token } = entry;
  if (body?.truncated === true)
    invocation.out.remark(`Only the beginning of the request body is stored; the whole body has ${body.bytes} bytes.`);
  return curlOf({
    method,
    url: (kind === 'REQUEST' ? connection.url : connection.controlUrl) + url,
    hasToken: token !== null,
    headers: Object.entries(headers).filter(([name]) => !ownHeaders.test(name)),
    body: body?.text ?? null,
  });
}

/** Returns a filter for items by status and operation. @throws UsageError */
async function filterOf(invocation: Invocation): Promise<(item: StreamItem) => boolean> {
  const { given } = invocation;
  const [status, operation] = [given.text('status')?.toUpperCase(), given.text('operation')];
  const isHundred = status !== undefined && /^[1-5]XX$/.test(status);
  const hasStatus = (item: StreamItem) =>
    status === undefined || (isHundred ? item.status?.[0] === status[0] && item.status?.length === 3 : item.status === status);
  if (operation === undefined) return hasStatus;
  const isCalled = callsOf(await publicDocument(invocation), operation, '--operation');
  return (item) => item.kind === 'REQUEST' && isCalled(item.summary) && hasStatus(item);
}

/** The recorded bodies of a request or an attempt, and of its response; null if not recorded. */
interface Bodies {
  readonly request: string | null;
  readonly answer: string | null;
}

/** Whether an item may have recorded bodies. Reads of the control API are not recorded. */
const hasBodies = ({ kind, summary }: StreamItem) =>
  kind === 'REQUEST' || kind === 'ATTEMPT' || (kind === 'CONTROL' && !/^(GET|HEAD) /.test(summary));

/** Returns the recorded bodies of a request and its response; null if they are no longer recorded. */
async function bodiesOf({ control, signal }: Invocation, item: StreamItem): Promise<Bodies> {
  const none = { request: null, answer: null };
  if (!hasBodies(item)) return none;
  try {
    const entry = await answered(control.GET('/_sandbox/requests/{requestId}', { params: { path: { requestId: item.id } }, signal }));
    if (entry.kind === 'MARK') return none;
    const response = entry.kind === 'ATTEMPT' ? entry.response : (entry.response?.body ?? null);
    return { request: entry.body?.text ?? null, answer: response?.text ?? null };
  } catch (error) {
    if (error instanceof SandboxError && error.status === 404) return none;
    throw error;
  }
}

/** Shows new timeline items until `--count` or `--timeout` is reached. */
async function followLogs(invocation: Invocation): Promise<void> {
  const { given, out } = invocation;
  const isWanted = await filterOf(invocation);
  const resource = given.text('resource');
  const kinds = given.text('kind')?.toUpperCase().split(',') as StreamKind[] | undefined;
  const resourceId = resource === undefined ? undefined : await idOf(resource, 'operation', invocation);
  const hasText = given.has('bodies');
  const timeOf = timesOfLines();
  const isBrief = kinds === undefined && !given.has('verbose') && !out.isJson;
  await follow(invocation, { kinds, resourceId }, async (item) => {
    if (!isWanted(item) || ownRequests.test(item.summary) || (isBrief && details.has(item.kind))) return false;
    if (!hasText) {
      out.item(item, itemLine(out, item, timeOf), item.id);
      return true;
    }
    const bodies = await bodiesOf(invocation, item);
    const lines = [itemLine(out, item, timeOf), ...bodyLines('→', bodies.request), ...bodyLines('←', bodies.answer)];
    out.item({ ...item, ...bodies }, lines.join('\n'), item.id);
    return true;
  });
}

/** Requests of the command line itself: this command reads the stream, and `listen` responds to webhooks. */
const ownRequests = /^(GET \/_sandbox\/(stream|requests\/|deliveries\/)|(GET|POST) \/_sandbox\/listeners\/)/;

/** Kinds that other lines show too: attempts show deliveries and inbox messages; status changes show postings, rules and timers. */
const details: ReadonlySet<StreamKind> = new Set(['DELIVERY', 'INBOX', 'LEDGER', 'RULE', 'JOB']);

/** Shows the timeline as items, oldest first: at most the newest {@link maxItems}. */
async function showItems({ control, out, signal }: Invocation): Promise<void> {
  const items: TimelineItem[] = [];
  let cursor: string | undefined;
  do {
    const { data, meta } = await answered(
      control.GET('/_sandbox/timeline', { params: { query: { limit: 100, ...defined({ cursor }) } }, signal }),
    );
    items.push(...data);
    cursor = meta.nextCursor ?? undefined;
  } while (cursor !== undefined && items.length < maxItems);
  for (const each of items.toReversed()) out.line(JSON.stringify(each));
}

/** Maximum number of items of the timeline with `--json`. */
const maxItems = 1000;

const bodyLines = (mark: string, text: string | null) =>
  text === null || text === '' ? [] : [`  ${mark} ${text.replaceAll('\n', '\n    ')}`];

/** The command that shows the timeline of a world. */
export const logs: Verb = {
  name: 'logs',
  group: 'see',
  summary: 'Show the events of a world as a tree of causes, or follow new events.',
  options: [
    { name: 'follow', meaning: 'Show new events until interrupted, one line each.' },
    { name: 'kind', value: 'kinds', meaning: 'Only these kinds, separated by commas, for example REQUEST,STATE,ATTEMPT.' },
    { name: 'status', value: 'status', meaning: 'Only events with this status, for example 422, 4xx or COMPLETED.' },
    { name: 'operation', value: 'operationId', meaning: 'Only requests of this operation of the API, for example createWithdrawal.' },
    { name: 'resource', value: 'id', meaning: idMeaning('operation') },
    {
      name: 'curl',
      value: 'request id',
      meaning: 'Show a request as a curl command, by its X-Request-Id; @last for the newest.',
    },
    { name: 'verbose', short: 'v', meaning: 'With --follow: also show deliveries, inbox messages and postings.' },
    { name: 'bodies', meaning: 'With --follow: also show the recorded bodies of requests and responses.' },
    countOption,
  ],
  examples: [
    'crossborder-sandbox logs',
    'crossborder-sandbox logs --curl @last',
    'crossborder-sandbox logs --follow --operation listAccounts --status 2xx --bodies --count 1',
  ],
  exits: { 4: '--count was not reached within --timeout' },
  calls: [
    'GET /_sandbox/stream',
    'GET /_sandbox/requests',
    'GET /_sandbox/requests/{requestId}',
    'GET /_sandbox/clock',
    'GET /_sandbox/timeline',
    documentCall,
  ],
  run: async (invocation) => {
    const { world, given, out, signal } = invocation;
    const curl = given.text('curl');
    if (curl !== undefined) return out.line(await recordedCurl(invocation, await idOf(curl, 'call', invocation)));
    if (given.has('follow')) return followLogs(invocation);
    const wrong = followOptions.find((name) => given.text(name) !== undefined);
    if (wrong !== undefined) throw new UsageError(`--${wrong} requires --follow.`);
    if (out.isJson) return showItems(invocation);
    out.line(await world.timeline({ signal }));
  },
};
