import { maxReplayBytes, replayFormat } from '../../contract/control/analysis/replay-limits.js';
import type { Replay, ReplayStep } from '../../contract/control/analysis/replay.js';
import type { UrlPolicy } from '../../contract/scenario/settings.js';
import type { Scenario } from '../../contract/scenario/scenario.js';
import type { Interruptible } from '../../domain/interruptible.js';
import type { ReferenceData } from '../../fixtures/reference-data.js';
import type { ScenarioCatalogue } from '../../scenario/catalogue.js';
import { captureState, type StateCapture } from '../../world/document/capture.js';
import { documentText } from '../../world/document/state-document.js';
import type { ScenarioRecord } from '../../world/rows.js';
import type { World } from '../../world/world.js';
import type { Findings } from '../project/findings/findings.js';
import { findingView } from '../project/findings/present.js';
import type { CallRecord } from './record.js';
import type { Redactor } from '../../exchange/redact.js';
import { stateHash } from './state-hash.js';
import { startOf } from '../../contract/shared/messages/cut.js';
import { sha256 } from '../../exchange/response-hash.js';
import { jobsBefore, stepsOf, type Step } from './step.js';

/** The sources of a replay file. */
export interface ReplaySources {
  readonly record: CallRecord;
  readonly findings: Findings;
  readonly scenarios: ScenarioCatalogue;
  readonly data: ReferenceData;
  readonly urlPolicy: UrlPolicy;
  readonly ports: readonly number[];
  readonly version: string;
  readonly contract: string;
  /** Returns real time, in milliseconds since 1970. */
  readonly realNow: () => number;
}

/** Maximum number of different User-Agent headers in a file. */
const maxUserAgents = 20;

/** Marks that {@link Redactor} leaves in a string. */
const redacted = /\[secret\]|\[token:[0-9a-f]{8}\]/;

/** Returns the replay file of a world: since the latest marked test or the present generation began. */
export function* replayOf(world: World, { record, findings, scenarios, data, ...about }: ReplaySources): Interruptible<Replay> {
  const { replayBuffer, redactor } = record.of(world);
  const { identity } = world;
  const recordedSteps = stepsOf(replayBuffer.exchanges);
  const ends = { worldMs: world.nowMs(), realMs: about.realNow(), isUnderWay: isUnderWay(world), moment: world.moment };
  const captured = captureState(world.state, ends.worldMs);
  const scenario = world.state.scenario.get('scenario');
  const base =
    replayBuffer.base === null || replayBuffer.base === 'created'
      ? replayBuffer.base
      : { state: yield* textOf(replayBuffer.base, redactor) };
  const jobs = jobsBefore([...recordedSteps, ends]);
  const all: ReplayStep[] = [];
  for (const [index, step] of recordedSteps.entries()) {
    const made = {
      jobsBefore: jobs[index],
      ...step.fields(redactor),
      realMs: Math.max(0, step.realMs - replayBuffer.realMs),
    };
    all.push(numbered(recordedSteps, index, made as ReplayStep));
    yield;
  }
  const { steps, isWhole, room } = fitting(
    all,
    maxReplayBytes * 0.95 - (base === 'created' || base === null ? 0 : JSON.stringify(base.state).length),
  );
  const kept = base === null ? [] : yield* withBodies(steps, recordedSteps, redactor, room);
  const { book } = findings.runnerOf(world);
  const found = book.list().filter(({ test }) => replayBuffer.test === null || test === replayBuffer.test);
  const complete = isWhole && !replayBuffer.isCut && base !== null;
  return {
    replay: replayFormat,
    madeBy: {
      version: about.version,
      contract: about.contract,
      fixtures: sha256(JSON.stringify(data)),
      scenarios: sha256(JSON.stringify([...scenarios.all])),
    },
    world: {
      name: identity.name,
      seed: identity.seed,
      scenario: identity.scenario,
      fixtures: identity.fixtures,
      clock: identity.clock,
      beganAt: new Date(replayBuffer.beganMs).toISOString(),
      realAt: new Date(replayBuffer.realMs).toISOString(),
      urlPolicy: about.urlPolicy,
      ports: about.ports.slice(0, 2),
      scenarios: scenariosOf(identity.scenario, kept, scenario, scenarios).map((each) => ({
        name: each.scenario,
        text: redactor.text(JSON.stringify(each)),
      })),
      base: base ?? 'created',
    },
    test: { name: replayBuffer.test, userAgents: userAgentsOf(record, world) },
    steps: kept,
    ends: {
      at: new Date(ends.worldMs).toISOString(),
      realMs: Math.max(0, ends.realMs - replayBuffer.realMs),
      jobsBefore: jobs.at(-1)!,
      findings: found.map((each) => {
        const { id, rule, severity, title, count, state: expected, fingerprint } = findingView(each, []);
        return { id, rule, severity, title, count, state: expected, fingerprint };
      }),
      failedVerifications: replayBuffer.failedVerifications.map((line) => redactor.text(line)),
      state: complete && !ends.isUnderWay && !kept.some(changesState) ? yield* stateHash(captured, redactor, identity.incarnation) : null,
    },
    complete,
    ...(complete ? {} : { cutFrom: kept.length + 1 }),
  };
}

/** Returns the document of a state without secrets. */
function* textOf(capture: StateCapture, redactor: Redactor): Interruptible<string> {
  const parts: string[] = [];
  for (const part of documentText(capture)) {
    parts.push(redactor.text(part));
    yield;
  }
  return parts.join('');
}

/** True if webhook attempts are in progress: their results are in the state or not, depending on the real time. */
function isUnderWay({ state }: World): boolean {
  for (const { held } of state.outbox.values()) if (!held) return true;
  return false;
}

/** True for a step whose redacted secrets are in the state, which a replay cannot repeat. */
function changesState(step: ReplayStep): boolean {
  if (step.kind === 'ATTEMPT' || step.operationId === 'createToken') return false;
  return redacted.test(step.url) || redacted.test(step.body?.text ?? '');
}

/** Adds the number of the last step before the response, if later steps began before the response. */
function numbered(all: readonly Step[], from: number, made: ReplayStep): ReplayStep {
  if (made.kind === 'ATTEMPT') return made;
  const step = all[from]!;
  let last = from;
  for (let index = from + 1; index < all.length; index += 1) {
    const each = all[index]!;
    if (each.beganOrder > step.endedOrder) break;
    if (step.isLong ? each.endedOrder <= step.endedOrder : each.kind === 'CALL') last = index;
  }
  return last > from ? { ...made, endsAfter: last + 1 } : made;
}

/** Returns the first steps that fit into a file, and the number of bytes that remain. */
function fitting(all: ReplayStep[], maxBytes: number): { steps: ReplayStep[]; isWhole: boolean; room: number } {
  let bytes = 0;
  const end = all.findIndex((each) => (bytes += Buffer.byteLength(JSON.stringify(each)) + 1) > maxBytes);
  return end < 0 ? { steps: all, isWhole: true, room: maxBytes - bytes } : { steps: all.slice(0, end), isWhole: false, room: 0 };
}

/** Adds bodies to steps while there is room, to the last steps first: a test fails at its end. */
function* withBodies(
  steps: readonly ReplayStep[],
  recordedSteps: readonly Step[],
  redactor: Redactor,
  room: number,
): Interruptible<ReplayStep[]> {
  const shown = [...steps];
  let left = room;
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    yield;
    const step = steps[index]!;
    const text = recordedSteps[index]!.shown(redactor);
    if (text === null) continue;
    left -= Buffer.byteLength(JSON.stringify(text)) + '"body":,'.length;
    if (left < 0) break;
    shown[index] = step.kind === 'ATTEMPT' ? { ...step, sent: text } : { ...step, response: { ...step.response, body: text } };
  }
  return shown;
}

/** Returns the scenarios that the world has used, with their parents. */
function scenariosOf(
  initial: string,
  steps: readonly ReplayStep[],
  current: ScenarioRecord | undefined,
  { all }: ScenarioCatalogue,
): Scenario[] {
  const known = new Map([...all].map((each) => [each.scenario, each]));
  const wanted = new Map<string, Scenario>();
  const add = (name: string | undefined): void => {
    const scenario = name === undefined ? undefined : known.get(name);
    if (!scenario || wanted.has(scenario.scenario)) return;
    wanted.set(scenario.scenario, scenario);
    add(scenario.extends);
  };
  add(initial);
  for (const step of steps) {
    if (step.kind !== 'CONTROL' || step.operationId !== 'putScenario' || !step.body) continue;
    for (const name of known.keys()) if (step.body.text.includes(JSON.stringify(name))) add(name);
  }
  add(current?.name);
  add(current?.inline?.extends);
  return [...wanted.values()].toReversed();
}

/** Returns the User-Agent headers of the recorded requests. */
function userAgentsOf(record: CallRecord, world: World): string[] {
  const agents = new Set<string>();
  for (const stored of record.of(world).newest(500)) {
    const entry = record.entry(world, stored);
    if (entry.kind === 'REQUEST' && entry.headers['user-agent'] !== undefined) agents.add(startOf(entry.headers['user-agent'], 200));
    if (agents.size === maxUserAgents) break;
  }
  return [...agents];
}
