import type { JSX } from 'preact';
import type { Timer } from '../../contract/control/timers.js';
import type { Why } from '../../contract/control/analysis/why.js';
import { advance, freezeOrRun } from '../clock-actions.js';
import { unchanged } from '../notices.js';
import { Button } from '../parts/button.js';
import { shortTime } from '../parts/timestamp.js';
import { useLoaded } from '../parts/loaded.js';
import { clock } from '../store.js';

/** The reason why an operation waits, and what continues it. */
export function Waiting({ id, why: { plan, possible, entries } }: { readonly id: string; readonly why: Why }): JSX.Element | null {
  const { value } = useLoaded<{ data: Timer[] }>('/timers', ['JOB', 'CLOCK', 'STATE']);
  if (possible.length === 0 || value === null) return null; // The operation has ended, or the timers are not loaded.
  const timer = value.data.find((each) => each.id === id);
  if (timer === undefined) {
    const rule = plan === null ? 'no rule of the scenario has planned steps for it' : `the rule "${plan.rule}" has no timed step left`;
    const reason = entries.findLast(({ kind }) => kind === 'STATE')?.reason;
    return (
      <p class="caused">
        {reason ? (
          <>
            <code>{reason.code}</code>: {reason.message.replace(/\.?$/, '.')}{' '}
          </>
        ) : null}
        The operation waits until you force its next status: {rule}.
      </p>
    );
  }
  const isFrozen = clock.value?.mode === 'FROZEN';
  return (
    <div class="caused">
      {timer.what} is due at {shortTime(timer.dueAt)}
      {isFrozen ? ', but the clock of the world is frozen: advance it, or let it run.' : '.'}
      <div class="moves">
        <Button act={() => advance({ to: timer.dueAt })} done={unchanged}>
          Advance to it now
        </Button>
        {isFrozen && (
          <Button act={freezeOrRun} done={unchanged}>
            Let the clock run
          </Button>
        )}
      </div>
    </div>
  );
}
