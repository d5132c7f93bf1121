import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { leftMs } from '../../contract/scenario/fault-life.js';
import { call } from '../api.js';
import { runAction, countText, loadQuietly, unchanged } from '../notices.js';
import { Button } from '../parts/button.js';
import { FaultBuilder } from './fault-builder.js';
import { useNow } from '../clock-bar.js';
import { faults, refreshFaults, type Fault } from '../store.js';
import { faultText, removeFault } from './fault-removal.js';
import { presets } from './presets.js';

/** Describes how often a fault was applied, and whether it still applies. */
function stateText({ times, hits }: Fault, isActive: boolean): string {
  if (times === undefined) return `${isActive ? '' : 'expired, '}applied ${countText(hits, 'time')}`;
  const state = isActive ? 'waits' : hits >= times ? 'used up' : 'expired';
  return `${state}, applied ${hits} of ${countText(times, 'time')}`;
}

/** The faults of the world, and a form for more. */
export function Faults(): JSX.Element {
  const [text, setText] = useState('');
  const now = useNow();
  const add = (fault: unknown) => call('POST', '/faults', fault).then(() => loadQuietly(refreshFaults));
  return (
    <div class="scroll sheet" tabIndex={0} role="region" aria-label="Faults">
      {faults.value?.length === 0 && <p class="dim">No fault is active. Add one:</p>}
      <ul class="cards">
        {faults.value?.map((fault) => (
          <li key={fault.id} class={leftMs(fault, now) > 0 ? '' : 'dim'}>
            <span class="grow">{faultText(fault)}</span>
            <span>{stateText(fault, leftMs(fault, now) > 0)}</span>
            <Button act={() => removeFault(fault)} done={unchanged} destructive>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <FaultBuilder add={add} />
      <div class="moves" role="group" aria-label="Add a fault">
        {presets.map(([words, fault]) => (
          <Button key={words} act={() => add(fault)} done={`Added: ${words}.`}>
            {words}
          </Button>
        ))}
      </div>
      <form
        class="form"
        onSubmit={(event) => (event.preventDefault(), void runAction(async () => add(JSON.parse(text || '{}')), 'Added the fault.'))}
      >
        <label>
          Any other, as JSON
          <textarea
            rows={3}
            value={text}
            placeholder='{"on": "REQUEST", "times": 1, "effect": {"status": 503}}'
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit" class="button">
          Add
        </button>
      </form>
    </div>
  );
}
