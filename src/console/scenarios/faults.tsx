import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { FaultRequest, FaultSchema } from '../../contract/scenario/scenario.js';
import { call } from '../api.js';
import { Button } from '../parts/button.js';
import { useLoaded } from '../parts/loaded.js';
import { attempt } from '../store.js';

type Fault = z.infer<typeof FaultSchema>;

/** Faults that are often wanted, by what they do. */
const presets: readonly (readonly [string, FaultRequest])[] = [
  [
    'Lose the next answer of a write',
    { on: 'REQUEST', phase: 'after_commit', when: { method: 'POST' }, times: 1, effect: { connectionReset: true } },
  ],
  ['429 twice', { on: 'REQUEST', times: 2, effect: { status: 429, retryAfter: 'PT2S' } }],
  ['503 once', { on: 'REQUEST', times: 1, effect: { status: 503, retryAfter: 'PT1S' } }],
  ['Expire the token of the next call', { on: 'REQUEST', times: 1, effect: { expireToken: true } }],
  ['Unknown fields in the next answer', { on: 'REQUEST', times: 1, effect: { unknownFields: true } }],
  ['Next webhook twice and late', { on: 'DELIVERY', times: 1, effect: { duplicate: 1, delay: 'PT5S' } }],
  ['Next webhook wrongly signed', { on: 'DELIVERY', times: 1, effect: { corruptSignature: true } }],
  ['Drop the next webhook', { on: 'DELIVERY', times: 1, effect: { drop: true } }],
];

/** What is armed to go wrong, and how to arm more. */
export function Faults(): JSX.Element {
  const { value, reload } = useLoaded<{ data: Fault[] }>('/faults', ['FAULT', 'REQUEST', 'ATTEMPT']);
  const [text, setText] = useState('');
  const arm = (fault: unknown) => call('POST', '/faults', fault).then(reload);
  return (
    <section>
      <h2>Faults</h2>
      <ul class="cards">
        {(value?.data ?? []).map(({ id, on, effect, when, times, hits }) => (
          <li key={id}>
            <span class="grow">
              <b class="mono">{on}</b> <code>{JSON.stringify(effect)}</code> {when && <span class="dim">when {JSON.stringify(when)}</span>}
            </span>
            <span>{times === undefined ? `${hits} hits` : `${hits} of ${times}`}</span>
            <Button act={() => call('DELETE', `/faults/${id}`).then(reload)} destructive>
              Disarm
            </Button>
          </li>
        ))}
      </ul>
      <div class="moves" role="group" aria-label="Arm a fault">
        {presets.map(([words, fault]) => (
          <Button key={words} act={() => arm(fault)}>
            {words}
          </Button>
        ))}
      </div>
      <form class="form" onSubmit={(event) => (event.preventDefault(), void attempt(() => arm(JSON.parse(text || '{}'))))}>
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
          Arm
        </button>
      </form>
    </section>
  );
}
