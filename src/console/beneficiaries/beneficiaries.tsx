import type { JSX } from 'preact';
import { urlPath } from '../api.js';
import type { Beneficiary } from '../../contract/public/beneficiaries.js';
import { Id } from '../parts/id.js';
import { shortTime } from '../parts/timestamp.js';
import type { FilterChip } from '../parts/filter-chips.js';
import { Cell } from '../parts/list.js';
import { useLoaded } from '../parts/loaded.js';
import { PagedList } from '../parts/paged-list.js';
import { Review } from '../parts/review.js';
import { Empty, Section, Text } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { show } from '../router.js';
import { nameOf } from '../parts/words.js';

const statuses: readonly Beneficiary['status'][] = ['PENDING_REVIEW', 'APPROVED', 'REJECTED'];

const chips: readonly FilterChip[] = [
  { label: 'Status', field: 'status', values: statuses.map((status) => [status]) },
  { label: 'Kind', field: 'holder.type', values: [['COMPANY'], ['INDIVIDUAL']] },
];

/** The beneficiaries of the open world. */
export function Beneficiaries(): JSX.Element {
  return (
    <PagedList<Beneficiary>
      label="Beneficiaries"
      path="/beneficiaries"
      kinds={['STATE']}
      fields="paymentInstructions.status[eq]=PENDING_REVIEW"
      chips={chips}
      failures="status[eq]=REJECTED"
      columns="128px 100px minmax(80px, 1fr) minmax(0, 220px) 152px"
      medium="92px 100px minmax(80px, 1fr) minmax(0, 200px) 152px"
      narrow="72px minmax(0, 1fr)"
      heads={['created', '~id', 'holder', '~paid by', '~status']}
      pane={({ id }) => `beneficiaries/${id}`}
      choose={({ id }) => show(`beneficiaries/${id}`)}
      second={(beneficiary) => (
        <>
          <Status of={beneficiary.status} /> {beneficiary.paymentInstructions.map(({ type }) => type).join(' ')}
        </>
      )}
      none={
        <Empty title="No beneficiary matches">
          <p>POST /api/beneficiaries registers one.</p>
        </Empty>
      }
    >
      {(beneficiary, above) => (
        <>
          <Cell kind="time">{shortTime(beneficiary.createdAt, above?.createdAt)}</Cell>
          <Cell kind="wide">
            <Id of={beneficiary.id} />
          </Cell>
          <Cell kind="what">{nameOf(beneficiary.holder)}</Cell>
          <Cell kind="dim wide">{beneficiary.paymentInstructions.map(({ type }) => type).join(' ')}</Cell>
          <Cell kind="wide">
            <Status of={beneficiary.status} />
          </Cell>
        </>
      )}
    </PagedList>
  );
}

/** A beneficiary with the review of each payment instruction. */
export function BeneficiaryPane({ id }: { readonly id: string }): JSX.Element {
  const { value, error } = useLoaded<{ data: Beneficiary[] }>(urlPath`/beneficiaries?filters=${`id[eq]=${id}`}`, ['STATE']);
  const beneficiary = value?.data[0];
  if (beneficiary === undefined)
    return <p role="status">{error ?? (value === null ? 'Loading…' : `There is no beneficiary ${id} in this world.`)}</p>;
  return (
    <>
      <h2>
        {nameOf(beneficiary.holder)} <Id of={id} />
        <Status of={beneficiary.status} />
      </h2>
      <Review noun="beneficiaries" id={id} status={beneficiary.status} />
      <Section title="Payment instructions">
        <ul class="plain">
          {beneficiary.paymentInstructions.map(({ id: instruction, type, asset, status }) => (
            <li key={instruction}>
              {type} {asset} <Id of={instruction} /> <Status of={status} />
              <Review noun="payment-instructions" id={instruction} status={status} />
            </li>
          ))}
        </ul>
      </Section>
      <Section title="As the API shows it">
        <Text text={JSON.stringify(beneficiary)} label="The beneficiary as JSON" />
      </Section>
    </>
  );
}
