import { signal } from '@preact/signals';
import type { ComponentType, JSX } from 'preact';
import { CallPane } from './call/call-pane.js';
import { loadedOnDemand } from './parts/later.js';
import { show, shownItem } from './router.js';
import { WhyPane } from './why-pane.js';

const panes: Readonly<Record<string, ComponentType<{ readonly id: string }>>> = {
  calls: CallPane,
  operations: loadedOnDemand((parts) => parts.OperationPane),
  accounts: loadedOnDemand((parts) => parts.AccountPane),
  beneficiaries: loadedOnDemand((parts) => parts.BeneficiaryPane),
  deliveries: loadedOnDemand((parts) => parts.DeliveryPane),
  findings: loadedOnDemand((parts) => parts.FindingPane),
  coverage: loadedOnDemand((parts) => parts.CellPane),
  why: WhyPane,
  replay: loadedOnDemand((parts) => parts.RowPane),
};

const settingName = 'inspector';
const widths = { least: 320, usual: 440, most: 900, step: 40 } as const;

const within = (width: number): number => Math.round(Math.max(widths.least, Math.min(widths.most, width)));

/** Width of the inspector next to a list, in pixels. */
export const inspectorWidth = signal(within(Number(localStorage.getItem(settingName)) || widths.usual));

inspectorWidth.subscribe((width) => localStorage.setItem(settingName, String(width)));

/** The edge of the inspector, which the user moves with the pointer or the arrow keys. */
function Edge(): JSX.Element {
  const drag = ({ clientX, buttons }: PointerEvent) => {
    if (buttons === 1) inspectorWidth.value = within(innerWidth - clientX);
  };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowLeft: widths.step, ArrowRight: -widths.step }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    inspectorWidth.value = within(inspectorWidth.value + by);
  };
  return (
    <div
      class="edge"
      role="separator"
      aria-label="Width of the inspector"
      aria-orientation="vertical"
      aria-valuemin={widths.least}
      aria-valuemax={widths.most}
      aria-valuenow={inspectorWidth.value}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={press}
    />
  );
}

/** The pane of the selected item: its details and the actions that are possible now. */
export function Inspector(): JSX.Element | null {
  const [kind = '', ...rest] = (shownItem.value ?? '').split('/');
  const Pane = panes[kind];
  const id = rest.join('/');
  if (Pane === undefined || id === '') return null;
  return (
    <>
      <Edge />
      <section class="inspector" aria-label="Selected item" tabIndex={-1}>
        <button type="button" class="button close" aria-label="Close" onClick={() => show(null)}>
          ×
        </button>
        <Pane key={`${kind}/${id}`} id={id} />
      </section>
    </>
  );
}
