import { hash } from 'node:crypto';
import type { Evidence, Label, Rule, Severity, Sighted, Sighting } from './rule.js';

/** How many findings a world keeps; what would be one more is only counted. */
export const maxFindings = 400;
/** How many times of each finding keep their evidence: the first ones, and the latest. */
const keptSightings = 4;
const maxEvidence = 4;
const maxWords = 160;
const maxMoved = 50;

/** One time, as far as it is kept. */
interface Kept {
  readonly at: string;
  readonly evidence: readonly Evidence[];
}

/** What a rule has found of one operation or type of event in one test. */
export interface Found {
  /** `F1`, `F2` and so on, in the order of the world. */
  readonly id: string;
  readonly rule: Rule;
  readonly chapter: number;
  readonly test: string | null;
  readonly operationId: string | null;
  readonly eventType: string | null;
  readonly isExpected: boolean;
  label: Label;
  severity: Severity;
  count: number;
  sightings: Kept[];
  /** The operations whose money it is about. */
  moved: string[];
  /** Whether the log has it. */
  isLogged: boolean;
}

/** A finding that was announced, and whether it came. */
export interface Expectation {
  readonly rule: Rule;
  readonly count: number;
  readonly test: string | null;
  readonly chapter: number;
  came: number;
}

/** Who is told of findings. */
export interface BookHost {
  /** The mark in force. */
  test(): string | null;
  /** Returns the beginning of a text without the secrets of the world: at most `limit` of its characters. */
  redacted(text: string, limit: number): string;
  /** Told once of each finding, when it is sure to stand. */
  onFound(found: Found): void;
}

/** How many expectations a world keeps. */
const maxExpectations = 100;

/** The findings of one world. */
export class Book {
  readonly #host: BookHost;
  readonly #found = new Map<string, Found>();
  #expected: Expectation[] = [];
  #next = 1;
  #chapter = 1;
  /** How many findings there was no room for. */
  omitted = 0;

  constructor(host: BookHost) {
    this.#host = host;
  }

  get chapter(): number {
    return this.#chapter;
  }

  nextChapter(): void {
    this.#chapter += 1;
  }

  /** Takes the next `count` sightings of a rule as what was meant to happen. */
  expect(rule: Rule, count: number): Expectation {
    const expectation = { rule, count, test: this.#host.test(), chapter: this.#chapter, came: 0 };
    this.#expected.push(expectation);
    if (this.#expected.length > maxExpectations) this.#expected.shift();
    return expectation;
  }

  sight(rule: Rule, sighting: Sighting): Sighted {
    const { operationId = null, eventType = null } = sighting.about as { operationId?: string | null; eventType?: string };
    const { test, label = rule.label, severity = rule.severity } = sighting;
    const expectation = this.#expected.find(
      (each) => each.rule === rule && each.came < each.count && each.test === test && each.chapter === this.#chapter,
    );
    if (expectation) expectation.came += 1;
    const key = [rule.id, operationId, eventType, test, this.#chapter, expectation !== undefined].join('\n');
    let found = this.#found.get(key);
    if (!found) {
      if (this.#found.size >= maxFindings) {
        this.omitted += 1;
        return { withdraw: () => void (this.omitted -= 1) };
      }
      const id = `F${this.#next++}`;
      const isExpected = expectation !== undefined;
      found = {
        id,
        rule,
        chapter: this.#chapter,
        test,
        operationId,
        eventType,
        isExpected,
        label,
        severity,
        count: 0,
        sightings: [],
        moved: [],
        isLogged: false,
      };
      this.#found.set(key, found);
    }
    found.count += 1;
    if (label === 'CERTAIN') found.label = label;
    if (severity === 'ERROR') found.severity = severity;
    const kept: Kept = {
      at: sighting.at,
      evidence: sighting.evidence.slice(0, maxEvidence).map(({ ref, what }) => ({ ref, what: this.#host.redacted(what, maxWords) })),
    };
    const moved = (sighting.moved ?? []).filter((each) => each !== null);
    if (found.moved.length < maxMoved) found.moved.push(...moved);
    if (found.sightings.length === keptSightings) found.sightings.pop();
    found.sightings.push(kept);
    if (!rule.isProvisional) this.#log(found);
    const withdraw = () => {
      found.count -= 1;
      found.sightings = found.sightings.filter((each) => each !== kept);
      found.moved = found.moved.filter((each) => !moved.includes(each));
      if (expectation) expectation.came -= 1;
      if (found.count === 0) this.#found.delete(key);
    };
    return { withdraw };
  }

  #log(found: Found): void {
    if (found.isLogged || found.isExpected || found.rule.isHint) return;
    found.isLogged = true;
    this.#host.onFound(found);
  }

  /** Logs what only the end makes sure of. */
  end(): void {
    for (const found of this.#found.values()) this.#log(found);
  }

  /** The findings, oldest first. @param chapter one of them, or all @param hints whether hints are among them */
  list(chapter: number | 'all' = this.#chapter, hints = false): Found[] {
    return [...this.#found.values()].filter((each) => (chapter === 'all' || each.chapter === chapter) && (hints || !each.rule.isHint));
  }

  /** What was announced, oldest first. */
  expectations(chapter: number | 'all' = this.#chapter): Expectation[] {
    return this.#expected.filter((each) => chapter === 'all' || each.chapter === chapter);
  }

  /** The findings that a call or an attempt is evidence of, by their ids. */
  of(ref: string): string[] {
    return [...this.#found.values()]
      .filter(({ sightings }) => sightings.some(({ evidence }) => evidence.some((each) => each.ref === ref)))
      .map(({ id }) => id);
  }

  /** Starts from nothing. */
  clear(): void {
    this.#found.clear();
    this.#expected = [];
    this.omitted = 0;
  }
}

/** What tells a finding from others in every run: its rule, what it is about, and the test. */
export function fingerprintOf({ rule, operationId, eventType, test }: Found): string {
  return hash('sha256', JSON.stringify([rule.id, operationId, eventType, test])).slice(0, 16);
}
