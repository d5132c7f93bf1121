import type { JSX } from 'preact';
import type { Why } from '../contract/control/why.js';
import { useLoaded } from './parts/loaded.js';
import { Moves, WhySections } from './parts/why.js';
import { Status } from './parts/status.js';

/** The part of the path of control calls, by the kind of resource. */
const nouns: Readonly<Record<string, string>> = {
  OPERATION: 'operations',
  PAYMENT_INSTRUCTION: 'payment-instructions',
  BENEFICIARY: 'beneficiaries',
  DOCUMENT: 'documents',
  UBO: 'ubos',
  ACCOUNT: 'accounts',
};

/** How whatever has this id came to be as it is. */
export function WhyPane({ id }: { readonly id: string }): JSX.Element {
  const { value: why, error } = useLoaded<Why>(`/why/${encodeURIComponent(id)}`, ['STATE', 'ATTEMPT', 'JOB']);
  if (why === null) return <p role="status">{error ?? 'Loading…'}</p>;
  const noun = nouns[why.resource];
  return (
    <>
      <h2>
        {why.resource.toLowerCase().replaceAll('_', ' ')} <code>{id.slice(0, 8)}</code>
        {why.status !== null && <Status of={why.status} />}
      </h2>
      {noun !== undefined && (
        <Moves noun={noun} id={id} status={why.status} possible={why.possible} isWaiting={why.plan?.isWaiting ?? false} />
      )}
      <WhySections why={why} />
    </>
  );
}
