import { hash } from 'node:crypto';
import type { Evidence, Confidence, Rule, Severity, Retractable, Detection } from './rule.js';

/** Maximum number of stored findings of a world; further ones are only counted. */
export const maxFindings = 400;
/** Number of detections of a finding that keep their evidence: the first ones and the latest. */
const keptDetections = 4;
const maxEvidence = 4;
const maxWords = 160;
const maxMoved = 50;

/** A detection with its evidence. */
interface KeptDetection {
  readonly at: string;
  readonly evidence: readonly Evidence[];
}

/** The detections of a rule for one operation or event type in one test. */
export interface StoredFinding {
  /** `F1`, `F2` and so on, numbered in each world. */
  readonly id: string;
  readonly rule: Rule;
  readonly generation: number;
  readonly test: string | null;
  readonly operationId: string | null;
  readonly eventType: string | null;
  readonly isExpected: boolean;
  confidence: Confidence;
  severity: Severity;
  count: number;
  detections: KeptDetection[];
  /** The operations whose money moved. */
  moved: string[];
  /** True if the log shows it. */
  isLogged: boolean;
}

/** An announced finding, with the number of its detections. */
export interface Expectation {
  readonly rule: Rule;
  readonly count: number;
  readonly test: string | null;
  readonly generation: number;
  matched: number;
}

/** The environment of a finding store. */
export interface FindingStoreHost {
  /** Returns the name of the marked test. */
  test(): string | null;
  /** Returns at most `limit` characters of a string, without the secrets of the world. */
  redacted(text: string, limit: number): string;
  /** Called once for each finding, as soon as it is certain to stay. */
  onFound(found: StoredFinding): void;
}

/** Maximum number of stored expectations of a world. */
const maxExpectations = 100;

/** The findings of one world. */
export class FindingStore {
  readonly #host: FindingStoreHost;
  readonly #found = new Map<string, StoredFinding>();
  #expected: Expectation[] = [];
  #next = 1;
  #generation = 1;
  /** Number of findings beyond the maximum. */
  omitted = 0;

  constructor(host: FindingStoreHost) {
    this.#host = host;
  }

  get generation(): number {
    return this.#generation;
  }

  nextGeneration(): void {
    this.#generation += 1;
  }

  /** Counts the next `count` detections of a rule as expected. */
  expect(rule: Rule, count: number): Expectation {
    const expectation = { rule, count, test: this.#host.test(), generation: this.#generation, matched: 0 };
    this.#expected.push(expectation);
    if (this.#expected.length > maxExpectations) this.#expected.shift();
    return expectation;
  }

  report(rule: Rule, detection: Detection): Retractable {
    const { operationId = null, eventType = null } = detection.about as { operationId?: string | null; eventType?: string };
    const { test, confidence = rule.confidence, severity = rule.severity } = detection;
    const expectation = this.#expected.find(
      (each) => each.rule === rule && each.matched < each.count && each.test === test && each.generation === this.#generation,
    );
    if (expectation) expectation.matched += 1;
    const key = [rule.id, operationId, eventType, test, this.#generation, expectation !== undefined].join('\n');
    let found = this.#found.get(key);
    if (!found) {
      if (this.#found.size >= maxFindings) {
        this.omitted += 1;
        return { retract: () => void (this.omitted -= 1) };
      }
      const id = `F${this.#next++}`;
      const isExpected = expectation !== undefined;
      found = {
        id,
        rule,
        generation: this.#generation,
        test,
        operationId,
        eventType,
        isExpected,
        confidence,
        severity,
        count: 0,
        detections: [],
        moved: [],
        isLogged: false,
      };
      this.#found.set(key, found);
    }
    found.count += 1;
    if (confidence === 'CERTAIN') found.confidence = confidence;
    if (severity === 'ERROR') found.severity = severity;
    const kept: KeptDetection = {
      at: detection.at,
      evidence: detection.evidence.slice(0, maxEvidence).map(({ ref, what }) => ({ ref, what: this.#host.redacted(what, maxWords) })),
    };
    const moved = (detection.moved ?? []).filter((each) => each !== null);
    if (found.moved.length < maxMoved) found.moved.push(...moved);
    if (found.detections.length === keptDetections) found.detections.pop();
    found.detections.push(kept);
    if (!rule.isProvisional) this.#log(found);
    const retract = () => {
      found.count -= 1;
      found.detections = found.detections.filter((each) => each !== kept);
      found.moved = found.moved.filter((each) => !moved.includes(each));
      if (expectation) expectation.matched -= 1;
      if (found.count === 0) this.#found.delete(key);
    };
    return { retract };
  }

  #log(found: StoredFinding): void {
    if (found.isLogged || found.isExpected || found.rule.isHint) return;
    found.isLogged = true;
    this.#host.onFound(found);
  }

  /** Logs the findings that only the end makes certain. */
  end(): void {
    for (const found of this.#found.values()) this.#log(found);
  }

  /**
   * Returns the findings, oldest first.
   * @param generation a generation, or all
   * @param hints true to include hints
   */
  list(generation: number | 'all' = this.#generation, hints = false): StoredFinding[] {
    return [...this.#found.values()].filter(
      (each) => (generation === 'all' || each.generation === generation) && (hints || !each.rule.isHint),
    );
  }

  /** Returns the expectations, oldest first. */
  expectations(generation: number | 'all' = this.#generation): Expectation[] {
    return this.#expected.filter((each) => generation === 'all' || each.generation === generation);
  }

  /** Returns the ids of the findings with a request or attempt as evidence. */
  of(ref: string): string[] {
    return [...this.#found.values()]
      .filter(({ detections }) => detections.some(({ evidence }) => evidence.some((each) => each.ref === ref)))
      .map(({ id }) => id);
  }

  /** Deletes all findings and expectations. */
  clear(): void {
    this.#found.clear();
    this.#expected = [];
    this.omitted = 0;
  }
}

/** Returns the identity of a finding across runs: its rule, subject and test. */
export function fingerprintOf({ rule, operationId, eventType, test }: StoredFinding): string {
  return hash('sha256', JSON.stringify([rule.id, operationId, eventType, test])).slice(0, 16);
}
