/** The contract's fields that tell of people, by name; all below an address is one. */
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

const mask = '[masked]';

/** A value whose texts and numbers are masked, at whatever depth. */
function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value === null || typeof value === 'boolean' ? value : mask;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, masked(each)]));
}

/** A value without what it says of people; `owner` of an account is one when it is a text or an object with names in it. */
function withoutPeople(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPeople);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, personal.has(name) && !isParty(name, each) ? masked(each) : withoutPeople(each)]),
  );
}

/** Whether a field named like a person is an object of which only parts tell of one. */
const isParty = (name: string, value: unknown) => name === 'owner' && typeof value === 'object';

/** The JSON without what it says of people; null for a text that is no JSON, of which that cannot be told. */
export function maskedJson(text: string): string | null {
  try {
    return JSON.stringify(withoutPeople(JSON.parse(text)));
  } catch {
    return null;
  }
}

/** A filter, or any text of a query, that may name people. */
export function maskedValue(value: string): string {
  for (const name of personal) if (value.includes(name)) return mask;
  return value;
}
