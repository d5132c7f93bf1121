/** A body as JSON text, and the data in it. */
export class Rendered {
  constructor(
    readonly json: string,
    readonly value: unknown,
  ) {}
}

/** Maximum number of cached texts. */
const limit = 5000;

let texts = new WeakMap<object, Rendered>();
let count = 0;

/**
 * Returns the JSON text of a row's view, cached with the row. This works because rows are replaced, never changed.
 * @param view a pure function, the same one for all rows of a table
 */
export function rendered<R extends object>(row: R, view: (row: R) => unknown): Rendered {
  const known = texts.get(row);
  if (known) return known;
  if (count >= limit) {
    texts = new WeakMap();
    count = 0;
  }
  const value = view(row);
  const text = new Rendered(JSON.stringify(value), value);
  texts.set(row, text);
  count += 1;
  return text;
}

/** Returns a body as JSON, with its data. */
export function renderedBody(body: unknown): Rendered {
  return body instanceof Rendered ? body : new Rendered(JSON.stringify(body), body);
}
