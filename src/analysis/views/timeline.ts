import type { Finding } from '../../contract/control/analysis/findings.js';
import type { RecordedAttempt, RecordedCall, RecordedMark } from '../../contract/control/analysis/record.js';
import type { StreamKind, TimelineItem } from '../../contract/control/analysis/stream.js';
import { timestampOf } from '../../domain/context.js';
import { ruleOfCause } from '../../engine/plans.js';
import type { ListPosition, Listing } from '../../domain/lists/page.js';
import type { Commit } from '../../world/commit.js';
import { nextOrder, type AttemptRecord, type Replacement, type RequestRecord } from '../../exchange/exchange.js';
import type { Observer } from '../../exchange/observer.js';
import type { World } from '../../world/world.js';
import type { TestMarkers } from '../project/test-markers.js';
import type { CallRecord } from './record.js';
import type { Redactor } from '../../exchange/redact.js';
import { requestIn, type Exchange } from '../../exchange/entry.js';
import { attemptFields, requestOutline } from './entry.js';
import type { Stream } from './stream.js';
import type { ListedItem } from './timeline-filters.js';
import { commitItems, entryItem, findingItem, maxSummary, requestItem, worldItem, type NewItem } from './timeline-items.js';

/** The filter for items of the timeline. */
export interface TimelineFilter {
  readonly kinds: ReadonlySet<StreamKind> | undefined;
  readonly resourceId: string | undefined;
  readonly test: string | undefined;
  /** The generation; null for all generations. */
  readonly generation: number | null;
  /** True to include successful requests that changed nothing. */
  readonly hasReads: boolean;
}

/** A position in the timeline, and a function that reads the item; null for an entry that is not in the timeline. */
interface Place {
  readonly order: number;
  /** False for a mark, which `read` may leave out of the timeline. */
  readonly isItem: boolean;
  readonly read: () => ListedItem | null;
}

/** The parts of the analysis that timelines use. */
export interface TimelineHost {
  readonly record: CallRecord;
  readonly testMarkers: TestMarkers;
  readonly stream: Stream;
  /** Returns real time, in milliseconds since 1970. */
  realNow(): number;
}

/** Placeholder for the creation time in cursors: items are sorted only by their order. */
const noTime = '0000-00-00T00:00:00.000Z';

/**
 * The items of each world in order: recorded requests and attempts, and other changes that are stored with them. {@link Stream} sends these
 * items live.
 */
export class Timeline implements Observer {
  readonly #host: TimelineHost;

  constructor(host: TimelineHost) {
    this.#host = host;
  }

  responded(world: World | null, request: RequestRecord): void {
    const { stream } = this.#host;
    if (!world || !stream.hasReader(world)) return;
    const { id, kind, generation, test, began } = request;
    const outline = requestOutline(this.#redactorOf(world), request);
    const at = outline.at ?? new Date(world.nowMs()).toISOString();
    stream.add(world, requestItem({ kind, id, generation, test, ...outline, at }, began.order));
  }

  attempt(world: World, attempt: AttemptRecord): void {
    const { stream } = this.#host;
    if (!stream.hasReader(world)) return;
    const { id, generation, test, began } = attempt;
    const fields = attemptFields(this.#redactorOf(world), attempt);
    const entry = { kind: 'ATTEMPT', seq: 0, id, world: null, generation, test, findings: [], ...fields } as unknown as RecordedAttempt;
    stream.add(world, entryItem(entry, began.order));
  }

  /** Called when the begin or the end of a test was marked. */
  marked(world: World, mark: RecordedMark, order: number): void {
    const { stream } = this.#host;
    if (stream.hasReader(world)) stream.add(world, entryItem(mark, order));
  }

  committed(world: World, commit: Commit): void {
    if (!('changes' in commit) || !this.#isWanted(world)) return;
    for (const item of commitItems(world, commit)) this.#add(world, item, commit.causeId);
  }

  /** Called when a rule has reported a finding. */
  found(world: World, finding: Finding): void {
    if (this.#isWanted(world)) this.#add(world, findingItem(world, finding), null, finding.test);
  }

  /** Called when later requests disproved a finding. */
  retracted(world: World, finding: Finding): void {
    if (this.#isWanted(world)) this.#add(world, findingItem(world, finding, true), null, finding.test);
  }

  replaced(world: World, how: Replacement): void {
    if (this.#isWanted(world)) this.#add(world, worldItem(world, how), null);
  }

  deleted(world: World): void {
    if (this.#isWanted(world)) this.#add(world, worldItem(world, 'DELETED'), null);
    this.#host.stream.end(world);
  }

  left(world: World): void {
    this.#host.stream.end(world);
  }

  stopped(): void {
    this.#host.stream.stopped();
  }

  /** Returns the items of a world as a list by their order. Only the requested items are read. */
  list(world: World, wanted: TimelineFilter): Listing<ListedItem> {
    const isBeyond = (order: number, direction: 1 | -1, from: ListPosition | null) =>
      !from || direction * (order - from.seq || -from.side) > 0;
    const places = this.#placesOf(world, wanted).toSorted((a, b) => a.order - b.order);
    return {
      *walk(direction, from) {
        for (const { order, read } of direction === 1 ? places : places.toReversed()) {
          const item = isBeyond(order, direction, from) ? read() : null;
          if (item && isAmong(item, wanted)) yield item;
        }
      },
      placeOf: ({ order }) => ({ createdAt: noTime, seq: order }),
    };
  }

  /** Returns the number of items without reading them; null if the filter has conditions that need the items. */
  count(world: World, wanted: TimelineFilter): number | null {
    if (wanted.resourceId !== undefined || !wanted.hasReads) return null;
    return this.#placesOf(world, wanted).filter(({ isItem, read }) => isItem || read() !== null).length;
  }

  #placesOf(world: World, { kinds, generation, test }: TimelineFilter): Place[] {
    const { record } = this.#host;
    const isWanted = (each: Pick<TimelineItem, 'kind' | 'generation' | 'test'>) =>
      (kinds?.has(each.kind) ?? true) && (generation ?? each.generation) === each.generation && (test ?? each.test) === each.test;
    const recorded = record.of(world);
    return [
      ...recorded
        .all()
        .filter(isWanted)
        .map((stored) => ({ order: stored.beganOrder, isItem: stored.kind !== 'MARK', read: () => this.#read(world, stored) })),
      ...recorded
        .events()
        .filter(({ item }) => isWanted(item))
        .map(({ item }) => ({
          order: item.order,
          isItem: true,
          read: () => ({ ...withoutSecrets(this.#redactorOf(world), item), bodies: () => [] }),
        })),
    ];
  }

  /** Returns an exchange as an item; null for one that is not in the timeline. Renders its bodies only for a filter that asks for them. */
  #read(world: World, exchange: Exchange): ListedItem | null {
    const { record } = this.#host;
    const { id, generation, test, beganOrder, endedOrder, isCutOff } = exchange;
    const request = requestIn(exchange);
    if (request) {
      const shown = isCutOff ? { ...request, outcome: 'CLIENT_DISCONNECTED' as const } : request;
      const outline = requestOutline(this.#redactorOf(world), shown, endedOrder < Infinity);
      const bodies = () => {
        const { body, response } = record.entry(world, exchange) as RecordedCall;
        return [body, response?.body].flatMap((each) => (each ? [each.text] : []));
      };
      return { ...requestItem({ kind: request.kind, id, generation, test, ...outline }, beganOrder), bodies };
    }
    const entry = record.entry(world, exchange) as RecordedAttempt | RecordedMark;
    // A `WORLD` item already shows the start of a generation.
    if (entry.kind === 'MARK' && entry.what !== 'TEST' && entry.what !== 'TEST_END') return null;
    return { ...entryItem(entry, beganOrder), bodies: () => [] };
  }

  #isWanted(world: World): boolean {
    return this.#host.record.isOn || this.#host.stream.hasReader(world);
  }

  #add(world: World, item: NewItem, causeId: string | null, knownTest?: string | null): void {
    const { record, testMarkers, stream } = this.#host;
    const test = knownTest !== undefined ? knownTest : this.#testOf(world, item, causeId);
    const rule = causeId === null ? null : ruleOfCause(causeId);
    const full: TimelineItem = {
      order: nextOrder(),
      realAt: timestampOf(this.#host.realNow()),
      generation: testMarkers.generationOf(world),
      test,
      ...item,
      ...(rule ? { rule } : {}),
    };
    record.addEvent(world, full);
    if (stream.hasReader(world)) stream.add(world, withoutSecrets(this.#redactorOf(world), full));
  }

  #testOf(world: World, { resourceId }: NewItem, causeId: string | null): string | null {
    const { testMarkers } = this.#host;
    return causeId === null ? testMarkers.testOf(world) : testMarkers.testOfCause(world, causeId, resourceId);
  }

  #redactorOf(world: World): Redactor {
    return this.#host.record.redactorOf(world);
  }
}

/** Returns an item without secrets. */
function withoutSecrets(redactor: Redactor, item: TimelineItem): TimelineItem {
  const { summary, state, delivery, operation } = item;
  const reason = state?.reason;
  const { url = null } = delivery ?? {};
  const { payee = null } = operation ?? {};
  return {
    ...item,
    summary: redactor.text(summary, maxSummary),
    ...(state && reason ? { state: { ...state, reason: { ...reason, message: redactor.text(reason.message, maxSummary) } } } : {}),
    ...(operation && payee !== null ? { operation: { ...operation, payee: redactor.text(payee, maxSummary) } } : {}),
    ...(delivery && url !== null ? { delivery: { ...delivery, url: redactor.text(url) } } : {}),
  };
}

function isAmong({ kind, resourceId, request, status }: TimelineItem, wanted: TimelineFilter): boolean {
  if (wanted.resourceId !== undefined && wanted.resourceId !== resourceId) return false;
  if (wanted.hasReads || kind !== 'REQUEST' || !request) return true;
  const isPlainRead = request.method === 'GET' || request.operationId === 'createToken' || request.operationId === null;
  return !isPlainRead || Number(status) >= 400 || request.outcome !== 'DELIVERED';
}
