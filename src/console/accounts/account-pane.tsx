import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { AccountWithBalancesSchema } from '../../contract/control/books.js';
import type { PossibleMove, Why } from '../../contract/control/analysis/why.js';
import type { Requirement } from '../../contract/public/accounts.js';
import type { Document } from '../../contract/public/documents.js';
import { call, urlPath } from '../api.js';
import { amountText, inWords, nameOf } from '../parts/words.js';
import { Button, DangerButton } from '../parts/button.js';
import { Id, shortId } from '../parts/id.js';
import { withSnapshot } from '../undo.js';
import { useLoaded } from '../parts/loaded.js';
import { PaneLink } from '../parts/pane-link.js';
import { Section, Text } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { ImpossibleMoves, Moves } from '../parts/moves.js';
import { Review } from '../parts/review.js';
import { WhySections } from '../parts/why.js';

type Account = z.infer<typeof AccountWithBalancesSchema>;

/** An account: its assets with balances, and its requirements. */
export function AccountPane({ id }: { readonly id: string }): JSX.Element {
  const { value: account, error, reload } = useLoaded<Account>(urlPath`/accounts/${id}`, ['STATE', 'LEDGER', 'CONTROL']);
  const { value: why } = useLoaded<Why>(urlPath`/why/${id}`, ['STATE']);
  const { value: documents } = useLoaded<{ data: Document[] }>(urlPath`/documents?limit=100&filters=${`accountId[eq]=${id}`}`, ['STATE']);
  if (account === null) return <p role="status">{error ?? 'Loading…'}</p>;
  const { balances, assets, currentState } = account;
  const possible = why?.possible ?? [];
  return (
    <>
      <h2>
        {nameOf(account.owner)} <Id of={id} />
        <Status of={currentState.status} />
      </h2>
      <Moves kind="ACCOUNT" id={id} possible={possible} entries={why?.entries ?? []} />
      <Section title="Assets">
        <ul class="plain">
          {assets.map(({ asset, status }) => (
            <li key={asset}>
              <b>{asset}</b> <Status of={status} />{' '}
              <span class="mono">{amountText(balances.find((each) => each.asset === asset) ?? { value: '0', asset })}</span>
              <AssetMoves id={id} asset={asset} possible={possible.filter((move) => move.asset === asset)} />
            </li>
          ))}
        </ul>
        <Booking id={id} assets={assets.map(({ asset }) => asset)} done={reload} />
      </Section>
      <Checklist account={account} documents={documents?.data ?? []} />
      {why !== null && <WhySections why={why} />}
      {why !== null && <ImpossibleMoves kind="ACCOUNT" status={currentState.status} possible={possible} />}
      <Section title="As the API shows it">
        <Text text={JSON.stringify(account)} label="The account as JSON" />
      </Section>
    </>
  );
}

/** Buttons for the forced actions on an asset of an account. */
function AssetMoves({ id, asset, possible }: { readonly id: string; readonly asset: string; readonly possible: readonly PossibleMove[] }) {
  return possible.length === 0 ? null : (
    <div class="moves">
      {possible.map(({ verb }) => {
        const act = () => call('POST', urlPath`/accounts/${id}/assets/${asset}/${verb}`, {});
        const what = `the asset ${asset} of account ${shortId(id)}`;
        return verb === 'deactivate' ? (
          <DangerButton
            key={verb}
            question={{
              title: `Deactivate ${what}`,
              text: 'The account can no longer use the asset. A snapshot is taken first, so you can undo this.',
              verb: 'Deactivate',
            }}
            act={() => withSnapshot(verb, `Deactivated ${what}.`, act)}
          >
            {verb}…
          </DangerButton>
        ) : (
          <Button key={verb} act={act} done={`Done: ${verb} ${what}.`} destructive={verb === 'fail'}>
            {verb}
          </Button>
        );
      })}
    </div>
  );
}

/** A form that credits or debits an account. */
function Booking({
  id,
  assets,
  done,
}: {
  readonly id: string;
  readonly assets: readonly string[];
  readonly done: () => void;
}): JSX.Element {
  const [value, setValue] = useState('100.00');
  const [asset, setAsset] = useState(assets[0] ?? 'BRL');
  const book = (verb: 'credit' | 'debit') => async () => {
    await call('POST', urlPath`/accounts/${id}/${verb}`, { amount: { value, asset } });
    done();
  };
  return (
    <div class="moves">
      <input type="text" class="amount" aria-label="Amount" value={value} onInput={({ currentTarget }) => setValue(currentTarget.value)} />
      <select aria-label="Asset" value={asset} onChange={({ currentTarget }) => setAsset(currentTarget.value)}>
        {assets.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <Button act={book('credit')} done={`Credited ${amountText({ value, asset })}.`}>
        Credit
      </Button>
      <Button act={book('debit')} done={`Debited ${amountText({ value, asset })}.`}>
        Debit
      </Button>
    </div>
  );
}

const groups = [
  ['currentlyDue', 'due', 'ACTION_REQUIRED'],
  ['errors', 'rejected', 'REJECTED'],
  ['pendingVerification', 'in review', 'PENDING'],
  ['satisfied', 'done', 'APPROVED'],
] as const;

function requirementText({ documentType, documentSubType, options, requiredMetadata, type }: Requirement): string {
  if (documentType !== null) return inWords(`${documentType} ${documentSubType ?? ''}`);
  if (options !== null) return inWords(`one of ${options.join(', ')}`);
  return `${type} ${requiredMetadata.join(', ')}`.toLowerCase();
}

/** The requirements of the account, and the reviews of its documents and owners. */
function Checklist({ account, documents }: { readonly account: Account; readonly documents: readonly Document[] }): JSX.Element {
  const { requirements } = account;
  const ubos = [...new Set(groups.flatMap(([name]) => requirements[name].map(({ uboId }) => uboId)))].filter((uboId) => uboId !== null);
  return (
    <Section title="Requirements">
      <ul class="plain">
        {groups.flatMap(([name, word, status]) =>
          requirements[name].map((requirement, index) => (
            <li key={`${name}${index}`}>
              <Status of={status} word={word} /> {requirementText(requirement)}{' '}
              {requirement.uboId !== null && <span class="dim">of owner {shortId(requirement.uboId)}</span>}
            </li>
          )),
        )}
        {documents.map(({ id, documentType, file, currentState }) => (
          <li key={id}>
            <PaneLink to={`why/${id}`}>{inWords(documentType)}</PaneLink> <span class="dim">{file.name}</span>{' '}
            <Status of={currentState.status} />
            <Review noun="documents" id={id} status={currentState.status} />
          </li>
        ))}
        {ubos.map((id) => (
          <li key={id}>
            <Owner id={id} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** A beneficial owner of an account, with the pending review. */
function Owner({ id }: { readonly id: string }): JSX.Element {
  const { value: why } = useLoaded<Why>(urlPath`/why/${id}`, ['STATE']);
  return (
    <>
      <PaneLink to={`why/${id}`}>owner {shortId(id)}</PaneLink> {why?.status && <Status of={why.status} />}
      {why !== null && <Review noun="ubos" id={id} status={why.status ?? ''} />}
    </>
  );
}
