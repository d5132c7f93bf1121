/** Statuses by which an endpoint says that it could not just now. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);
/** Those of an endpoint that does not trust the sender. */
export const distrust: ReadonlySet<number> = new Set([400, 401, 403]);

/** Whether an endpoint would not have a message, for good: 4xx, or the 500 of a handler that fails on it. */
export const isRefusal = (status: number) => (status >= 400 && status < 500 && !passing.has(status)) || status === 500;

/** Whether an endpoint found fault with the event itself, and not with its sender. */
export const isEventRefusal = (status: number) => status >= 400 && status < 500 && !passing.has(status) && status !== 401 && status !== 403;

/** Some ids, each once, as many as matter. */
export function withId(ids: readonly string[], id: string, most: number): readonly string[] {
  return ids.length >= most || ids.includes(id) ? ids : [...ids, id];
}
