import type { Findings } from '../client/types.js';

/** Returns the title of a finding with its operation or event type, if it has one. */
export function findingTitle({ title, operationId, eventType }: Findings['data'][number]): string {
  const subject = operationId ?? eventType;
  return subject === null ? title : `${title}: ${subject}`;
}

/** Returns how often a finding occurred, to append to its rule; empty for once. */
export const findingTimes = ({ count }: Findings['data'][number]) => (count === 1 ? '' : `, ${count} times`);
