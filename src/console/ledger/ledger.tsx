import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Account } from '../../contract/public/accounts.js';
import { ApiError, get, urlPath } from '../api.js';
import { Button } from '../parts/button.js';
import { FilterField } from '../parts/filter-field.js';
import { shortTime } from '../parts/timestamp.js';
import { shortId } from '../parts/id.js';
import { Cell, List } from '../parts/list.js';
import { useLoaded } from '../parts/loaded.js';
import { PaneLink } from '../parts/pane-link.js';
import { Empty } from '../parts/section.js';
import { grouped, nameOf } from '../parts/words.js';
import { go, address, world } from '../router.js';
import { changes, throttled } from '../store.js';
import { completeUnder, linesOf, readLedger, readOlder, totalsOf, type LedgerEntries, type Line } from './ledger-entries.js';

const unread: LedgerEntries = { entries: [], older: null };

interface LoadedLedger {
  readonly ledger: LedgerEntries | null;
  readonly error: string | null;
  readonly readOn: () => Promise<void>;
}

/** Returns the ledger of the open world, and reads new entries after each booking. @param filter filter expression; empty for none */
function useLedger(filter: string): LoadedLedger {
  const [state, setState] = useState<{ path: string; ledger: LedgerEntries | null; error: string | null }>({
    path: '',
    ledger: null,
    error: null,
  });
  const path = `/ledger?limit=100${filter === '' ? '' : urlPath`&filters=${filter}`}`;
  const key = `${world.value} ${path}`;
  const again = useRef(() => {});
  const on = useRef(() => Promise.resolve());
  useEffect(() => {
    const ending = new AbortController();
    let known = unread;
    const readBy = async (reader: typeof readLedger) => {
      try {
        known = await reader((cursor) => get(path + urlPath`&cursor=${cursor}`, ending.signal), known);
        setState({ path: key, ledger: known, error: null });
      } catch (error) {
        if (ending.signal.aborted) return;
        setState({
          path: key,
          ledger: known === unread ? null : known,
          error: error instanceof ApiError ? error.message : 'The sandbox does not respond.',
        });
      }
    };
    // Reads run one after another, because they extend the same ledger at both ends.
    let reading = readBy(readLedger);
    const then = (reader: typeof readLedger) => (reading = reading.then(() => readBy(reader)));
    again.current = throttled(() => then(readLedger));
    on.current = () => then(readOlder);
    return () => ending.abort();
  }, [key]);
  const booked = (changes.value.LEDGER ?? 0) + (changes.value.WORLD ?? 0);
  const seen = useRef(booked);
  useEffect(() => {
    if (seen.current !== booked) again.current();
    seen.current = booked;
  }, [booked]);
  const { ledger, error } = state.path === key ? state : { ledger: null, error: null };
  return { ledger, error, readOn: () => on.current() };
}

/** The ledger: both sides of each entry, newest first, with the balances afterwards. */
export function Ledger(): JSX.Element {
  const filters = address.value.query['filters'] ?? '';
  const { ledger, error, readOn } = useLedger(filters);
  const lines = useMemo(() => (ledger === null ? [] : linesOf(ledger, completeUnder(filters))), [ledger]);
  const totals = useMemo(() => (ledger === null ? [] : totalsOf(ledger)), [ledger]);
  const { value: accounts } = useLoaded<{ data: readonly Account[] }>('/accounts?limit=100', ['STATE', 'WORLD']);
  const owners = new Map((accounts?.data ?? []).map(({ id, owner }) => [`customer:${id}`, { name: nameOf(owner), id: shortId(id) }]));
  const ownerOf = (account: string | null) => (account === null ? undefined : owners.get(account));
  const isAll = filters === '';
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Ledger: filter and totals">
        <FilterField
          placeholder="postings.account[eq]=fx"
          value={filters}
          apply={(text) => go({ query: { filters: text } }, { replace: true })}
        />
        {error !== null && <span class="bad-text">{error}</span>}
        <span class="space" />
        {isAll &&
          totals.map(([asset, sum]) => (
            <span key={asset} class={`status ${/[1-9]/.test(sum) ? 'bad' : 'ok'}`}>
              {/[1-9]/.test(sum) ? '✕' : '✓'} {asset} {/[1-9]/.test(sum) ? 'does not balance' : 'balances'}: {sum}
            </span>
          ))}
        {ledger !== null && ledger.older !== null && (
          <>
            <span class="dim">the newest {grouped(ledger.entries.length)}; balances need all entries</span>
            <Button act={readOn} done={null}>
              Read on
            </Button>
          </>
        )}
      </div>
      {ledger?.entries.length === 0 ? (
        <Empty title={isAll ? 'Nothing was booked yet' : 'No ledger entry matches'}>
          <p>An operation is booked when it completes. A credit or debit of an account is booked immediately.</p>
        </Empty>
      ) : (
        <List<Line>
          label="Ledger"
          scope={filters}
          rows={lines}
          keyOf={({ key }) => key}
          columns="128px 84px minmax(120px, 1fr) 130px 48px 140px"
          narrow="minmax(0, 1fr) 100px 44px"
          heads={['~booked', '~by', 'account', '>amount', 'asset', '~>balance after']}
          second={({ entry: { at, operationId }, isFirst, account, balance }, above) => (
            <>
              {ownerOf(account)?.id} {isFirst && shortTime(at, above?.entry.at)}{' '}
              {isFirst && operationId !== null && <PaneLink to={`operations/${operationId}`}>{shortId(operationId)}</PaneLink>}{' '}
              {balance !== null && <span title="balance after">= {grouped(balance)}</span>}
            </>
          )}
          selected={null}
          choose={({ account }) => account !== null && go({ query: { filters: `postings.account[eq]=${account}` } })}
          classOf={({ account }) => (account === null ? 'sum' : '')}
        >
          {(line, above) => <Cells line={line} above={above} owner={ownerOf(line.account)} />}
        </List>
      )}
    </>
  );
}

interface CellsProps {
  readonly line: Line;
  /** The line above; undefined for the first line. */
  readonly above: Line | undefined;
  /** The owner of a customer's account, with the first characters of the account id; undefined for other ledger accounts. */
  readonly owner: { readonly name: string; readonly id: string } | undefined;
}

function Cells({ line: { entry, isFirst, account, asset, amount, balance }, above, owner }: CellsProps): JSX.Element {
  const { at, operationId, causeId } = entry;
  return (
    <>
      <Cell kind="time wide">{isFirst && shortTime(at, above?.entry.at)}</Cell>
      <Cell kind="mono wide">
        {isFirst && operationId !== null && <PaneLink to={`operations/${operationId}`}>{operationId.slice(0, 8)}</PaneLink>}
        {isFirst && operationId === null && /^(req|ctl)_/.test(causeId) && <PaneLink to={`calls/${causeId}`}>call</PaneLink>}
        {isFirst && operationId === null && !/^(req|ctl)_/.test(causeId) && <span class="dim">{causeId}</span>}
      </Cell>
      <Cell kind={account === null ? 'number' : ''}>
        <span title={account ?? undefined}>
          {owner?.name ?? account ?? 'sum'}
          {owner && <span class="wide"> ({owner.id})</span>}
        </span>
      </Cell>
      <Cell kind="number">{grouped(amount)}</Cell>
      <Cell>{asset}</Cell>
      <Cell kind="number wide">{balance === null ? '' : grouped(balance)}</Cell>
    </>
  );
}
