/** Returns a header by its lower-case name; several values are joined with commas. */
export function headerOf(raw: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (let index = 0; index < raw.length; index += 2)
    if (raw[index]!.length === name.length && raw[index]!.toLowerCase() === name)
      value = value === undefined ? raw[index + 1]! : `${value}, ${raw[index + 1]!}`;
  return value;
}
