import type { Item } from '../item.js';
import type { Replay, ReplayStep } from '../../contract/control/analysis/replay.js';
import { startOf } from '../../contract/shared/messages/cut.js';
import { effectWords } from '../scenarios/fault-words.js';

/** A row of the timeline of a replay file: a step, or a finding or a failed verification at the end. */
export interface ReplayRow {
  /** Identifies the row in the address: of a step, its number. */
  readonly key: string;
  readonly item: Item;
  /** The step of the row; null for a row of the end. */
  readonly step: ReplayStep | null;
  readonly finding: Replay['ends']['findings'][number] | null;
  /** Whether the test failed after this step, the last one. `replay --at-failure` starts a sandbox in the state after it. */
  readonly isFailure: boolean;
}

/** Returns the beginning of a text that a row shows: the browser would need seconds to lay out a line of a megabyte. */
const lineText = (text: string): string => startOf(text, 500);

/** Describes the effect of a step: in words, or by its names if this version does not know its values; null without an effect. */
export function effectText(step: ReplayStep): string | null {
  const { effect, kind, response } = step;
  if (effect === null) return null;
  try {
    // A connection that is reset before the request is handled has the status 503.
    return lineText(effectWords(effect, kind !== 'ATTEMPT' && String(response.status).startsWith('2')));
  } catch {
    return lineText(Object.keys(effect).join(', '));
  }
}

/** The fields of an item that a file does not have. */
const unknown = { resource: null, resourceId: null, causeId: null, generation: 1, test: null } as const;

function itemOf(step: ReplayStep, index: number, realAt: string): Item {
  const own = { ...unknown, order: index + 1, id: String(index + 1), at: step.at, realAt, ms: step.response.ms };
  const status = String(step.response.status);
  if (step.kind === 'ATTEMPT') {
    const { messageId: deliveryId, eventType, url, attemptKind, number, response } = step;
    const attempt = {
      deliveryId,
      eventType: lineText(eventType),
      url: lineText(url),
      attemptKind,
      number,
      httpStatus: response.status,
      error: response.error && lineText(response.error),
    };
    return { ...own, kind: 'ATTEMPT', summary: lineText(eventType), status, attempt };
  }
  const { operationId, response } = step;
  const [method, path] = [lineText(step.method), lineText(step.url)];
  const request = {
    method,
    path,
    operationId,
    code: response.code && lineText(response.code),
    outcome: response.outcome,
    replay: false,
    ruleId: null,
  };
  return { ...own, kind: step.kind === 'CALL' ? 'REQUEST' : 'CONTROL', summary: `${method} ${path}`, status, request };
}

/** The last timestamp, in milliseconds since 1970: a later one is not valid. */
const maxTimestampMs = 8.64e15;

/** Returns the rows of a file: all steps, then the findings and the failed verifications. */
export function rowsOf({ steps, ends, test, world }: Replay): readonly ReplayRow[] {
  const beganMs = Date.parse(world.realAt);
  const realAt = (ms: number) => new Date(Math.min(beganMs + ms, maxTimestampMs)).toISOString();
  const atEnd = { ...unknown, at: ends.at, realAt: realAt(ends.realMs), ms: null };
  return [
    ...steps.map((step, index) => ({
      key: String(index + 1),
      item: itemOf(step, index, realAt(step.realMs)),
      step,
      finding: null,
      isFailure: test.failure !== undefined && index === steps.length - 1,
    })),
    ...ends.findings.map((finding, index) => {
      const order = steps.length + index + 1;
      const status = `${finding.state} ${finding.severity}`;
      const item: Item = {
        ...atEnd,
        order,
        id: finding.id,
        kind: 'FINDING',
        summary: lineText(`finding ${finding.id}: ${finding.title}`),
        status,
      };
      return { key: `finding-${index + 1}`, item, step: null, finding, isFailure: false };
    }),
    ...ends.failedVerifications.map((line, index) => {
      const order = steps.length + ends.findings.length + index + 1;
      const id = `verification-${index + 1}`;
      const item: Item = { ...atEnd, order, id, kind: 'MARK', summary: lineText(`failed verification: ${line}`), status: 'FAILED' };
      return { key: id, item, step: null, finding: null, isFailure: false };
    }),
  ];
}
