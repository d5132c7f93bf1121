import type { Replay, ReplayStep } from '../../contract/control/analysis/replay.js';

/** The first difference between a recording and its replay. */
export interface Difference {
  /** Number of the step, from 1; null for the results at the end. */
  readonly step: number | null;
  readonly field: string;
  readonly recorded: unknown;
  readonly now: unknown;
}

type Compared = Readonly<Record<string, unknown>>;

/** Returns the fields of a step that must be equal in the recording and each replay. */
function comparedOf(step: ReplayStep): Compared {
  const { kind, at, effect, response } = step;
  const common = { kind, effect: JSON.stringify(effect), 'response.status': response.status };
  if (step.kind === 'ATTEMPT') {
    const { messageId, eventType, attemptKind, number, subscription, sha256 } = step;
    return { ...common, messageId, eventType, attemptKind, number, subscription, body: sha256 };
  }
  const { method, url, response: said } = step;
  return { ...common, method, url, at, 'response.code': said.code, 'response.outcome': said.outcome, 'response.sha256': said.sha256 };
}

/**
 * Compares a recording with its replay.
 * @param stopped the step that could not be replayed; null if all steps were replayed
 */
export function differenceIn(recorded: Replay, now: Replay, stopped: Difference | null): Difference | null {
  for (const [index, step] of recorded.steps.entries()) {
    if (stopped?.step === index + 1) return stopped;
    const before = comparedOf(step);
    const again = now.steps[index];
    if (!again) return { step: index + 1, field: 'step', recorded: step.kind, now: 'none' };
    const after = comparedOf(again);
    for (const [field, value] of Object.entries(before))
      if (after[field] !== value && !isFree(field, value)) return { step: index + 1, field, recorded: value, now: after[field] };
  }
  return differenceAtEnd(recorded, now);
}

/** Whether a field may differ: the hash of a body that contains a token, or the outcome for a client that disconnected. */
function isFree(field: string, recorded: unknown): boolean {
  return (field === 'response.sha256' && recorded === null) || (field === 'response.outcome' && recorded === 'CLIENT_DISCONNECTED');
}

function differenceAtEnd(recorded: Replay, now: Replay): Difference | null {
  if (!recorded.complete) return null;
  // If the file begins with an exported state, the rules do not know the earlier requests, so findings may differ.
  if (recorded.world.base === 'created') {
    const [before, after] = [recorded, now].map(({ ends }) => ends.findings.map(({ rule, count }) => `${rule} ${count}`).join(', '));
    if (before !== after) return { step: null, field: 'findings', recorded: before, now: after };
  }
  const [before, after] = [recorded.ends.state, now.ends.state];
  return before !== null && after !== null && before !== after ? { step: null, field: 'state', recorded: before, now: after } : null;
}
