import type { JSX } from 'preact';

type Tone = 'ok' | 'bad' | 'warn' | 'wait' | 'plain';

const marks: Record<Tone, string> = { ok: '✓', bad: '✕', warn: '▲', wait: '◐', plain: '○' };

const toneOfStatus: Readonly<Record<string, Tone>> = {
  COMPLETED: 'ok',
  HIT: 'plain',
  APPROVED: 'ok',
  ACTIVE: 'ok',
  SUCCESS: 'ok',
  FAILED: 'bad',
  REJECTED: 'bad',
  CLOSED: 'bad',
  LOST: 'bad',
  ON_HOLD: 'warn',
  ACTION_REQUIRED: 'warn',
  FROZEN: 'warn',
  PROCESSING: 'wait',
  PENDING: 'wait',
  OPENING: 'wait',
  ACTIVATING: 'wait',
  WAITING: 'wait',
  DUE: 'wait',
};

/** Returns the tone of the status of a resource, or of an HTTP status; the HTTP status 0 means no response. */
export function toneOf(status: string): Tone {
  if (/^\d+$/.test(status)) return status.startsWith('2') || status.startsWith('3') ? 'ok' : 'bad';
  if (status.endsWith(' ERROR')) return 'bad';
  return status.endsWith(' WARNING') ? 'warn' : (toneOfStatus[status] ?? 'plain');
}

/** A status with its colour, a shape and its word. */
export function Status({
  of,
  word = of === '0' ? 'no response' : of,
}: {
  readonly of: string;
  readonly word?: string | undefined;
}): JSX.Element {
  const tone = toneOf(of);
  return (
    <span class={`status ${tone}`}>
      <span aria-hidden="true">{marks[tone]} </span>
      {word}
    </span>
  );
}
