import type { JSX } from 'preact';
import type { Kinds } from '../../contract/control/kinds.js';
import type { RecordEntry } from '../../contract/control/analysis/record.js';
import type { Replay } from '../../contract/control/analysis/replay.js';
import type { Why } from '../../contract/control/analysis/why.js';
import type { Intent, Operation } from '../../contract/public/operations.js';
import { ask, call, urlPath } from '../api.js';
import { amountText, movedText, nameOf } from '../parts/words.js';
import { Id } from '../parts/id.js';
import { Button } from '../parts/button.js';
import { download } from '../parts/download.js';
import { useLoaded } from '../parts/loaded.js';
import { Section, Text } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { ImpossibleMoves, Moves } from '../parts/moves.js';
import { WhySections } from '../parts/why.js';
import { world } from '../router.js';
import { Calls } from './calls.js';
import { StatusPath } from './status-path.js';
import { StateComparison } from './state-comparison.js';
import { Waiting } from './waiting.js';

function partyOf(intent: Intent): string {
  if (intent.type === 'TRANSFER') return ` → ${intent.targetAccount.owner}`;
  if (intent.type !== 'WITHDRAWAL') return '';
  const { holder, paymentInstruction } = intent.beneficiary;
  return ` → ${nameOf(holder)}, ${paymentInstruction.rail}`;
}

/** Saves the replay file of the open world, or of the latest marked test in it. @returns the message after success */
async function saveReplay(): Promise<string> {
  const response = await ask('/replay', {}, {});
  const text = await response.text();
  const { test, complete } = JSON.parse(text) as Replay;
  const file = `${world.peek()}.replay.json`;
  download(file, 'application/json', text);
  const content = `the requests and webhook attempts of ${test.name === null ? 'this world' : `the test “${test.name}”`}`;
  return `Saved ${file}: ${content}${complete ? '' : ', of which the last are missing'}.`;
}

/**
 * Returns the requests that created, changed or read an operation, newest first. The requests of earlier generations are included only if
 * the operation was created in one of them: after a reset, a new operation can have the id of an earlier one.
 */
function useCalls(id: string): readonly RecordEntry[] {
  const about = `or(caused.id[eq]=${id},path[like]=${id})`;
  const path = urlPath`/requests?kind=REQUEST,CONTROL&limit=100&filters=${about}`;
  const { value: recent } = useLoaded<{ data: RecordEntry[] }>(path, ['REQUEST', 'CONTROL']);
  const isCreation = (entry: RecordEntry) => entry.kind === 'REQUEST' && entry.method === 'POST' && !entry.path.includes(id);
  const isOlder = recent !== null && !recent.data.some(isCreation);
  const { value: all } = useLoaded<{ data: RecordEntry[] }>(isOlder ? `${path}&generation=all` : null, ['REQUEST', 'CONTROL']);
  return (isOlder ? all : recent)?.data ?? [];
}

/** An operation: its status, its history, and the possible actions. */
export function OperationPane({ id }: { readonly id: string }): JSX.Element {
  const { value: page, error } = useLoaded<{ data: Operation[] }>(urlPath`/operations?filters=${`id[eq]=${id}`}`, ['STATE', 'LEDGER']);
  const { value: why } = useLoaded<Why>(urlPath`/why/${id}`, ['STATE', 'ATTEMPT', 'DELIVERY', 'JOB']);
  const { value: kinds } = useLoaded<Kinds>('/kinds');
  const calls = useCalls(id);
  const operation = page?.data[0];
  if (operation === undefined)
    return <p role="status">{error ?? (page === null ? 'Loading…' : `There is no operation ${id} in this world.`)}</p>;
  const { intent, sourceAmount, targetAmount, account, currentState, states } = operation;
  const kind = kinds?.data.find((each) => each.kind === 'OPERATION');
  const hasNextStep = why?.plan?.steps.some(({ outcome }) => outcome === 'NEXT') ?? false;
  const moves = { kind: 'OPERATION', possible: why?.possible ?? [], hasNextStep } as const;
  const awaitsPayment = intent.type === 'DEPOSIT' && currentState.status === 'REQUESTED';
  return (
    <>
      <h2>
        {intent.type.charAt(0) + intent.type.slice(1).toLowerCase()} <Id of={id} />
        <Status of={currentState.status} />
      </h2>
      <p class="dim">
        {movedText({ source: sourceAmount, target: targetAmount })} · {account.owner}
        {partyOf(intent)}
      </p>
      {kind !== undefined && <StatusPath kind={kind} states={states.map(({ status }) => status)} />}
      {why !== null && <Waiting id={id} why={why} />}
      <Moves {...moves} id={id} entries={why?.entries ?? []} />
      {awaitsPayment && (
        <div class="moves">
          <Button act={() => call('POST', urlPath`/operations/${id}/pay`, {})} done={`Paid ${amountText(sourceAmount)} in.`}>
            Pay {amountText(sourceAmount)} in
          </Button>
        </div>
      )}
      {why !== null && <WhySections why={why} />}
      {why !== null && <ImpossibleMoves {...moves} status={currentState.status} />}
      <Calls calls={calls} />
      {calls.length > 0 && (
        <div class="moves">
          <Button act={saveReplay} done={(message) => message}>
            Save the replay file
          </Button>
        </div>
      )}
      <StateComparison operation={operation} />
      <Section title="As the API shows it">
        <Text text={JSON.stringify(operation)} label="The operation as JSON" />
      </Section>
    </>
  );
}
