import type { Cause } from './why.js';

/** Describes a scenario step that is a cause. */
export const stepText = ({ step, name, scenario }: NonNullable<Cause['rule']>): string =>
  `Step ${step} of rule "${name}" of scenario ${scenario}`;

const causesById: Readonly<Record<string, string>> = { fixtures: 'The fixtures of the world', clock: 'The clock of the world' };

/** Describes a cause that is neither a scenario step nor a recorded request, by its id. */
export function causeText(id: string): string {
  if (/^(req|ctl)_/.test(id)) return 'A request that is no longer recorded';
  if (id.startsWith('delivery:')) return `The delivery of webhook ${id.slice('delivery:'.length)}`;
  if (id.startsWith('expiry:')) return 'The due date of the deposit passed without a payment';
  return causesById[id] ?? id;
}
