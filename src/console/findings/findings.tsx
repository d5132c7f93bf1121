import type { JSX } from 'preact';
import type { z } from 'zod';
import type { Finding, FindingsSchema } from '../../contract/control/analysis/findings.js';
import type { Report } from '../../contract/control/analysis/report.js';
import { call, urlPath } from '../api.js';
import { DangerButton } from '../parts/button.js';
import { shortTime } from '../parts/timestamp.js';
import { Cell, List } from '../parts/list.js';
import { useLoaded } from '../parts/loaded.js';
import { Empty } from '../parts/section.js';
import { amountText } from '../parts/words.js';
import { show, shownItem, world } from '../router.js';
import { LastExploration } from './last-exploration.js';
import { LastReconciliation } from './last-reconciliation.js';

/** Returns findings with severity ERROR before the others, and the newest of each first. */
const worstFirst = (findings: readonly Finding[]): Finding[] =>
  findings.toReversed().toSorted((a, b) => Number(b.severity === 'ERROR') - Number(a.severity === 'ERROR'));

/** The last reconciliation and the last exploration of the world, if there are any, then the findings about the client. */
export function Findings(): JSX.Element {
  const path = urlPath`/report?world=${world.value}`;
  const { value, reload } = useLoaded<Report>(path, ['FINDING', 'WORLD', 'MARK']);
  const reconciliation = value?.reconciliations.find((each) => each.world === world.value);
  const exploration = value?.explorations?.find((each) => each.world === world.value);
  return (
    <>
      {reconciliation && <LastReconciliation last={reconciliation} reload={reload} />}
      {exploration && <LastExploration exploration={exploration} />}
      <FindingList present={value?.worlds.find(({ name }) => name === world.value)?.generations ?? 1} />
    </>
  );
}

/** The severity of a new finding; of another finding its state. */
function Severity({ of, state }: { readonly of: Finding['severity']; readonly state: Finding['state'] }): JSX.Element {
  return <span class={`status ${of === 'ERROR' ? 'bad' : 'warn'}`}>● {(state === 'NEW' ? of : state).toLowerCase()}</span>;
}

/** Returns what distinguishes a finding from others of its rule: the money, the operation or the event, and the test. */
const distinctionOf = ({ operationId, eventType, money = [], test }: Finding): string =>
  [...money.map(amountText), operationId, eventType, test].filter((each) => each !== null).join(', ');

/** Lists the findings of all generations, as the report does, the worst first. @param present the present generation */
function FindingList({ present }: { readonly present: number }): JSX.Element {
  const { value, error, reload } = useLoaded<z.infer<typeof FindingsSchema>>('/findings?generation=all', ['FINDING', 'WORLD']);
  if (value === null) return <p role="status">{error ?? 'Loading…'}</p>;
  if (value.data.length === 0) {
    return (
      <Empty title="No findings">
        <p>This list shows problems of this client with the contract, with money or with webhooks, each with evidence and advice.</p>
      </Empty>
    );
  }
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Findings">
        <span class="space" />
        <DangerButton
          question={{
            title: `Delete the findings of ${world.value}`,
            text: `${value.data.length === 1 ? 'The finding and its' : `All ${value.data.length} findings and their`} evidence are deleted. This cannot be undone.`,
            verb: 'Delete the findings',
          }}
          act={async () => {
            await call('DELETE', '/findings');
            reload();
            return `Deleted the findings of ${world.value}.`;
          }}
        >
          Delete all…
        </DangerButton>
      </div>
      <List<Finding>
        label="Findings"
        rows={worstFirst(value.data)}
        keyOf={({ id }) => id}
        columns="128px 96px minmax(0, 1fr) minmax(0, 230px) 48px"
        medium="88px 92px minmax(0, 1fr) 48px"
        narrow="72px minmax(0, 1fr) 36px"
        heads={['last', '~severity', 'what', '~~rule', '>times']}
        selected={value.data.find(({ id }) => shownItem.value === `findings/${id}`)?.id ?? null}
        choose={({ id }) => show(`findings/${id}`)}
        second={(finding) => (
          <>
            <Severity of={finding.severity} state={finding.state} /> <span class="dim">{distinctionOf(finding) || finding.rule}</span>
          </>
        )}
      >
        {(finding, above) => (
          <>
            <Cell kind="time">{shortTime(finding.lastAt, above?.lastAt)}</Cell>
            <Cell kind="wide">
              <Severity of={finding.severity} state={finding.state} />
            </Cell>
            <Cell kind="what">
              {finding.title} <span class="dim wide">{distinctionOf(finding)}</span>
              {finding.generation < present && <span class="dim"> before the last reset, restore or import</span>}
            </Cell>
            <Cell kind="mono dim wider">{finding.rule}</Cell>
            <Cell kind="number">{finding.count}</Cell>
          </>
        )}
      </List>
    </>
  );
}
