import { maxSuggestions, nearestName } from '../../contract/shared/messages/nearest.js';
import { DomainError, invalidData } from '../../domain/errors.js';
import type { StateDocument } from '../../contract/control/state-document.js';
import { maxFaults } from '../../contract/scenario/scenario.js';
import type { Interruptible } from '../../domain/interruptible.js';
import type { ScenarioCatalogue } from '../../scenario/catalogue.js';
import { clockAt } from '../clock-record.js';
import { exportedTables, type StateCapture } from './capture.js';
import { raisedCounters } from './counters.js';
import { rowProblemsOf, stateProblems, type StateProblem } from './state-check.js';
import { currentRows } from './older-rows.js';
import type { IdentityRecord } from '../rows.js';
import { emptyState, tableOf, type State } from '../state.js';
import type { TableName, Tables } from '../tables.js';

interface Row {
  readonly id: string;
}

/** Yields a state as the JSON of one {@link StateDocument}, in parts. */
export function* documentText({ tables: exported, ...head }: StateCapture): Generator<string> {
  yield `${JSON.stringify({ version: 1, ...head } satisfies Omit<StateDocument, 'tables'>).slice(0, -1)},"tables":{`;
  let tableMark = '';
  for (const [name, rows] of exported) {
    yield `${tableMark}${JSON.stringify(name)}:[`;
    tableMark = ',';
    let mark = '';
    for (const row of rows) {
      yield mark + JSON.stringify(row);
      mark = ',';
    }
    yield ']';
  }
  yield '}}';
}

/** Checks the length of the document of a state. @throws DomainError PAYLOAD_TOO_LARGE above `maximumBytes` */
export function* checkLength(capture: StateCapture, maximumBytes: number): Interruptible<void> {
  let bytes = 0;
  for (const text of documentText(capture)) {
    bytes += Buffer.byteLength(text);
    yield;
  }
  if (bytes <= maximumBytes) return;
  throw new DomainError(
    'PAYLOAD_TOO_LARGE',
    `The document of this world has ${bytes} bytes; export and import accept at most ${maximumBytes}. Use a snapshot, which has no size limit.`,
    { maximumBytes, bytes },
  );
}

/**
 * Builds a state from a document, row by row, for a world that keeps its identity. Replaces the customer and company ids of the document by
 * those of the world.
 */
export class StateImport {
  readonly #identity: IdentityRecord;
  readonly #realNow: () => number;
  readonly #scenarios: ScenarioCatalogue;
  readonly #maxRows: number;
  readonly #state = emptyState();
  readonly #problems: Problem[] = [];
  #customerId = '';
  #companyId = '';
  #rows = 0;

  /**
   * @param realNow returns real time in Unix milliseconds, from which a running clock continues
   * @param scenarios all scenarios
   * @param maxRows maximum number of rows of a document
   */
  constructor(target: State, realNow: () => number, scenarios: ScenarioCatalogue, maxRows: number) {
    const identity = target.identity.get('identity');
    if (!identity) throw new Error('The world has no identity.');
    this.#identity = identity;
    this.#realNow = realNow;
    this.#scenarios = scenarios;
    this.#maxRows = maxRows;
  }

  /** Sets the customer and company ids to replace in later rows. */
  begin({ customerId, companyId }: Pick<StateDocument, 'customerId' | 'companyId'>): void {
    this.#customerId = customerId;
    this.#companyId = companyId;
  }

  /** Returns a string of a row, in which the ids of the world replace those of the document. */
  edit(text: string): string {
    if (text.length < this.#customerId.length) return text;
    return text.replaceAll(this.#customerId, this.#identity.customerId).replaceAll(this.#companyId, this.#identity.companyId);
  }

  /** Checks and adds a row. @throws DomainError INVALID_DATA if the document has too many problems, RATE_LIMIT_EXCEEDED */
  row(table: string, index: number, row: unknown): void {
    const name = exportedTables.find((each) => each === table);
    if (name === undefined) return; // `finish` reports the unknown table.
    this.#rows += 1;
    if (this.#rows > this.#maxRows) throw tooManyRows(this.#maxRows);
    const isRow = typeof row === 'object' && row !== null;
    for (const [each, current] of isRow ? currentRows([name, row as Tables[TableName]]) : [[name, row] as const]) {
      const rows = tableOf(this.#state, each);
      const found = rowProblems(each, current, index, rows);
      if (each === 'faults' && rows.size >= maxFaults)
        found.push({ field: place(each, index, ''), message: `A world can have at most ${maxFaults} faults.` });
      if (found.length > 0) this.#problems.push(...found);
      else rows.set((current as Row).id, current as Tables[typeof each]);
    }
    if (this.#problems.length >= maxProblems) throwIfAny(this.#problems);
  }

  /**
   * Returns the state after the last row. Can pause between two rows.
   * @param document provides the clock and the table names; its rows are ignored
   * @throws DomainError INVALID_DATA with all malformed rows; if there are none, with broken references and wrong sums
   */
  *finish({ clock, tables: named }: StateDocument): Interruptible<State> {
    const strange = Object.keys(named).filter((name) => !(exportedTables as readonly string[]).includes(name));
    throwIfAny([...strange.slice(0, maxProblems).map((name, index) => strangeTable(name, index < maxSuggestions)), ...this.#problems]);
    const state = this.#state;
    const startClock = () => state.clock.set('clock', clockAt(clock.mode, Date.parse(clock.now), this.#realNow()));
    state.identity.set('identity', this.#identity);
    startClock();
    throwIfAny(yield* located(state, yield* stateProblems(state, maxProblems)));
    throwIfAny(scenarioProblems(state, this.#scenarios));
    for (const counter of yield* raisedCounters(state)) state.counters.set(counter.id, counter);
    startClock(); // Again, because the checks took time.
    return state;
  }
}

/** Returns the problem with the scenario of a state; empty if the scenario can be used. */
function scenarioProblems(state: State, scenarios: ScenarioCatalogue): Problem[] {
  const { name, inline } = state.scenario.get('scenario')!;
  if (inline) {
    const found = scenarios.inlineProblem(inline);
    if (!found) return [];
    const field = `inline.${found.path.join('.')}`;
    return [{ field: place('scenario', 0, field), message: `scenario/scenario: ${field}: expected ${found.expected}.` }];
  }
  if (scenarios.get(name)) return [];
  const nearest = nearestName(
    name,
    Array.from(scenarios.all, (each) => each.scenario),
  );
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return [{ field: place('scenario', 0, 'name'), message: `scenario/scenario: name: the scenario ${name} does not exist.${meant}` }];
}

/** Returns problems of a state with their positions in its document. */
function* located(state: State, found: readonly StateProblem[]): Interruptible<Problem[]> {
  const indexes = new Map<string, number>();
  for (const name of new Set(found.map(({ table }) => table))) {
    const wanted = new Set(found.filter(({ table }) => table === name).map(({ id }) => id));
    let index = 0;
    for (const id of state[name].keys()) {
      if (wanted.has(id)) indexes.set(`${name}/${id}`, index);
      index += 1;
      yield;
    }
  }
  return found.map(({ table, id, field, message }) => ({ field: place(table, indexes.get(`${table}/${id}`) ?? -1, field), message }));
}

function strangeTable(name: string, isSuggested: boolean): Problem {
  const nearest = isSuggested ? nearestName(name, exportedTables) : undefined;
  const meant = nearest === undefined ? `expected one of ${exportedTables.join(', ')}` : `did you mean ${nearest}?`;
  return { field: `body:tables.${name}`, message: `Unknown table ${name}; ${meant}.`.replace('?.', '?') };
}

function tooManyRows(maximum: number): DomainError {
  const message = `The document has too many rows: SANDBOX_MAX_ROWS allows ${maximum} in all worlds together.`;
  return new DomainError('RATE_LIMIT_EXCEEDED', message, { setting: 'SANDBOX_MAX_ROWS', maximum });
}

interface Problem {
  readonly code?: 'UNKNOWN_FIELD';
  readonly field: string;
  readonly message: string;
}

const maxProblems = 100;

/** @throws DomainError INVALID_DATA if there are problems */
function throwIfAny(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const items = problems.map((problem) => ({ code: 'INVALID_FORMAT' as const, params: {}, ...problem }));
  throw new DomainError('INVALID_DATA', `The state cannot be used: ${problems[0]!.message}`, invalidData(items).details);
}

/** Returns the problems of a row: fields that do not match the schema, or the id of an earlier row. */
function rowProblems(table: TableName, row: unknown, index: number, before: { has(id: string): boolean }): Problem[] {
  const id: unknown = (row as Row | null)?.id;
  if (typeof id !== 'string') return [{ field: place(table, index, 'id'), message: `${table}[${index}]: the row has no id.` }];
  if (before.has(id)) return [{ field: place(table, index, 'id'), message: `${table}/${id}: id: two rows have this id.` }];
  return rowProblemsOf(table, row as Row).map(({ code, field, message }) => ({
    ...(code && { code }),
    field: place(table, index, field),
    message,
  }));
}

/** Returns the position of a row or field in the document; of the table for index -1. */
function place(table: TableName, index: number, field: string): string {
  return [`body:tables.${table}${index < 0 ? '' : `[${index}]`}`, field].filter(Boolean).join('.');
}
