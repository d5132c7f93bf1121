import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Delivery } from '../../contract/control/deliveries.js';
import type { RecordEntry } from '../../contract/control/mirror/record.js';
import type { Operation } from '../../contract/public/operations.js';
import { Differences, parsed } from '../call/comparison.js';
import { shortTime } from '../parts/instant.js';
import { useLoaded } from '../parts/loaded.js';
import { differences } from '../parts/marked.js';
import { Section } from '../parts/section.js';

/** How an operation was shown once. */
interface Moment {
  readonly at: string;
  readonly what: string;
  readonly value: unknown;
}

const idOf = (value: unknown): unknown => (typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined);

/** How the answers to calls and the webhooks have shown an operation, oldest first, and how it is now. */
function momentsOf(operation: Operation, calls: readonly RecordEntry[], deliveries: readonly Delivery[]): Moment[] {
  const answered = calls.flatMap((entry): Moment[] => {
    if (entry.kind !== 'REQUEST' && entry.kind !== 'CONTROL') return [];
    const body = entry.answer?.body;
    if (!body || body.truncated || entry.at === null) return [];
    return [{ at: entry.at, what: `answer to ${entry.method} ${entry.path.replace(operation.id, '…')}`, value: parsed(body.text) }];
  });
  const sent = deliveries.map(({ createdAt, eventType, payload }) => ({
    at: createdAt,
    what: `webhook ${eventType}`,
    value: parsed(payload),
  }));
  const past = [...answered, ...sent].filter(({ value }) => idOf(value) === operation.id);
  const now = { at: operation.updatedAt, what: 'now', value: operation };
  return [...past.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)), now];
}

/** What has changed about an operation between two moments at which somebody was shown it. */
export function Moments({ operation, calls }: { readonly operation: Operation; readonly calls: readonly RecordEntry[] }): JSX.Element {
  const filter = encodeURIComponent(`resourceId[eq]=${operation.id}`);
  const { value } = useLoaded<{ data: Delivery[] }>(`/deliveries?limit=100&filters=${filter}`, ['DELIVERY']);
  const moments = momentsOf(operation, calls, value?.data ?? []);
  const [from, setFrom] = useState(0);
  const [to, setTo] = useState<number | null>(null);
  const [left, right] = [moments[from] ?? moments[0]!, moments[to ?? moments.length - 1] ?? moments.at(-1)!];
  const choice = (label: string, chosen: Moment, choose: (index: number) => void) => (
    <label>
      {label}
      <select value={moments.indexOf(chosen)} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
        {moments.map(({ at, what }, index) => (
          <option key={index} value={index}>
            {shortTime(at)} {what}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <Section title="What has changed">
      {moments.length < 2 ? (
        <p class="dim">It was shown to nobody yet: no answer and no webhook that is still remembered has it.</p>
      ) : (
        <>
          <div class="form">
            {choice('between', left, setFrom)}
            {choice('and', right, setTo)}
          </div>
          <Differences found={differences(left.value, right.value)} before="before" after="after" />
        </>
      )}
    </Section>
  );
}
