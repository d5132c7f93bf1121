import type { JSX } from 'preact';
import type { Account } from '../../contract/public/accounts.js';
import { Id } from '../parts/id.js';
import { shortTime } from '../parts/timestamp.js';
import { useAssetChip, useStatusChip } from '../parts/chip-values.js';
import type { FilterChip } from '../parts/filter-chips.js';
import { Cell } from '../parts/list.js';
import { PagedList } from '../parts/paged-list.js';
import { Empty } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { show } from '../router.js';
import { nameOf } from '../parts/words.js';

/** The accounts of the world. */
export function Accounts(): JSX.Element {
  const kinds: FilterChip = { label: 'Kind', field: 'owner.type', values: [['COMPANY'], ['INDIVIDUAL']] };
  const chips = [useStatusChip('ACCOUNT'), kinds, useAssetChip('assets.asset')];
  return (
    <PagedList<Account>
      label="Accounts"
      path="/accounts"
      kinds={['STATE']}
      fields="currentState.status[eq]=ACTIVE"
      chips={chips}
      failures="or(currentState.status[eq]=REJECTED,assets.status[eq]=FAILED)"
      columns="128px 100px minmax(80px, 1fr) minmax(0, 200px) 152px"
      medium="92px 100px minmax(80px, 1fr) minmax(0, 200px) 152px"
      narrow="72px minmax(0, 1fr)"
      heads={['created', '~id', 'owner', '~assets', '~status']}
      pane={({ id }) => `accounts/${id}`}
      choose={({ id }) => show(`accounts/${id}`)}
      second={(account) => (
        <>
          <Status of={account.currentState.status} /> {account.assets.map(({ asset }) => asset).join(' ')}
        </>
      )}
      none={
        <Empty title="No account matches">
          <p>POST /api/accounts opens one.</p>
        </Empty>
      }
    >
      {(account, above) => (
        <>
          <Cell kind="time">{shortTime(account.createdAt, above?.createdAt)}</Cell>
          <Cell kind="wide">
            <Id of={account.id} />
          </Cell>
          <Cell kind="what">{nameOf(account.owner)}</Cell>
          <Cell kind="dim wide">{account.assets.map(({ asset }) => asset).join(' ')}</Cell>
          <Cell kind="wide">
            <Status of={account.currentState.status} />
          </Cell>
        </>
      )}
    </PagedList>
  );
}
