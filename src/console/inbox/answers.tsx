import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { InboxResponse } from '../../contract/control/deliveries.js';
import { call, urlPath } from '../api.js';
import { Button } from '../parts/button.js';
import { useLoaded } from '../parts/loaded.js';

/** Maximum number of planned responses that are listed one by one. */
const told = 3;

/** Returns the planned responses in words. */
function planText(plan: readonly InboxResponse[]): string {
  const steps = plan
    .slice(0, told)
    .map(({ status, times, delayMs }) => `${status}${times === 1 ? '' : ` × ${times}`}${delayMs === 0 ? '' : ` after ${delayMs} ms`}`);
  return [...steps, ...(plan.length > told ? [`${plan.length - told} more`] : []), '200'].join(', then ');
}

/** The planned responses of an inbox, and a form that changes them. */
export function Answers({ inbox }: { readonly inbox: string }): JSX.Element {
  const path = urlPath`/inbox/${inbox}/responses`;
  const { value: plan, error, reload } = useLoaded<InboxResponse[]>(path, ['INBOX', 'CONTROL', 'WORLD']);
  const [next, setNext] = useState({ status: '500', times: '2', delayMs: '0' });
  const put = async (answers: readonly Partial<InboxResponse>[]) => {
    await call('PUT', path, answers);
    reload();
  };
  const field = (name: keyof typeof next, words: string) => (
    <label>
      {words}{' '}
      <input
        type="text"
        class="few"
        inputMode="numeric"
        value={next[name]}
        onInput={({ currentTarget }) => setNext({ ...next, [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <>
      {error !== null && <span class="bad-text">{error}</span>}
      <span role="status">{plan === null ? '' : `responds with ${planText(plan)}`}</span>
      <span class="standing">
        {field('status', 'status')}
        {field('times', 'times')}
        {field('delayMs', 'delay (ms)')}
        <Button
          act={() => put([{ status: Number(next.status), times: Number(next.times), delayMs: Number(next.delayMs) }])}
          done={`The inbox ${inbox} responds with ${next.status} next.`}
        >
          Answer the next {next.times === '1' ? '' : `${next.times} `}with {next.status}
        </Button>
        <Button
          act={() => put([])}
          done={`The inbox ${inbox} responds with 200.`}
          impossible={plan?.length === 0 ? 'The inbox already responds with 200.' : undefined}
        >
          Always 200
        </Button>
      </span>
    </>
  );
}
