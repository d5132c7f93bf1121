import type { Cause } from './why.js';

/** Describes a scenario step that is a cause. */
export const stepText = ({ step, name, scenario }: NonNullable<Cause['rule']>): string =>
  `Step ${step} of rule "${name}" of scenario ${scenario}`;

const causesById: Readonly<Record<string, string>> = { fixtures: 'The fixtures of the world', clock: 'The clock of the world' };

/** Describes a cause that is neither a scenario step nor a recorded request, by its id. */
export function unrecordedCause(id: string): Pick<Cause, 'kind' | 'summary'> {
  const request = 'A request that is no longer recorded';
  if (id.startsWith('req_')) return { kind: 'REQUEST', summary: request };
  if (id.startsWith('ctl_')) return { kind: 'CONTROL', summary: request };
  if (id.startsWith('delivery:')) return { kind: 'DELIVERY', summary: `The delivery of webhook ${id.slice('delivery:'.length)}` };
  const summary = id.startsWith('expiry:') ? 'The due date of the deposit passed without a payment' : (causesById[id] ?? id);
  return { kind: 'OTHER', summary };
}
