/** Values in a body that differ in each run of a client: UUIDs, instants, and the ports of endpoints on this machine. */
const ownValues = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>'],
  [/\b[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z/g, '<time>'],
  [/\b(localhost|127\.0\.0\.1|host\.docker\.internal):[0-9]{1,5}\b/g, '<host>'],
] as const;

/** The marks that redaction leaves in a recorded string. */
const redaction = /\[secret\]|\[token:[0-9a-f]{8}\]/;

/** Returns a string without the values that differ in each run of a client. */
export function withoutOwnValues(text: string): string {
  return ownValues.reduce((plain, [pattern, mark]) => plain.replaceAll(pattern, mark), text);
}

/** Compares a recorded body with that of a live request. Ignores the order of fields, values of a single run, and redacted values. */
export function isSameBody(recorded: string, live: string): boolean {
  const [before, now] = [parsed(recorded), parsed(live)];
  return isSame(before, now);
}

function isSame(before: unknown, now: unknown): boolean {
  if (typeof before === 'string' && typeof now === 'string')
    return redaction.test(before) || withoutOwnValues(before) === withoutOwnValues(now);
  if (typeof before !== 'object' || typeof now !== 'object' || before === null || now === null) return before === now;
  const [entries, others] = [Object.entries(before), now as Record<string, unknown>];
  return (
    Array.isArray(before) === Array.isArray(now) &&
    entries.length === Object.keys(now).length &&
    entries.every(([name, value]) => Object.hasOwn(others, name) && isSame(value, others[name]))
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
