import type { JSX } from 'preact';
import { timeMode } from './time.js';

/** A button that switches the shown times between world time and real time. */
export function TimeChoice(): JSX.Element {
  return (
    <button
      type="button"
      class="quiet"
      aria-pressed={timeMode.value === 'real'}
      onClick={() => (timeMode.value = timeMode.value === 'real' ? 'world' : 'real')}
    >
      Times: {timeMode.value}
    </button>
  );
}
