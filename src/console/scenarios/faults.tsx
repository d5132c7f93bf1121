import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { FaultRequest, FaultSchema } from '../../contract/scenario/scenario.js';
import { call } from '../api.js';
import { attempt } from '../notices.js';
import { Button } from '../parts/button.js';
import { useLoaded } from '../parts/loaded.js';
import { FaultBuilder } from './fault-builder.js';

type Fault = z.infer<typeof FaultSchema>;

/** Common faults with their labels. */
const presets: readonly (readonly [string, FaultRequest])[] = [
  [
    'Lose the next response to a write',
    { on: 'REQUEST', phase: 'after_commit', when: { method: 'POST' }, times: 1, effect: { connectionReset: true } },
  ],
  ['429 twice', { on: 'REQUEST', times: 2, effect: { status: 429, retryAfter: 'PT2S' } }],
  ['503 once', { on: 'REQUEST', times: 1, effect: { status: 503, retryAfter: 'PT1S' } }],
  ['Expire the token of the next call', { on: 'REQUEST', times: 1, effect: { expireToken: true } }],
  ['Unknown fields in the next response', { on: 'REQUEST', times: 1, effect: { unknownFields: true } }],
  ['Next webhook twice and late', { on: 'DELIVERY', times: 1, effect: { duplicate: 1, delay: 'PT5S' } }],
  ['Next webhook wrongly signed', { on: 'DELIVERY', times: 1, effect: { corruptSignature: true } }],
  ['Drop the next webhook', { on: 'DELIVERY', times: 1, effect: { drop: true } }],
  ['Next webhook after all others', { on: 'DELIVERY', when: { kind: 'FIRST' }, times: 1, effect: { until: 'end' } }],
  ['Next webhook again after all others', { on: 'DELIVERY', when: { kind: 'FIRST' }, times: 1, effect: { again: { until: 'end' } } }],
  ['Next two webhooks of a resource at once', { on: 'DELIVERY', when: { kind: 'FIRST' }, times: 1, effect: { overlap: true } }],
  ['Lose the next webhook and its retries', { on: 'DELIVERY', when: { kind: 'FIRST' }, times: 1, effect: { lost: true } }],
  ['Next response after its webhooks', { on: 'REQUEST', when: { method: 'POST' }, times: 1, effect: { respondAfter: 'events' } }],
];

/** The active faults, and a form for more. */
export function Faults(): JSX.Element {
  const { value, reload } = useLoaded<{ data: Fault[] }>('/faults', ['FAULT', 'REQUEST', 'ATTEMPT']);
  const [text, setText] = useState('');
  const arm = (fault: unknown) => call('POST', '/faults', fault).then(reload);
  const disarm = (id: string) => call('DELETE', `/faults/${id}`).then(reload);
  return (
    <section>
      <h2>Faults</h2>
      <ul class="cards">
        {(value?.data ?? []).map(({ id, hits, createdAt: _createdAt, matches: _matches, ...request }) => (
          <li key={id}>
            <span class="grow">
              <b class="mono">{request.on}</b> <code>{JSON.stringify(request.effect)}</code>{' '}
              {request.when && <span class="dim">when {JSON.stringify(request.when)}</span>}
            </span>
            <span>{request.times === undefined ? `${hits} hits` : `${hits} of ${request.times}`}</span>
            <Button act={() => disarm(id)} done={() => ({ text: `Disarmed the fault ${id}.`, undo: () => arm(request) })} destructive>
              Disarm
            </Button>
          </li>
        ))}
      </ul>
      <FaultBuilder arm={arm} />
      <div class="moves" role="group" aria-label="Arm a fault">
        {presets.map(([words, fault]) => (
          <Button key={words} act={() => arm(fault)} done={`Armed: ${words}.`}>
            {words}
          </Button>
        ))}
      </div>
      <form
        class="form"
        onSubmit={(event) => (event.preventDefault(), void attempt(async () => arm(JSON.parse(text || '{}')), 'Armed the fault.'))}
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
          Arm
        </button>
      </form>
    </section>
  );
}
