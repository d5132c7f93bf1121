/** Statuses of a temporary failure. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);
/** Statuses of an endpoint that does not trust the sender. */
export const distrust: ReadonlySet<number> = new Set([400, 401, 403]);

/** True if an endpoint rejects a message permanently: 4xx, or the 500 of a failing handler. */
export const isRefusal = (status: number) => (status >= 400 && status < 500 && !passing.has(status)) || status === 500;

/** True if an endpoint rejects the event itself and not its sender. */
export const isEventRefusal = (status: number) => status >= 400 && status < 500 && !passing.has(status) && status !== 401 && status !== 403;

/** Adds an id to the list if it is new, up to the maximum. */
export function withId(ids: readonly string[], id: string, most: number): readonly string[] {
  return ids.length >= most || ids.includes(id) ? ids : [...ids, id];
}
