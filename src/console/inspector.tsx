import type { ComponentType, JSX } from 'preact';
import { AccountPane } from './accounts/account-pane.js';
import { BeneficiaryPane } from './beneficiaries/beneficiaries.js';
import { CellPane } from './coverage/cell-pane.js';
import { CallPane } from './call/call-pane.js';
import { DeliveryPane } from './webhooks/delivery-pane.js';
import { FindingPane } from './findings/finding-pane.js';
import { OperationPane } from './operations/operation-pane.js';
import { show, shown } from './router.js';
import { WhyPane } from './why-pane.js';

const panes: Readonly<Record<string, ComponentType<{ readonly id: string }>>> = {
  calls: CallPane,
  operations: OperationPane,
  accounts: AccountPane,
  beneficiaries: BeneficiaryPane,
  deliveries: DeliveryPane,
  findings: FindingPane,
  coverage: CellPane,
  why: WhyPane,
};

/** Why what is chosen is as it is, and what can be done with it now. */
export function Inspector(): JSX.Element | null {
  const [kind = '', ...rest] = (shown.value ?? '').split('/');
  const Pane = panes[kind];
  const id = rest.join('/');
  if (Pane === undefined || id === '') return null;
  return (
    <section class="inspector" aria-label="What is chosen">
      <button type="button" class="button close" aria-label="Close" onClick={() => show(null)}>
        ×
      </button>
      <Pane key={`${kind}/${id}`} id={id} />
    </section>
  );
}
