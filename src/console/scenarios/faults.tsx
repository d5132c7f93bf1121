import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { FaultRequest, FaultSchema } from '../../contract/scenario/scenario.js';
import { startOf } from '../../contract/shared/messages/cut.js';
import { call, callIn } from '../api.js';
import { runAction, countText, type Outcome } from '../notices.js';
import { Button } from '../parts/button.js';
import { useLoaded } from '../parts/loaded.js';
import { world } from '../router.js';
import { effects, FaultBuilder } from './fault-builder.js';
import { presets } from './presets.js';

type Fault = z.infer<typeof FaultSchema>;

/** Whether two JSON values are equal. The order of fields does not matter. */
function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return left.length === right.size && left.every(([name, value]) => isEqual(value, right.get(name)));
}

/** Returns a fault in words; null for a fault that only its JSON describes. */
function wordsOf(fault: FaultRequest): string | null {
  const [preset] = presets.find(([, each]) => isEqual(each, fault)) ?? [];
  if (preset !== undefined) return preset;
  if (fault.on !== 'REQUEST') return null;
  const { when, effect, phase, on: _on, times: _times, ...others } = fault;
  const { retryAfter: _retryAfter, ...own } = effect;
  const { operationId, ...conditions } = (when ?? {}) as Record<string, unknown>;
  if (Object.keys({ ...others, ...conditions }).length > 0) return null;
  const what = typeof operationId === 'string' ? operationId : 'any call';
  if (isEqual(own, { connectionReset: true }))
    return `${what} ${phase === undefined ? 'fails with a reset connection' : 'loses its response'}`;
  if (phase !== undefined) return null;
  if (isEqual(own, { status: own.status })) return `${what} fails with ${own.status}`;
  const [words] = effects.find(([, each]) => isEqual(each, own)) ?? [];
  return words === undefined ? null : `${what} fails ${words}`;
}

/** The active faults, and a form for more. */
export function Faults(): JSX.Element {
  const { value, reload } = useLoaded<{ data: Fault[] }>('/faults', ['FAULT', 'REQUEST', 'ATTEMPT']);
  const [text, setText] = useState('');
  const add = (fault: unknown) => call('POST', '/faults', fault).then(reload);
  const remove = async (id: string, fault: FaultRequest): Promise<Outcome> => {
    const name = world.peek();
    await call('DELETE', `/faults/${id}`);
    reload();
    return {
      text: `Removed the fault of the world ${name}: ${wordsOf(fault) ?? `${fault.on} ${startOf(JSON.stringify(fault.effect), 80)}`}.`,
      // The page may show another world by then.
      undo: () => callIn(name, 'POST', '/faults', fault).then(reload),
    };
  };
  return (
    <section id="faults">
      <h2>Faults</h2>
      <ul class="cards">
        {(value?.data ?? []).map(({ id, hits, createdAt: _createdAt, matches: _matches, ...request }) => (
          <li key={id} class={hits >= (request.times ?? Infinity) ? 'dim' : ''}>
            <span class="grow">
              {wordsOf(request) ?? (
                <>
                  <b class="mono">{request.on}</b> <code>{JSON.stringify(request.effect)}</code>{' '}
                  {request.when && <>when {JSON.stringify(request.when)}</>}
                </>
              )}
            </span>
            <span>
              {request.times === undefined
                ? `applied ${countText(hits, 'time')}`
                : `${hits >= request.times ? 'used up' : 'waits'}, applied ${hits} of ${countText(request.times, 'time')}`}
            </span>
            <Button act={() => remove(id, request)} done={(outcome) => outcome} destructive>
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
    </section>
  );
}
