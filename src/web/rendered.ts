/** A body that is JSON already. */
export class Rendered {
  constructor(readonly json: string) {}
}

/** How many texts are kept at most. */
const limit = 5000;

let texts = new WeakMap<object, Rendered>();
let count = 0;

/**
 * A row as a view shows it, rendered. The text is kept as long as the row stands: rows are never changed, only replaced.
 * @param view says the same of a row each time, and is the same for all rows of a table
 */
export function rendered<R extends object>(row: R, view: (row: R) => unknown): Rendered {
  const known = texts.get(row);
  if (known) return known;
  if (count >= limit) {
    texts = new WeakMap();
    count = 0;
  }
  const text = new Rendered(JSON.stringify(view(row)));
  texts.set(row, text);
  count += 1;
  return text;
}

/** The JSON of a body, or of what it says of itself. */
export function jsonOf(body: unknown): string {
  return body instanceof Rendered ? body.json : JSON.stringify(body);
}
