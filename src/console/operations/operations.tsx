import type { JSX } from 'preact';
import type { Intent, Operation } from '../../contract/public/operations.js';
import { useAssetChip, useStatusChip } from '../parts/chip-values.js';
import type { FilterChip } from '../parts/filter-chips.js';
import { Cell } from '../parts/list.js';
import { movedText, nameOf } from '../parts/words.js';
import { Id } from '../parts/id.js';
import { PagedList } from '../parts/paged-list.js';
import { shortTime } from '../parts/timestamp.js';
import { Empty } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { show } from '../router.js';

/** Returns the payee; empty for a swap or a deposit. */
function payeeOf(intent: Intent): string {
  if (intent.type === 'WITHDRAWAL') return `→ ${nameOf(intent.beneficiary.holder)}`;
  return intent.type === 'TRANSFER' ? `→ ${intent.targetAccount.owner}` : '';
}

const types: readonly Intent['type'][] = ['WITHDRAWAL', 'TRANSFER', 'SWAP', 'DEPOSIT'];

/** The operations of the world, newest first. */
export function Operations(): JSX.Element {
  const chips: readonly FilterChip[] = [
    useStatusChip('OPERATION'),
    { label: 'Kind', field: 'intent.type', values: types.map((type) => [type]) },
    useAssetChip('sourceAmount.asset'),
  ];
  return (
    <PagedList<Operation>
      label="Operations"
      path="/operations"
      kinds={['STATE']}
      fields="currentState.status[eq]=ON_HOLD"
      chips={chips}
      failures="currentState.status[eq]=FAILED"
      columns="128px 96px minmax(64px, 1fr) minmax(0, max-content) 152px"
      medium="92px minmax(64px, 1fr) minmax(0, max-content) 152px"
      narrow="72px minmax(0, 1fr) minmax(104px, max-content)"
      heads={['created', '~~id', 'operation', '~>amount', 'status']}
      pane={({ id }) => `operations/${id}`}
      choose={({ id }) => show(`operations/${id}`)}
      second={({ id, sourceAmount, targetAmount }) => (
        <>
          {movedText({ source: sourceAmount, target: targetAmount })} <Id of={id} />
        </>
      )}
      none={
        <Empty title="No operation matches">
          <p>POST /api/quotes fixes a price; POST /api/operations/withdrawal, /transfer, /swap and /deposit use it.</p>
        </Empty>
      }
    >
      {({ id, createdAt, intent, account, sourceAmount, targetAmount, currentState }, above) => (
        <>
          <Cell kind="time">{shortTime(createdAt, above?.createdAt)}</Cell>
          <Cell kind="wider">
            <Id of={id} />
          </Cell>
          <Cell kind="what">
            {intent.type.toLowerCase()} {payeeOf(intent)}{' '}
            <span class="dim">
              {intent.type === 'DEPOSIT' ? 'to' : 'from'} {account.owner}
            </span>
          </Cell>
          <Cell kind="number wide">
            <span title={movedText({ source: sourceAmount, target: targetAmount })}>
              {movedText({ source: sourceAmount, target: targetAmount })}
            </span>
          </Cell>
          <Cell>
            <Status of={currentState.status} />
          </Cell>
        </>
      )}
    </PagedList>
  );
}
