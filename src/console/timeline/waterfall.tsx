import type { JSX } from 'preact';
import type { Item } from '../item.js';
import { spanText } from '../parts/timestamp.js';
import { timeMode } from '../parts/time.js';
import { toneOf } from '../parts/status.js';
import { spanOf, spanOfAll } from './groups.js';

/** Minimum width of a bar in percent of its group, so that a moment is visible. */
const minWidth = 1.5;

/** The time span of an item within its group, as a bar. */
export function Bar({
  item,
  within,
  status,
}: {
  readonly item: Item;
  readonly within: readonly Item[];
  readonly status: string | null;
}): JSX.Element {
  const whole = spanOfAll(within, timeMode.value);
  const { from, to } = within.includes(item) ? spanOf(item, timeMode.value) : whole;
  const length = Math.max(1, whole.to - whole.from);
  const width = Math.max(minWidth, ((to - from) / length) * 100);
  const left = Math.min(((from - whole.from) / length) * 100, 100 - width);
  const tone = item.kind === 'JOB' ? 'plan' : status === null ? 'plain' : toneOf(status);
  return (
    <span class="bar-track" title={`${spanText(from - whole.from)} after the beginning${to > from ? `, for ${spanText(to - from)}` : ''}`}>
      <span class={`bar-fill ${item.kind.toLowerCase()} ${tone}`} style={{ left: `${left}%`, width: `${width}%` }} />
    </span>
  );
}
