import { maxReplaySteps, replayFormat } from '../../contract/control/analysis/replay-limits.js';
import type { ReplayCall } from '../../contract/control/analysis/replay.js';
import { startOf } from '../../contract/shared/messages/cut.js';

/**
 * Checks a value and returns it with its type, without unknown fields.
 * @param path position of the value in the file
 * @throws Error that names the position, the expected and the given value
 */
type Reader<T> = (value: unknown, path: string) => T;

/** Maximum length of a value in an error, in characters. */
const maxShown = 40;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : startOf(JSON.stringify(value), maxShown);
}

function wrong(path: string, expected: string, value: unknown): never {
  throw new Error(`${path === '' ? 'the whole file' : path}: expected ${expected}, got ${shown(value)}`);
}

const text: Reader<string> = (value, path) => (typeof value === 'string' ? value : wrong(path, 'a string', value));

const count: Reader<number> = (value, path) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : wrong(path, 'a whole number from 0', value);

/** Maximum duration in milliseconds. Adding it to a timestamp yields a valid timestamp. */
const maxMs = 1e12;

const ms: Reader<number> = (value, path) => (count(value, path) <= maxMs ? (value as number) : wrong(path, `at most ${maxMs}`, value));

const flag: Reader<boolean> = (value, path) => (typeof value === 'boolean' ? value : wrong(path, 'true or false', value));

const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const timestamp: Reader<string> = (value, path) =>
  typeof value === 'string' && timestampPattern.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : wrong(path, 'a timestamp like 2026-11-21T14:03:07.512Z', value);

const oneOf =
  <T extends string>(...values: readonly T[]): Reader<T> =>
  (value, path) =>
    values.find((each) => each === value) ?? wrong(path, `one of ${values.join(', ')}`, value);

const orNull =
  <T>(read: Reader<T>): Reader<T | null> =>
  (value, path) =>
    value === null ? null : read(value, path);

const optional =
  <T>(read: Reader<T>): Reader<T | undefined> =>
  (value, path) =>
    value === undefined ? undefined : read(value, path);

function fieldsOf(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(path, 'an object', value);
  return value as Record<string, unknown>;
}

const at = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The type of an object whose fields have these readers. */
type Read<F> = { readonly [K in keyof F]: F[K] extends Reader<infer T> ? T : never };

function object<F extends Readonly<Record<string, Reader<unknown>>>>(readers: F): Reader<Read<F>> {
  const all = Object.entries(readers);
  return (value, path) => {
    const fields = fieldsOf(value, path);
    return Object.fromEntries(all.map(([name, read]) => [name, read(fields[name], at(path, name))])) as Read<F>;
  };
}

/** @param nameOf returns the position of an element in the file. Default: its index */
const list =
  <T>(read: Reader<T>, nameOf = (path: string, index: number) => at(path, String(index))): Reader<readonly T[]> =>
  (value, path) =>
    Array.isArray(value) ? value.map((each, index) => read(each, nameOf(path, index))) : wrong(path, 'a list', value);

const texts: Reader<Readonly<Record<string, string>>> = (value, path) =>
  Object.fromEntries(Object.entries(fieldsOf(value, path)).map(([name, each]) => [name, text(each, at(path, name))]));

/** Returns an object as JSON, because the page shows its text only. */
const jsonOf: Reader<string> = (value, path) => {
  const fields = fieldsOf(value, path);
  try {
    return JSON.stringify(fields);
  } catch {
    return wrong(path, 'an object with fewer levels', value); // The JSON of many thousands of levels exceeds the stack.
  }
};

const common = { at: timestamp, realMs: ms, effect: orNull(jsonOf) };

const outcomes = ['DELIVERED', 'MODIFIED', 'LOST', 'CLIENT_DISCONNECTED'] as const satisfies readonly ReplayCall['response']['outcome'][];

const callOf = <K extends 'CALL' | 'CONTROL'>(kind: K) =>
  object({
    kind: oneOf(kind),
    ...common,
    endsAfter: optional(count),
    connection: orNull(count),
    method: text,
    url: text,
    operationId: orNull(text),
    version: orNull(text),
    headers: texts,
    body: orNull(
      object({
        text,
        bytes: count,
        file: optional(object({ name: text, size: count, type: orNull(text), sha256: text })),
      }),
    ),
    response: object({ status: count, code: orNull(text), sha256: orNull(text), outcome: oneOf(...outcomes), ms, body: optional(text) }),
  });

const attempt = object({
  kind: oneOf('ATTEMPT'),
  ...common,
  messageId: text,
  eventType: text,
  attemptKind: oneOf('FIRST', 'RETRY', 'DUPLICATE', 'RESEND'),
  number: count,
  subscription: count,
  url: text,
  toInbox: flag,
  sent: optional(text),
  sha256: text,
  response: object({ status: count, error: orNull(text), location: orNull(text), body: orNull(text), ms }),
});

const readersOfSteps = { CALL: callOf('CALL'), CONTROL: callOf('CONTROL'), ATTEMPT: attempt } as const;
const stepKind = oneOf('CALL', 'CONTROL', 'ATTEMPT');

const step = (value: unknown, path: string) => readersOfSteps[stepKind(fieldsOf(value, path)['kind'], at(path, 'kind'))](value, path);

const steps = list(step, (_, index) => `step ${index + 1}`);

const file = object({
  madeBy: object({ version: text }),
  world: object({
    name: text,
    seed: text,
    scenario: text,
    beganAt: timestamp,
    realAt: timestamp,
    base: (value, path) => value === 'created' || (object({ state: text })(value, path), false),
  }),
  test: object({
    name: orNull(text),
    file: optional(text),
    failure: optional(text),
    runner: optional(text),
    commit: optional(text),
    runUrl: optional(text),
  }),
  steps: (value, path) =>
    Array.isArray(value) && value.length > maxReplaySteps
      ? wrong(path, `at most ${maxReplaySteps} steps`, value.length)
      : steps(value, path),
  ends: object({
    at: timestamp,
    realMs: ms,
    findings: list(
      object({
        id: text,
        rule: text,
        severity: oneOf('ERROR', 'WARNING'),
        title: text,
        count,
        state: oneOf('NEW', 'EXPECTED', 'ACCEPTED'),
      }),
    ),
    failedVerifications: list(text),
  }),
  complete: flag,
  cutFrom: optional(count),
});

/** The parts of a replay file that the page shows. `world.base` is true if the file begins with a new world. */
export type ReplayFile = ReturnType<typeof file>;
export type Step = ReplayFile['steps'][number];
export type CallStep = Exclude<Step, { kind: 'ATTEMPT' }>;
export type AttemptStep = Extract<Step, { kind: 'ATTEMPT' }>;
export type FindingAtEnd = ReplayFile['ends']['findings'][number];

/** Returns the version of the sandbox that wrote a file, for an error; an empty string if unknown. */
function makerOf(madeBy: unknown): string {
  const { version } = (madeBy ?? {}) as { version?: unknown };
  return typeof version === 'string' ? ` from crossborder-sandbox ${startOf(version, maxShown)}` : '';
}

/**
 * Checks the parsed JSON of a file. @returns its shown parts
 * @param name file name for errors
 * @throws Error that names the file and its first wrong part
 */
export function partsOf(data: unknown, name: string): ReplayFile {
  const { replay: format, madeBy } = (data ?? {}) as { replay?: unknown; madeBy?: unknown };
  if (format === undefined) {
    throw new Error(
      `${name} is not a replay file: it has no field "replay". Open a file like pays-out.replay.json, from a test runner or from "crossborder-sandbox replay save".`,
    );
  }
  if (typeof format === 'number' && format > replayFormat) {
    throw new Error(
      `${name} has format ${format}${makerOf(madeBy)}; this version reads format ${replayFormat}. Install that version or a later version.`,
    );
  }
  try {
    if (format !== replayFormat) wrong('replay', String(replayFormat), format);
    return file(data, '');
  } catch (error) {
    throw new Error(`${name} is damaged, or not a replay file: ${(error as Error).message}.`, { cause: error });
  }
}
