import type { JSX } from 'preact';
import type { Timer } from '../../contract/control/timers.js';
import type { Why } from '../../contract/control/analysis/why.js';
import { advance, asSaid, freezeOrRun } from '../clock.js';
import { Button } from '../parts/button.js';
import { shortTime } from '../parts/instant.js';
import { useLoaded } from '../parts/loaded.js';
import { clock } from '../store.js';

/** The reason why an operation waits, and what continues it. */
export function Waiting({ id, why: { plan, possible, entries } }: { readonly id: string; readonly why: Why }): JSX.Element | null {
  const { value } = useLoaded<{ data: Timer[] }>('/timers', ['JOB', 'CLOCK', 'STATE']);
  if (possible.length === 0 || value === null) return null; // It has come to its end.
  const timer = value.data.find((each) => each.id === id);
  if (timer === undefined) {
    const rule =
      plan === null ? 'no rule of the scenario has planned a course for it' : `the rule "${plan.rule}" has no step left that has a time`;
    const reason = entries.findLast(({ kind }) => kind === 'STATE')?.reason;
    return (
      <p class="caused">
        {reason ? (
          <>
            <code>{reason.code}</code>: {reason.message.replace(/\.?$/, '.')}{' '}
          </>
        ) : null}
        It stays as it is until somebody forces it: {rule}.
      </p>
    );
  }
  const isFrozen = clock.value?.mode === 'FROZEN';
  return (
    <div class="caused">
      {timer.what} is due at {shortTime(timer.dueAt)}
      {isFrozen ? ', and the clock of the world is frozen: it does not come by itself.' : '.'}
      <div class="moves">
        <Button act={() => advance({ to: timer.dueAt })} done={asSaid}>
          Advance to it now
        </Button>
        {isFrozen && (
          <Button act={freezeOrRun} done={asSaid}>
            Let the clock run
          </Button>
        )}
      </div>
    </div>
  );
}
