import { withoutSecrets } from '../../../../contract/shared/messages/quoted.js';
import type { RecordEntry } from '../../../../contract/control/analysis/record.js';
import {
  deleteRequestsRoute,
  deleteTestRoute,
  getRequestRoute,
  listRequestsRoute,
  putTestRoute,
  verifyRequestsRoute,
} from '../../../../contract/control/routes/analysis/record.js';
import type { FilterFieldOf } from '../../../../contract/shared/filters.js';
import { notFound } from '../../../../domain/errors.js';
import { decimal, flag, text, timestamp, valuesAt, type FilterFields } from '../../../../domain/lists/fields.js';
import { readPageQuery, type ListPosition, type Listing } from '../../../../domain/lists/page.js';
import { harPieces } from '../../../../analysis/views/har.js';
import type { Exchange } from '../../../../exchange/entry.js';
import { Verification } from '../../../../analysis/answer/verify/verify.js';
import { page } from '../../../plane/page.js';
import { streamed } from '../../../plane/streamed.js';
import type { World } from '../../../../world/world.js';
import { partnerOf } from '../../partner.js';
import type { ControlPlane } from '../../plane.js';

const at =
  (...path: string[]) =>
  (entry: RecordEntry) =>
    valuesAt(entry, path);

/** The fields by which recorded entries can be filtered. A field is null if this kind of entry does not have it. */
export const requestFilters: FilterFields<RecordEntry, FilterFieldOf<'requests'>> = {
  id: text((entry) => entry.id),
  seq: decimal((entry) => entry.seq),
  kind: text((entry) => entry.kind),
  generation: decimal((entry) => entry.generation),
  test: text((entry) => entry.test),
  at: timestamp(at('at')),
  startedAt: timestamp(at('startedAt')),
  durationMs: decimal(at('durationMs')),
  connection: decimal(at('connection')),
  method: text(at('method')),
  path: text(at('path')),
  operationId: text(at('operationId')),
  version: text(at('version')),
  token: text(at('token')),
  idempotencyKey: text(at('idempotencyKey')),
  traceId: text(at('traceId')),
  purpose: text(at('purpose')),
  unknown: text(at('unknown')),
  status: decimal(at('status')),
  code: text(at('code')),
  'response.replay': flag(at('response', 'replay')),
  'response.outcome': text(at('response', 'outcome')),
  'response.ruleId': text(at('response', 'ruleId')),
  'caused.id': text(at('caused', 'id')),
  findings: text(at('findings')),
  messageId: text(at('messageId')),
  eventType: text(at('eventType')),
  resourceId: text(at('resourceId')),
  subscriptionId: text(at('subscriptionId')),
  attemptKind: text(at('attemptKind')),
  httpStatus: decimal(at('httpStatus')),
  causeId: text(at('causeId')),
};

/** Constant in place of the creation time, so that entries are sorted only by their sequence number. */
const timeline = '0000-00-00T00:00:00.000Z';

/** Returns entries as a list, in the order of their sequence numbers. Converts only the entries that a page requests. */
function listingOf(entries: readonly Exchange[], view: (stored: Exchange) => RecordEntry): Listing<RecordEntry> {
  const isBeyond = (seq: number, direction: 1 | -1, from: ListPosition | null) => !from || direction * (seq - from.seq || -from.side) > 0;
  return {
    *walk(direction, from) {
      for (const each of direction === 1 ? entries : entries.toReversed()) if (isBeyond(each.seq, direction, from)) yield view(each);
    },
    placeOf: ({ seq }) => ({ createdAt: timeline, seq }),
  };
}

/** Returns entries in the form of the contract, one at a time. */
function* views(entries: readonly Exchange[], view: (stored: Exchange) => RecordEntry): Generator<RecordEntry> {
  for (const each of entries) yield view(each);
}

export function serveRecord(plane: ControlPlane): void {
  const { record, testMarkers, findings } = plane.options.analysis;
  const ofWorld = (world: World, generation: string | undefined) => {
    const number = generation === 'all' ? null : Number(generation ?? testMarkers.generationOf(world));
    const all = record.of(world).all();
    return number === null ? all : all.filter((stored) => stored.generation === number);
  };
  plane.serve(listRequestsRoute, ({ query: { kind, generation, unattributed, format, ...query }, session, context }) => {
    const { world } = session;
    const isUnattributed = unattributed === 'true';
    const kinds: ReadonlySet<string> = new Set(kind.split(','));
    const entries = (isUnattributed ? record.unattributed : ofWorld(world, generation)).filter((stored) => kinds.has(stored.kind));
    const view = (stored: Exchange) => (isUnattributed ? record.unattributedEntry(stored) : record.entry(world, stored));
    const scope = `${world.identity.name}/requests/${unattributed}/${kind}/${generation ?? ''}`;
    if (format === 'json') return page(listingOf(entries, view), query, scope, requestFilters, (entry): RecordEntry => entry);
    const { passes } = readPageQuery(query, scope, requestFilters);
    return streamed(harPieces(views(entries, view), passes, new URL(context.req.url).origin));
  });
  plane.serve(getRequestRoute, ({ params: { requestId: id }, session: { world }, context }) => {
    const stored = record.of(world).find(id);
    if (stored) return record.entry(world, stored);
    const nobodys = partnerOf(context) === undefined ? record.unattributed.find((each) => each.id === id) : undefined;
    if (nobodys) return record.unattributedEntry(nobodys);
    throw notFound('request', { id });
  });
  plane.serve(verifyRequestsRoute, async ({ body, session }) => (await Verification.create(record, testMarkers, session, body)).run());
  plane.serve(deleteRequestsRoute, ({ session }) => {
    session.check();
    record.clear(session.world);
  });
  plane.serve(putTestRoute, ({ body, session }) => {
    session.check();
    // Frameworks send the names of tests, so a name with a secret is not refused.
    const name = withoutSecrets(body.name);
    findings.testBegan(session.world, name);
    record.setTest(session.world, name, body.negative ?? false);
    return { ...body, name };
  });
  plane.serve(deleteTestRoute, ({ session }) => {
    session.check();
    record.setTest(session.world, null);
  });
}
