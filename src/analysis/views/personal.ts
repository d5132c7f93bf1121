/** Names of API fields with personal data. All fields inside of such a field are personal too. */
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

/** The string that replaces personal values. */
export const mask = '[masked]';

/** Masks all strings and numbers in a value. */
function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value === null || typeof value === 'boolean' ? value : mask;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, masked(each)]));
}

/** Masks personal data in a value. Of an `owner` that is an object, only the personal fields are masked. */
function withoutPeople(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPeople);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, personal.has(name) && !isParty(name, each) ? masked(each) : withoutPeople(each)]),
  );
}

/** True for an `owner` that is an object: only some of its fields are personal. */
const isParty = (name: string, value: unknown) => name === 'owner' && typeof value === 'object';

/** Masks personal data in JSON; null if the string is not valid JSON and cannot be masked. */
export function maskedJson(text: string): string | null {
  try {
    return JSON.stringify(withoutPeople(JSON.parse(text)));
  } catch {
    return null;
  }
}

/** Masks a query value, for example a filter, if it contains the name of a field with personal data. */
export function maskedValue(value: string): string {
  for (const name of personal) if (value.includes(name)) return mask;
  return value;
}
