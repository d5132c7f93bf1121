import type { RecordedCall, RecordEntry } from '../../../contract/control/analysis/record.js';
import type { Finding } from '../../../contract/control/analysis/findings.js';
import type { TimelineItem } from '../../../contract/control/analysis/stream.js';
import type { World } from '../../../world/world.js';
import { evidenceReader } from '../../views/evidence.js';
import { findingViews } from '../../project/findings/present.js';
import type { Findings } from '../../project/findings/findings.js';
import type { CallRecord } from '../../views/record.js';
import { requestIn, type Exchange } from '../../../exchange/entry.js';
import type { TestMarkers } from '../../project/test-markers.js';
import type { Timeline } from '../../views/timeline.js';

/** Maximum number of recorded entries and timeline items that an explanation reads. */
const maxRead = 200;

const isCall = (entry: RecordEntry | undefined): entry is RecordedCall => entry?.kind === 'REQUEST' || entry?.kind === 'CONTROL';

/** The parts of the analysis that explanations read. */
export interface Sources {
  readonly record: CallRecord;
  readonly timeline: Timeline;
  readonly findings: Findings;
  readonly testMarkers: TestMarkers;
}

/** True if a request contains a string in its URL, key, bodies or effects. */
function mentions(stored: Exchange, text: string): boolean {
  const request = requestIn(stored);
  if (!request) return false;
  const { target, idempotencyKey, body, response, caused } = request;
  const texts = [target, idempotencyKey, body?.text, response.body, ...caused.map(({ id }) => id)];
  return texts.some((each) => each?.includes(text));
}

/** The recorded requests, timeline items and findings of a world, in all its generations. */
export class RecordedRequests {
  readonly #sources: Sources;
  readonly #world: World;
  /** Calls that were looked up, because many rows can have one cause. */
  readonly #calls = new Map<string, RecordedCall | undefined>();

  constructor(sources: Sources, world: World) {
    this.#sources = sources;
    this.#world = world;
  }

  /** The number of the current generation. */
  get generation(): number {
    return this.#sources.testMarkers.generationOf(this.#world);
  }

  /** Returns a recorded request; undefined if there is none, or if it was evicted. */
  call(id: string): RecordedCall | undefined {
    if (!this.#calls.has(id)) this.#calls.set(id, this.#sources.record.call(this.#world, id));
    return this.#calls.get(id);
  }

  /** Returns the newest requests that contain a string and match a condition, oldest first. */
  callsWith(text: string, fits: (call: RecordedCall) => boolean): RecordedCall[] {
    const { record } = this.#sources;
    const found: RecordedCall[] = [];
    for (const stored of record.of(this.#world).all().toReversed()) {
      if (!mentions(stored, text)) continue;
      const entry = record.entry(this.#world, stored);
      if (isCall(entry) && fits(entry) && found.push(entry) === maxRead) break;
    }
    return found.toReversed();
  }

  /** Returns the newest timeline items of a resource in earlier generations, oldest first. */
  earlierEvents(resourceId: string): TimelineItem[] {
    const wanted = { kinds: undefined, resourceId, test: undefined, generation: null, hasReads: true };
    const found: TimelineItem[] = [];
    for (const item of this.#sources.timeline.list(this.#world, wanted).walk(-1, null)) {
      if (item.generation < this.generation && found.push(item) === maxRead) break;
    }
    return found.toReversed();
  }

  finding(id: string): Finding | undefined {
    const { book } = this.#sources.findings.runnerOf(this.#world);
    const found = book.list('all', true).filter((each) => each.id === id);
    return findingViews(book, found, evidenceReader(this.#sources.record, this.#world))[0];
  }
}
