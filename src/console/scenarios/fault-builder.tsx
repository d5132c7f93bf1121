import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { FaultRequest } from '../../contract/scenario/scenario.js';
import { loadQuietly } from '../notices.js';
import { Button } from '../parts/button.js';
import { operationsOf, type Operation } from '../try-it/operations.js';
import { effectWords, faultWords } from './fault-words.js';

type Effect = Extract<FaultRequest, { on: 'REQUEST' }>['effect'];

/** The faults of a request that the form offers. */
const effects: readonly Effect[] = [
  { status: 503, retryAfter: 'PT1S' },
  { status: 500 },
  { status: 429, retryAfter: 'PT2S' },
  { delay: 'PT5S' },
  { connectionReset: true },
  { expireToken: true },
];

/** A form for a fault: the operation, the failure and how often, for example "createWithdrawal fails with 503, once". */
export function FaultBuilder({ add }: { readonly add: (fault: FaultRequest) => Promise<unknown> }): JSX.Element {
  const [operations, setOperations] = useState<readonly Operation[]>([]);
  const [operationId, setOperationId] = useState('');
  const [chosen, setChosen] = useState(0);
  const [times, setTimes] = useState(1);
  const [isAfter, setAfter] = useState(false);
  useEffect(() => void loadQuietly(async () => setOperations(await operationsOf())), []);
  const effect = effects[chosen]!;
  // Only a response can be lost after the effect of the request.
  const canBeAfter = effect.connectionReset === true;
  const fault: FaultRequest = {
    on: 'REQUEST',
    times,
    ...(canBeAfter && isAfter ? { phase: 'after_commit' } : {}),
    ...(operationId === '' ? {} : { when: { operationId } }),
    effect,
  };
  return (
    <div class="moves" role="group" aria-label="Build a fault">
      <select aria-label="Operation" value={operationId} onChange={({ currentTarget }) => setOperationId(currentTarget.value)}>
        <option value="">any call</option>
        {operations.map(({ id, method, path }) => (
          <option key={id} value={id}>
            {id}: {method} {path}
          </option>
        ))}
      </select>
      <select aria-label="What goes wrong" value={chosen} onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}>
        {effects.map((each, index) => (
          <option key={index} value={index}>
            {effectWords(each)}
          </option>
        ))}
      </select>
      <label>
        times{' '}
        <input
          type="number"
          min={1}
          max={1000}
          value={times}
          onInput={({ currentTarget }) => setTimes(Math.max(1, Math.min(1000, Math.trunc(Number(currentTarget.value)) || 1)))}
        />
      </label>
      {canBeAfter && (
        <label>
          <input type="checkbox" checked={isAfter} onChange={({ currentTarget }) => setAfter(currentTarget.checked)} /> after it took effect
        </label>
      )}
      <Button act={() => add(fault)} done={`Added: ${faultWords(fault)}, ${times === 1 ? 'once' : `${times} times`}.`} primary>
        Add the fault
      </Button>
    </div>
  );
}
