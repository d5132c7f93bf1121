import type { Findings } from '../client/types.js';

/** Returns the title of a finding with its operation or event type, if it has one. */
export function findingTitle({ title, operationId, eventType }: Findings['data'][number]): string {
  const subject = operationId ?? eventType;
  return subject === null ? title : `${title}: ${subject}`;
}
