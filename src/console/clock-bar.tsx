import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { leftMs } from '../contract/scenario/fault-life.js';
import { advance, freezeOrRun, runClockAction, nextTimer, steps } from './clock-actions.js';
import { unchanged } from './notices.js';
import { NextTimers } from './next-timers.js';
import { Button } from './parts/button.js';
import { longTimestamp, spanText } from './parts/timestamp.js';
import { go, linkTo } from './router.js';
import { clock, failedDeliveries, failingDeliveries, faults, findings, scenario } from './store.js';

/** Returns the world time in Unix milliseconds. Between two responses, the page advances a running clock itself. */
export function useNow(): number {
  const [, tick] = useState(0);
  const [seen, setSeen] = useState({ clock: clock.value, at: performance.now() });
  if (seen.clock !== clock.value) setSeen({ clock: clock.value, at: performance.now() });
  const isRunning = clock.value?.mode === 'RUNNING';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => tick((times) => times + 1), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return Date.parse(clock.value?.now ?? '1970-01-01') + (isRunning ? performance.now() - seen.at : 0);
}

/** The world time with the controls of the clock, the active scenario, and counts that need attention. */
export function ClockBar(): JSX.Element {
  const now = useNow();
  const seen = clock.value;
  if (seen === null) return <div class="clock" />;
  const { mode, pendingTimers, nextTimerAt } = seen;
  const isFrozen = mode === 'FROZEN';
  const active = (faults.value ?? []).filter((fault) => leftMs(fault, now) > 0).length;
  const none = nextTimerAt === null ? 'No timer is pending.' : undefined;
  const waiting = none ?? `${pendingTimers} pending, next in ${spanText(Date.parse(nextTimerAt!) - now)}`;
  return (
    <div class="clock" role="toolbar" aria-label="Clock of the world">
      <time class="mono" dateTime={seen.now}>
        {longTimestamp(new Date(now).toISOString())}
      </time>
      <span class={`mode ${isFrozen ? 'frozen' : ''}`}>{mode}</span>
      <span class="clock-steps">
        <Button act={freezeOrRun} done={unchanged}>
          {isFrozen ? 'Run' : 'Freeze'}
        </Button>
        {steps.map(([text, by]) => (
          <span key={by} class="wide">
            <Button act={() => advance({ by })} done={unchanged}>
              {text}
            </Button>
          </span>
        ))}
        <select
          class="narrow-only"
          aria-label="Advance by"
          value=""
          onChange={({ currentTarget }) => {
            const by = currentTarget.value;
            currentTarget.value = '';
            void runClockAction(() => advance(by === 'idle' ? { untilIdle: true } : { by }));
          }}
        >
          <option value="">Advance…</option>
          {steps.map(([text, by]) => (
            <option key={by} value={by}>
              {text}
            </option>
          ))}
          {none === undefined && <option value="idle">until nothing is pending</option>}
        </select>
        <Button act={nextTimer} done={unchanged} primary={isFrozen && none === undefined} impossible={none}>
          Next timer
        </Button>
        <span class="wide">
          <Button act={() => advance({ untilIdle: true })} done={unchanged} impossible={none}>
            Until idle
          </Button>
        </span>
      </span>
      {none === undefined ? (
        <details class="waiting">
          <summary>{waiting}</summary>
          <div class="floating">
            <NextTimers />
          </div>
        </details>
      ) : (
        <span class="waiting">no timers</span>
      )}
      <div class="standing">
        <span class="in-force">
          <span class="label">scenario </span>
          <a
            title="The active scenario"
            href={linkTo({ screen: 'scenarios' })}
            onClick={(event) => (event.preventDefault(), go({ screen: 'scenarios', id: null }))}
          >
            {scenario.value?.name ?? '…'}
          </a>
        </span>
        {active > 0 && (
          <Chip tone="warn" screen="faults">
            ▲ {active} <span class="wordy">{active === 1 ? 'fault' : 'faults'}</span>
          </Chip>
        )}
        {failedDeliveries.value > 0 && (
          <Chip tone="bad" screen="webhooks" query={{ filters: failingDeliveries }}>
            ✕ {failedDeliveries.value}{' '}
            <span class="wordy">
              failing <span class="label">{failedDeliveries.value === 1 ? 'webhook' : 'webhooks'}</span>
            </span>
          </Chip>
        )}
        {findings.value.length > 0 && (
          <Chip tone="bad" screen="findings">
            ● {findings.value.length} <span class="wordy">{findings.value.length === 1 ? 'finding' : 'findings'}</span>
          </Chip>
        )}
      </div>
    </div>
  );
}

/** A count that needs attention, as a link to its screen. */
function Chip({
  tone,
  screen,
  query = {},
  children,
}: {
  readonly tone: 'warn' | 'bad';
  readonly screen: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly children: ComponentChildren;
}): JSX.Element {
  const to = { screen, id: null, query };
  return (
    <a class={`status ${tone}`} href={linkTo(to)} onClick={(event) => (event.preventDefault(), go(to))}>
      {children}
    </a>
  );
}
