import type { Verified, VerifyRequest } from '../../../contract/control/analysis/verify.js';
import { DomainError, invalidData, notFound } from '../../../domain/errors.js';
import { yieldToEventLoop, TimeSlicer } from '../../../world/turns.js';
import type { Session } from '../../../world/session.js';
import type { TestMarkers } from '../../project/test-markers.js';
import type { CallRecord } from '../../views/record.js';
import { requestIn, type Exchange } from '../../../exchange/entry.js';
import { checkConditions } from './bounds.js';
import { conclude, type Conclusion, type ExpectedCount } from './conclude.js';
import { Expressions } from './expressions.js';
import { checkFields } from './fields.js';
import { MatchResults, type EntryResult } from './match-results.js';
import { compileMatch, judge, mayHoldFor, type Matcher } from './match.js';
import { briefOf, NearMisses } from './nearest.js';
import { subjectOf } from './subject.js';
import { firstLine, furtherLines, matchText } from './words.js';

/** Maximum number of waiting verifications in a world. */
const maxWaits = 100;
/** Maximum additional time for requests in progress after `withinMs`, in milliseconds. */
const maxOpenMs = 60_000;
/** Maximum number of entries in a response: `requests` of a success, `matched` of a failure. */
const shown = { requests: 100, matched: 5 } as const;
/** Maximum number of entries of a world searched outside the scope. */
const maxElsewhere = 2000;
/** Maximum time to search for near misses in the scope, and elsewhere, in milliseconds. */
const searchMs = { scope: 9, elsewhere: 9 } as const;
/** Number of entries that are searched even on a slow machine. */
const leastSearched = 250;

/** Limits a search by time. */
class SearchLimit {
  readonly #end: number;
  #searched = 0;

  constructor(ms: number) {
    this.#end = performance.now() + ms;
  }

  /** Counts an entry. @returns true if no further one may be searched */
  isReached(): boolean {
    this.#searched += 1;
    return this.#searched > leastSearched && performance.now() > this.#end;
  }
}

/** The scope of the entries to check: after a position, and of a generation or a test. */
interface Scope {
  readonly from: number;
  readonly generation: number | null;
  readonly test: string | null;
  /** The end of the sentence that describes the scope, for example ` since the start`. */
  readonly text: string;
}

/** A verification request with compiled conditions. */
interface Asked {
  readonly matchers: readonly Matcher[];
  readonly expected: ExpectedCount;
  readonly scope: Scope;
}

function refuse(field: string, message: string): never {
  throw invalidData([{ code: 'INVALID_FORMAT', message, field: `body:${field}`, params: {} }]);
}

function expectedOf(
  { match, sequence, count, atLeast, atMost, noOthers, strict }: VerifyRequest,
  expressions: Expressions | null,
): {
  matchers: Matcher[];
  expected: ExpectedCount;
} {
  if ((match === undefined) === (sequence === undefined)) refuse('match', 'Give either match or sequence.');
  if (count !== undefined && (atLeast !== undefined || atMost !== undefined)) refuse('count', 'Give count, or atLeast and atMost.');
  if (sequence && (count ?? atLeast ?? atMost) !== undefined) refuse('count', 'Give the numbers in the steps of a sequence.');
  if (strict && !sequence) refuse('strict', 'Only a sequence can be strict.');
  if (noOthers && sequence) refuse('noOthers', 'A sequence with noOthers must be strict.');
  const steps = sequence?.map((each) =>
    'match' in each && typeof each.match === 'object' && each.match !== null ? each : { match: each },
  );
  checkConditions(steps ? steps.map(({ match: each }) => each) : [match]);
  const matchers = (steps ?? [{ match: match! }]).map((each) => compileMatch(each.match as Record<string, unknown>, expressions));
  checkFields(matchers, expressions);
  const least = count ?? atLeast ?? (atMost === undefined ? 1 : 0);
  const counts = steps?.map((each) => ('count' in each && typeof each.count === 'number' ? each.count : 1)) ?? null;
  return { matchers, expected: { least, most: count ?? atMost ?? Infinity, noOthers, strict, steps: counts } };
}

/** Verifies the recorded requests and webhooks of a world, and can wait for expected ones. */
export class Verification {
  readonly #record: CallRecord;
  readonly #testMarkers: TestMarkers;
  readonly #session: Session;
  readonly #asked: Asked;
  readonly #request: VerifyRequest;
  readonly #judged = new MatchResults();
  readonly #news = new Set<Exchange>();
  #isEvicted = false;
  #wake = (): void => undefined;

  /**
   * Creates a verification, with the engine for regular expressions if a condition needs it.
   * @throws DomainError as the constructor does
   */
  static async create(record: CallRecord, testMarkers: TestMarkers, session: Session, request: VerifyRequest): Promise<Verification> {
    const needsExpressions = JSON.stringify([request.match, request.sequence]).includes('"matches":');
    return new Verification(record, testMarkers, session, request, needsExpressions ? await Expressions.load() : null);
  }

  /** @throws DomainError INVALID_DATA for a request that can never succeed, RESOURCE_NOT_FOUND for an unknown entry in `since` */
  constructor(
    record: CallRecord,
    testMarkers: TestMarkers,
    session: Session,
    request: VerifyRequest,
    expressions: Expressions | null = null,
  ) {
    session.check();
    this.#record = record;
    this.#testMarkers = testMarkers;
    this.#session = session;
    this.#request = request;
    this.#asked = { ...expectedOf(request, expressions), scope: this.#scopeOf(request.since) };
  }

  /** Runs the verification. @throws DomainError VERIFICATION_FAILED, RATE_LIMIT_EXCEEDED, and as {@link Session.check} does */
  async run(): Promise<Verified> {
    const record = this.#record.of(this.#session.world);
    if (record.listeners >= maxWaits)
      throw new DomainError(
        'RATE_LIMIT_EXCEEDED',
        `${maxWaits} verifications are already waiting in this world. Retry after some of them end.`,
        { maximum: maxWaits },
      );
    const { gone } = record;
    this.#isEvicted = !this.#record.isOn || this.#mayHaveGone(gone);
    for (const each of record.all()) this.#news.add(each);
    const stop = record.listen((entry) => {
      this.#news.add(entry);
      this.#wake();
    });
    try {
      return await this.#settle();
    } finally {
      stop();
    }
  }

  /** Checks the entries, and checks new ones until there is a result. */
  async #settle(): Promise<Verified> {
    const { withinMs = 0, duringMs = 0 } = this.#request;
    const deadline = performance.now() + withinMs;
    let heldUntil: number | null = null;
    for (;;) {
      await this.#judgeNews();
      this.#session.check();
      const found = conclude(this.#asked.expected, this.#judged, this.#isEvicted);
      const now = performance.now();
      let until = heldUntil === null ? deadline : heldUntil + maxOpenMs;
      if (found.state === 'SATISFIED') {
        until = heldUntil ??= now + duringMs;
        if (now >= until) return this.#succeed(found);
      } else if (now >= until || found.state === 'FAILED' || (heldUntil !== null && found.state !== 'PENDING')) return this.#fail(found);
      await this.#wait(until - now);
    }
  }

  /** Waits for new or changed entries, at most `ms` milliseconds. */
  async #wait(ms: number): Promise<void> {
    if (this.#news.size === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(1, Math.ceil(ms)));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    await yieldToEventLoop(); // One request can wake many waiting verifications: let other work run first.
  }

  async #judgeNews(): Promise<void> {
    const pace = new TimeSlicer();
    for (const stored of this.#news) {
      this.#news.delete(stored);
      if (this.#isInScope(stored)) this.#judged.set(this.#judgedOf(stored));
      if (pace.shouldYield()) await pace.yield();
    }
  }

  #judgedOf(stored: Exchange): EntryResult {
    const { matchers } = this.#asked;
    const entry = this.#record.entry(this.#session.world, stored);
    const subject = subjectOf(entry);
    const results = matchers.map((each) => (each.kind === stored.kind ? judge(each, subject) : null));
    return { stored, results, isOpen: subject.isOpen, isToken: 'operationId' in entry && entry.operationId === 'createToken' };
  }

  #isInScope({ kind, seq, generation, test }: Exchange): boolean {
    const { matchers, scope } = this.#asked;
    const isMeant = matchers.some((each) => each.kind === kind) || (kind === 'REQUEST' && this.#asked.expected.noOthers === true);
    return isMeant && seq > scope.from && (scope.generation ?? generation) === generation && (scope.test ?? test) === test;
  }

  #scopeOf(since: string | undefined): Scope {
    const { world } = this.#session;
    const record = this.#record.of(world);
    const test = this.#testMarkers.testOf(world);
    const generation = this.#testMarkers.generationOf(world);
    const kind = since ?? (test === null ? 'generation' : 'test');
    if (kind === 'test') {
      if (test === null) refuse('since', 'No test is marked. Mark one with PUT /_sandbox/test.');
      return { from: Math.max(record.began.test, record.began.generation), generation, test, text: ` since test "${test}"` };
    }
    if (kind === 'generation')
      return {
        from: record.began.generation,
        generation,
        test: null,
        text: generation === 1 ? '' : ` since generation ${generation} began`,
      };
    if (kind === 'start') return { from: 0, generation: null, test: null, text: ' since the start' };
    const entry = record.find(kind);
    if (!entry) throw notFound('request', { id: kind });
    return { from: entry.seq, generation: null, test: null, text: ` since ${kind}` };
  }

  /** True if entries that could decide the result were evicted. Evicted reads do not matter to a matcher for writes. */
  #mayHaveGone(gone: { reads: { seq: number }; writes: { seq: number } }): boolean {
    const { matchers, expected, scope } = this.#asked;
    const isAny = expected.noOthers === true || expected.strict === true;
    const decides = (sort: 'reads' | 'writes') => isAny || matchers.some((each) => mayHoldFor(each, sort));
    return (['reads', 'writes'] as const).some((sort) => gone[sort].seq > scope.from && decides(sort));
  }

  #brief(stored: Exchange) {
    return briefOf(this.#record.entry(this.#session.world, stored));
  }

  #succeed(found: Conclusion): Verified {
    const matched = found.matched();
    const requests = matched.toSorted((a, b) => a.seq - b.seq).slice(-shown.requests);
    return { verified: true, count: matched.length, requests: requests.map((each) => this.#brief(each)) };
  }

  async #fail(found: Conclusion): Promise<never> {
    const { matchers, expected, scope } = this.#asked;
    const step = expected.steps ? Math.min(found.met, expected.steps.length - 1) : 0;
    const misses = new NearMisses(matchers[step]!);
    const limit = new SearchLimit(searchMs.scope);
    const pace = new TimeSlicer();
    for (const { stored, results } of [...this.#judged.values()].toReversed()) {
      if (results[step] === 'NO_MATCH') misses.add(this.#record.entry(this.#session.world, stored), null);
      if (limit.isReached()) break;
      if (pace.shouldYield()) await pace.yield();
    }
    const all = found.matched();
    await yieldToEventLoop();
    if (all.length === 0) await this.#lookElsewhere(misses, matchers[step]!);
    const earlier = expected.steps ? this.#earlier(step, new Set(all)) : null;
    const matched = all.slice(0, shown.matched).map((each) => this.#brief(each));
    const { nearest } = misses;
    const isUnknown = found.state === 'UNKNOWN' || found.state === 'PENDING';
    const first = isUnknown ? this.#unsureLine(found) : this.#failedLine(found, all.length, earlier);
    this.#record.of(this.#session.world).replayBuffer.verificationFailed(first);
    const message = [first, ...furtherLines(matched, nearest)].join('\n');
    throw new DomainError('VERIFICATION_FAILED', message, {
      ...(isUnknown ? { reason: 'INCONCLUSIVE', remedy: this.#remedy(found) } : {}),
      expected: this.#request,
      count: all.length,
      matched,
      nearest,
      others: found.others,
      ...(expected.steps ? { sequence: { steps: expected.steps.length, met: found.met, earlier: earlier && this.#brief(earlier) } } : {}),
      record: { complete: !this.#isEvicted, evicted: this.#evicted(), open: found.open },
      since: scope.text.trim(),
    });
  }

  #evicted(): number {
    const { reads, writes } = this.#record.of(this.#session.world).gone;
    return reads.count + writes.count;
  }

  #numberText(): string {
    const { least, most } = this.#asked.expected;
    if (least === most) return least === 0 ? 'no' : String(least);
    if (most === Infinity) return least === 1 ? '1 or more' : `at least ${least}`;
    return least === 0 ? `at most ${most}` : `${least} to ${most}`;
  }

  /** Returns the first entry that matches a step of a sequence, but was recorded before the previous steps; null without one. */
  #earlier(step: number, matched: ReadonlySet<Exchange>): Exchange | null {
    for (const { stored, results } of this.#judged.values()) if (results[step] === 'MATCH' && !matched.has(stored)) return stored;
    return null;
  }

  #failedLine({ met, others }: Conclusion, matched: number, earlier: Exchange | null): string {
    const { matchers, expected, scope } = this.#asked;
    if (expected.steps) {
      const order = earlier ? `; step ${met + 1} came earlier (${earlier.id})` : '';
      const end = `; ${met} of ${expected.steps.length} steps matched${order}${scope.text}.`;
      return firstLine(
        `Expected in order${expected.strict ? ', with nothing between' : ''}: step ${met + 1}, `,
        matchText(matchers[Math.min(met, matchers.length - 1)]!),
        end,
      );
    }
    const isOthers = expected.noOthers === true && matched >= expected.least && matched <= expected.most;
    const received = isOthers ? `; ${others} other requests were sent` : `; received ${matched}`;
    return firstLine(
      `Expected ${this.#numberText()} `,
      `${matchText(matchers[0]!)}${isOthers ? ' and no others' : ''}`,
      `${received}${scope.text}.`,
    );
  }

  #unsureLine(found: Conclusion): string {
    const what = this.#asked.expected.steps ? 'the sequence' : `${this.#numberText()} ${matchText(this.#asked.matchers[0]!)}`;
    return firstLine(
      'Unknown whether there was ',
      what,
      found.state === 'PENDING' ? ': requests are in progress.' : ': recorded entries are missing.',
    );
  }

  #remedy(found: Conclusion): string {
    if (!this.#record.isOn) return 'Start the sandbox with SANDBOX_RECORD_MIB above 0.';
    if (found.state === 'PENDING') return 'Give withinMs, so that the requests in progress can end.';
    return 'Mark each test with PUT /_sandbox/test, verify sooner, or remove conditions on bodies that were cut.';
  }

  /** Searches earlier generations and tests, and then other worlds, for matches. */
  async #lookElsewhere(misses: NearMisses, matcher: Matcher): Promise<void> {
    const { world: own } = this.#session;
    const before = this.#asked.scope.test === null ? 'before the start of the scope' : 'before this test';
    const limit = new SearchLimit(searchMs.elsewhere);
    const pace = new TimeSlicer();
    for (const world of new Set([own, ...[...this.#record.otherWorlds].toReversed()])) {
      const place = world === own ? before : `in world ${world.identity.name}`;
      for (const stored of this.#record.of(world).newest(maxElsewhere)) {
        if (limit.isReached()) return;
        if (pace.shouldYield()) await pace.yield();
        if (stored.kind !== matcher.kind || (world === own && this.#judged.has(stored))) continue;
        if (matcher.operationId !== null && requestIn(stored)?.operationId !== matcher.operationId) continue;
        const entry = this.#record.entry(world, stored);
        if (judge(matcher, subjectOf(entry)) === 'MATCH') misses.add(entry, place);
      }
      if (limit.isReached()) return;
    }
  }
}
