import type { JSX } from 'preact';
import type { Operation } from '../../contract/public/operations.js';
import { Cell } from '../parts/list.js';
import { amountText } from '../parts/words.js';
import { PagedList } from '../parts/paged-list.js';
import { shortTime } from '../parts/instant.js';
import { Empty } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { show } from '../router.js';

/** The operations of the world, newest first. */
export function Operations(): JSX.Element {
  return (
    <PagedList<Operation>
      label="Operations"
      path="/operations"
      kinds={['STATE']}
      fields="currentState.status[eq]=ON_HOLD"
      columns="92px 84px minmax(120px, 1fr) minmax(0, 260px) 136px"
      narrow="92px minmax(0, 1fr) 136px"
      heads={['created', '~id', 'operation', '~>amount', 'status']}
      pane={({ id }) => `operations/${id}`}
      choose={({ id }) => show(`operations/${id}`)}
      none={
        <Empty title="No operation matches">
          <p>POST /api/quotes fixes a price; POST /api/operations/withdrawal, /transfer, /swap and /deposit use it.</p>
        </Empty>
      }
    >
      {({ id, createdAt, intent, account, sourceAmount, targetAmount, currentState }) => (
        <>
          <Cell kind="time">{shortTime(createdAt)}</Cell>
          <Cell kind="mono wide">{id.slice(0, 8)}</Cell>
          <Cell kind="what">
            {intent.type.toLowerCase()} <span class="dim">{account.owner}</span>
          </Cell>
          <Cell kind="number wide">
            {amountText(sourceAmount)} → {amountText(targetAmount)}
          </Cell>
          <Cell>
            <Status of={currentState.status} />
          </Cell>
        </>
      )}
    </PagedList>
  );
}
