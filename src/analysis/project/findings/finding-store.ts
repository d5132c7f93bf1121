import { registerKept, WeighedMap } from '../../../domain/kept-memory.js';
import { hash } from 'node:crypto';
import { ruleIds } from '../../../contract/control/analysis/rule-ids.js';
import { matchesWildcard } from '../../../contract/shared/wildcard.js';
import { restoredMoney, storedMoney, sumOf, type Moved, type StoredMoney } from './moved.js';
import type { Evidence, Confidence, Rule, Severity, Retractable, Detection } from './rule.js';
import { bySeverity } from './severity.js';

/** Maximum number of stored findings of a world; further ones are only counted. */
export const maxFindings = 400;
/** Maximum number of detections of a finding whose evidence is stored: the first ones and the latest. */
const keptDetections = 4;
const maxEvidence = 4;
/** Maximum length of a sentence of evidence, in characters. Rules shorten client strings in such sentences. */
const maxWords = 500;
/** Maximum number of operations whose money the findings of a world count. */
const maxMoved = 20_000;

/** Rules whose findings mean that money moved twice. They fail a report even in a negative test. */
const doublePayments: ReadonlySet<string> = new Set([
  'payment.repeated',
  'idempotency.lost-response-new-key',
  'idempotency.new-key-after-5xx',
  'idempotency.retry-after-retention',
  'idempotency.replay-as-new',
]);

/** A detection with its evidence. */
interface DetectionEvidence {
  readonly at: string;
  readonly evidence: readonly Evidence[];
}

/** The detections of a rule for one operation or event type in one test. */
export interface WorldFinding {
  /** `F1`, `F2` and so on, numbered in each world. */
  readonly id: string;
  readonly rule: Rule;
  readonly generation: number;
  readonly test: string | null;
  readonly operationId: string | null;
  readonly eventType: string | null;
  readonly isExpected: boolean;
  /** True if the finding belongs to a negative test, which misuses the API on purpose. */
  readonly isNegative: boolean;
  /** The recommended fix. */
  readonly advice: string;
  confidence: Confidence;
  severity: Severity;
  count: number;
  detections: DetectionEvidence[];
  /** The operations whose money moved. */
  readonly moved: Set<string>;
  /** Money without known operations, by asset: the client tried to move it without success, or the operations are not stored. */
  due: readonly Moved[];
  /** True if the finding was logged. */
  isLogged: boolean;
}

/** An announcement of findings that a test causes on purpose, with the expected and the matched number of detections. */
export interface Expectation {
  /** The id of a rule, or a pattern. */
  readonly rule: string;
  readonly count: number;
  readonly test: string | null;
  readonly generation: number;
  matched: number;
  /** True after a later test with the same name began, which announces its own findings. */
  isOver: boolean;
}

/** A stored finding as JSON, with the id of its rule. */
interface StoredFinding extends Omit<WorldFinding, 'rule' | 'moved' | 'due'> {
  readonly rule: string;
  readonly moved: readonly string[];
  readonly due: StoredMoney;
}

/** The findings of a world as JSON, for the next node that has the world. */
export interface StoredFindings {
  readonly generation: number;
  readonly next: number;
  readonly nextHint: number;
  readonly omitted: number;
  readonly announced: number;
  readonly cleared: number;
  readonly expected: readonly Expectation[];
  readonly found: readonly (readonly [key: string, StoredFinding])[];
  readonly money: readonly (readonly [key: string, moved: StoredMoney])[];
}

/** The functions that a finding store needs from the analysis. */
export interface FindingStoreHost {
  /** Returns the name of the marked test; null without one. */
  test(): string | null;
  /** True for the name of a negative test, which misuses the API on purpose. */
  isNegative(test: string | null): boolean;
  /** Returns the amounts that an operation moved in the ledger; empty before the operation settles. */
  moneyOf(operationId: string): readonly Moved[];
  /** Returns at most `limit` characters of a string, without the secrets of the world. */
  redacted(text: string, limit: number): string;
  /** Called once for each finding, when it is logged: immediately, or after the last request of the world if its rule is provisional. */
  onFound(found: WorldFinding): void;
  /** Called when a finding was disproved after {@link onFound}. */
  onRetracted(found: WorldFinding): void;
}

/** Approximate sizes in memory of a finding, of the id of an operation in a finding, and of an amount, in bytes. */
const [findingBytes, movedIdBytes, movedBytes] = [4096, 128, 64];

/** Maximum number of stored expectations of a world. */
const maxExpectations = 100;

/** The findings of one world. */
export class FindingStore {
  readonly #host: FindingStoreHost;
  readonly #found = new Map<string, WorldFinding>();
  /** The money of operations that findings name, by generation and id. Kept after a reset, which empties the ledger. */
  readonly #money = new WeighedMap<readonly Moved[]>('findingMoney', (moved) => moved.length * movedBytes);
  #expected: Expectation[] = [];
  #next = 1;
  /** Hints have numbers of their own, because most lists leave them out. */
  #nextHint = 1;
  #generation = 1;
  /** Number of operations in {@link WorldFinding.moved}. */
  #movedCount = 0;
  /** Number of detections that were not stored because of the maximum. */
  omitted = 0;
  /** Number of calls of {@link expect}. */
  announced = 0;
  /** Number of times that the findings were deleted. */
  cleared = 0;

  constructor(host: FindingStoreHost) {
    this.#host = host;
    registerKept('findings', this, (store) => store.#found.size * findingBytes + store.#movedCount * movedIdBytes);
  }

  get generation(): number {
    return this.#generation;
  }

  nextGeneration(): void {
    this.#generation += 1;
  }

  /** Counts the next `count` detections of a rule, or of the rules that match a pattern, as expected in the current test. */
  expect(rule: string, count: number): Expectation {
    const expectation = { rule, count, test: this.#host.test(), generation: this.#generation, matched: 0, isOver: false };
    this.announced += 1;
    this.#expected.push(expectation);
    if (this.#expected.length > maxExpectations) this.#expected.shift();
    return expectation;
  }

  /** Called when a test begins. Ends the announcements of findings by an earlier test with the same name. */
  testBegan(name: string): void {
    for (const each of this.#expected) if (each.test === name) each.isOver = true;
  }

  report(rule: Rule, detection: Detection): Retractable {
    const { operationId = null, eventType = null } = detection.about as { operationId?: string | null; eventType?: string };
    const { test, confidence = rule.confidence, severity = rule.severity } = detection;
    const expectation = this.#expected.find(
      (each) =>
        matchesWildcard(rule.id, each.rule) &&
        !each.isOver &&
        each.matched < each.count &&
        each.test === test &&
        each.generation === this.#generation,
    );
    if (expectation) expectation.matched += 1;
    const isNegative = this.#host.isNegative(test);
    const isExpected = expectation !== undefined;
    // The advice of the rule is left out: a short key is looked up faster.
    const key = [rule.id, operationId, eventType, test, this.#generation, isExpected, isNegative, detection.advice].join('\n');
    let found = this.#found.get(key);
    if (!found) {
      if (this.#found.size >= maxFindings) {
        this.omitted += 1;
        return { retract: () => void (this.omitted -= 1), confirm: () => undefined };
      }
      const id = rule.isHint ? `H${this.#nextHint++}` : `F${this.#next++}`;
      found = {
        id,
        rule,
        generation: this.#generation,
        test,
        operationId,
        eventType,
        isExpected,
        isNegative,
        advice: detection.advice ?? rule.advice,
        confidence,
        severity,
        count: 0,
        detections: [],
        moved: new Set(),
        due: [],
        isLogged: false,
      };
      this.#found.set(key, found);
    }
    found.count += 1;
    if (confidence === 'CERTAIN') found.confidence = confidence;
    if (severity === 'ERROR') found.severity = severity;
    const shown: DetectionEvidence = {
      at: detection.at,
      evidence: detection.evidence.slice(0, maxEvidence).map(({ ref, what }) => ({ ref, what: this.#host.redacted(what, maxWords) })),
    };
    const moved = (detection.moved ?? []).filter((each) => each !== null);
    const added = moved.filter((each) => !found.moved.has(each)).slice(0, maxMoved - this.#movedCount);
    this.#movedCount += added.length;
    for (const id of added) {
      found.moved.add(id);
      this.#booked(id);
    }
    const { due = [] } = detection;
    if (due.length > 0) found.due = sumOf([...found.due, ...due]);
    if (found.detections.length === keptDetections) found.detections.pop();
    found.detections.push(shown);
    if (!rule.isProvisional) this.#log(found);
    const retract = () => {
      found.count -= 1;
      found.detections = found.detections.filter((each) => each !== shown);
      for (const id of added) if (found.moved.delete(id)) this.#movedCount -= 1;
      found.due = sumOf([...found.due, ...due.map(({ asset, minor }) => ({ asset, minor: -minor }))]);
      if (expectation) expectation.matched -= 1;
      if (found.count > 0) return;
      this.#found.delete(key);
      if (found.isLogged) this.#host.onRetracted(found);
    };
    const confirm = () => {
      found.confidence = 'CERTAIN';
    };
    return { retract, confirm };
  }

  /** True if a finding of a rule in a test fails no report: see {@link isProvoked}. */
  isProvoked(rule: string, test: string | null): boolean {
    return isProvoked(this.#host.isNegative(test), rule);
  }

  #log(found: WorldFinding): void {
    if (found.isLogged || found.isExpected || found.rule.isHint || isProvoked(found.isNegative, found.rule.id)) return;
    found.isLogged = true;
    this.#host.onFound(found);
  }

  /** Called when money was booked for operations. */
  booked(operationIds: Iterable<string>): void {
    for (const id of operationIds) if (this.#money.has(moneyKey(this.#generation, id))) this.#booked(id);
  }

  #booked(operationId: string): void {
    this.#money.set(moneyKey(this.#generation, operationId), this.#host.moneyOf(operationId));
  }

  /**
   * Returns the money of each finding. The money of an operation counts only for the finding with the most harmful rule, or for the first
   * of these.
   */
  money(): Map<WorldFinding, Moved[]> {
    const money = new Map<WorldFinding, Moved[]>();
    for (const [found, ids] of countedOperations([...this.#found.values()], ({ rule }) => rule.id)) {
      money.set(found, sumOf([...found.due, ...ids.flatMap((id) => this.#money.get(moneyKey(found.generation, id)) ?? [])]));
    }
    return money;
  }

  /** Logs the findings of provisional rules: no later request can disprove them. */
  end(): void {
    for (const found of this.#found.values()) this.#log(found);
  }

  /**
   * Returns the findings, oldest first.
   * @param generation a generation, or all
   * @param hints true to include hints
   */
  list(generation: number | 'all' = this.#generation, hints = false): WorldFinding[] {
    return [...this.#found.values()].filter(
      (each) => (generation === 'all' || each.generation === generation) && (hints || !each.rule.isHint),
    );
  }

  /** Returns the expectations, oldest first. */
  expectations(generation: number | 'all' = this.#generation): Expectation[] {
    return this.#expected.filter((each) => generation === 'all' || each.generation === generation);
  }

  /** Returns the ids of the findings, without hints, that have a request or attempt as evidence. */
  of(ref: string): string[] {
    return [...this.#found.values()]
      .filter(({ rule, detections }) => !rule.isHint && detections.some(({ evidence }) => evidence.some((each) => each.ref === ref)))
      .map(({ id }) => id);
  }

  /** Returns the findings for the next node. Leaves out those of provisional rules, which that node could not retract. */
  stored(): StoredFindings {
    return {
      generation: this.#generation,
      next: this.#next,
      nextHint: this.#nextHint,
      omitted: this.omitted,
      announced: this.announced,
      cleared: this.cleared,
      expected: this.#expected,
      found: [...this.#found].flatMap(([key, { rule, moved, due, ...rest }]) =>
        rule.isProvisional ? [] : [[key, { ...rest, rule: rule.id, moved: [...moved], due: storedMoney(due) }]],
      ),
      money: Array.from(this.#money.entries(), ([key, moved]) => [key, storedMoney(moved)]),
    };
  }

  /** Restores the findings that the previous node of the world stored. @param ruleOf returns a rule by its id; undefined if this program does not have it */
  restore(stored: StoredFindings, ruleOf: (id: string) => Rule | undefined): void {
    this.#generation = stored.generation;
    this.#next = stored.next;
    this.#nextHint = stored.nextHint;
    Object.assign(this, { omitted: stored.omitted, announced: stored.announced, cleared: stored.cleared });
    this.#expected = stored.expected.map((each) => ({ ...each }));
    for (const [key, { rule: id, moved, due, ...rest }] of stored.found) {
      const rule = ruleOf(id);
      if (!rule) continue;
      this.#found.set(key, { ...rest, rule, moved: new Set(moved), due: restoredMoney(due) });
      this.#movedCount += moved.length;
    }
    for (const [key, moved] of stored.money) this.#money.set(key, restoredMoney(moved));
  }

  /** Deletes all findings and expectations. */
  clear(): void {
    this.#found.clear();
    this.#money.clear();
    this.#movedCount = 0;
    this.#expected = [];
    this.cleared += 1;
    this.omitted = 0;
  }
}

const moneyKey = (generation: number, operationId: string) => `${generation} ${operationId}`;

/**
 * Returns the ids of the operations whose money counts for each finding: for the one with the most harmful rule, or for the first of these.
 * @param ruleOf returns the id of the rule of a finding
 */
function countedOperations<F extends { readonly generation: number; readonly moved: Iterable<string> }>(
  all: readonly F[],
  ruleOf: (found: F) => string,
): Map<F, string[]> {
  const counted = new Set<string>();
  const idsOf = new Map<F, string[]>();
  for (const found of all.toSorted((a, b) => harmOf(ruleOf(a)) - harmOf(ruleOf(b)))) {
    const ids = Array.from(found.moved).filter((id) => !counted.has(moneyKey(found.generation, id)));
    for (const id of ids) counted.add(moneyKey(found.generation, id));
    idsOf.set(found, ids);
  }
  return idsOf;
}

/** Maximum number of operations in {@link summed} findings. */
const maxOpen = 500;

/**
 * Returns stored findings in a short form: with sums instead of the operations whose money moved.
 * @param isOpen true for an operation of the present generation that can still fail: it stays in its finding
 */
export function summed(stored: StoredFindings, isOpen: (operationId: string) => boolean): StoredFindings {
  const money = new Map(stored.money);
  const idsOf = countedOperations(
    stored.found.map(([, found]) => found),
    ({ rule }) => rule,
  );
  const open = new Set<string>();
  const found = stored.found.map(([key, each]) => {
    const moved: string[] = [];
    const amounts = restoredMoney(each.due);
    for (const id of idsOf.get(each)!) {
      const own = moneyKey(each.generation, id);
      if (open.size < maxOpen && each.generation === stored.generation && isOpen(id)) {
        open.add(own);
        moved.push(id);
      } else amounts.push(...restoredMoney(money.get(own) ?? []));
    }
    return [key, { ...each, moved, due: storedMoney(sumOf(amounts)) }] as const;
  });
  return { ...stored, found, money: stored.money.filter(([key]) => open.has(key)) };
}

/** Returns the `most` most severe of stored findings, oldest first, with their money; the others are counted as omitted. */
export function mostSevere(stored: StoredFindings, most: number): StoredFindings {
  const shown = new Set(bySeverity(stored.found.map(([, each]) => each)).slice(0, most));
  const found = stored.found.filter(([, each]) => shown.has(each));
  const named = new Set(found.flatMap(([, { generation, moved }]) => moved.map((id) => moneyKey(generation, id))));
  return {
    ...stored,
    found,
    money: stored.money.filter(([key]) => named.has(key)),
    omitted: stored.omitted + stored.found.length - found.length,
  };
}

/** True for a rule whose findings mean that money moved twice. */
export const isDoublePayment = (rule: string) => doublePayments.has(rule);

/** True for a finding that fails no report, because its test misuses the API on purpose and no money moved twice. */
export const isProvoked = (isNegative: boolean, rule: string) => isNegative && !isDoublePayment(rule);

/** Returns the rank of a rule by harm; 0 for the most harmful rule. */
function harmOf(rule: string): number {
  const index = (ruleIds as readonly string[]).indexOf(rule);
  return index < 0 ? Infinity : index;
}

/** Returns the identity of a finding across runs: its rule, subject and test. */
export function fingerprintOf({ rule, operationId, eventType, test }: WorldFinding): string {
  return hash('sha256', JSON.stringify([rule.id, operationId, eventType, test])).slice(0, 16);
}
