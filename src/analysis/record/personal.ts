/** Names of contract fields with personal data; all fields of an address are included. */
const personal: ReadonlySet<string> = new Set([
  'firstName',
  'lastName',
  'legalName',
  'tradeName',
  'accountName',
  'owner',
  'dateOfBirth',
  'email',
  'phone',
  'taxId',
  'address',
  'dictKey',
  'accountNumber',
  'routingNumber',
  'iban',
  'walletAddress',
  'key',
  'qrCode',
  'barcode',
]);

/** Replaces personal values. */
export const mask = '[masked]';

/** Masks all strings and numbers in a value. */
function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value === null || typeof value === 'boolean' ? value : mask;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, masked(each)]));
}

/** Masks personal data in a value; `owner` of an account is personal if it is a string or an object with names. */
function withoutPeople(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPeople);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, personal.has(name) && !isParty(name, each) ? masked(each) : withoutPeople(each)]),
  );
}

/** True if a field has the name of a person field, and only parts of its object are personal. */
const isParty = (name: string, value: unknown) => name === 'owner' && typeof value === 'object';

/** Masks personal data in JSON; null if the string is not valid JSON and cannot be masked. */
export function maskedJson(text: string): string | null {
  try {
    return JSON.stringify(withoutPeople(JSON.parse(text)));
  } catch {
    return null;
  }
}

/** Masks a filter or other query value that may name people. */
export function maskedValue(value: string): string {
  for (const name of personal) if (value.includes(name)) return mask;
  return value;
}
