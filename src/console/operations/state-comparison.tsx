import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Operation } from '../../contract/public/operations.js';
import { Differences } from '../call/comparison.js';
import { shortTime } from '../parts/timestamp.js';
import { differences } from '../parts/marked.js';
import { Section } from '../parts/section.js';
import { operationAt } from './at.js';

/** The differences of an operation between two of its states. */
export function StateComparison({ operation }: { readonly operation: Operation }): JSX.Element {
  const { states } = operation;
  const [from, setFrom] = useState(0);
  const [chosen, setTo] = useState<number | null>(null);
  const to = chosen ?? states.length - 1;
  const choice = (label: string, value: number, choose: (index: number) => void) => (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
        {states.map(({ status, createdAt }, index) => (
          <option key={index} value={index}>
            {shortTime(createdAt)} {status}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <Section title="What has changed">
      {states.length < 2 ? (
        <p class="dim">Nothing has changed since the operation was created.</p>
      ) : (
        <>
          <div class="form">
            {choice('between', from, setFrom)}
            {choice('and', to, setTo)}
          </div>
          <Differences found={differences(operationAt(operation, from), operationAt(operation, to))} before="before" after="after" />
        </>
      )}
    </Section>
  );
}
