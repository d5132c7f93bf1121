import { bankRails } from '../rails.js';
/**
 * Groups of names with the same meaning: names of this API, and names from other APIs or older versions. If one name of a group is a known
 * field, the error for another name of the group suggests it.
 */
const groups: readonly (readonly string[])[] = [
  ['dateOfBirth', 'birthDate', 'birthday', 'dob'],
  ['dictKeyType', 'keyType', 'pixKeyType'],
  ['dictKey', 'key', 'pixKey'],
  ['sourceAmount', 'targetAmount', 'amount', 'destinationAmount'],
  ['sourceAccountId', 'fromAccountId', 'fromAccount', 'from', 'debitAccountId'],
  ['targetAccountId', 'toAccountId', 'toAccount', 'to', 'destinationAccountId', 'creditAccountId'],
  ['sourceAsset', 'sourceCurrency', 'fromCurrency', 'from'],
  ['targetAsset', 'targetCurrency', 'destinationCurrency', 'toCurrency', 'to'],
  ['asset', 'currency', 'currencyCode'],
  ['code', 'asset', 'currency'],
  ['resources', 'events', 'eventTypes', 'event_types', 'enabledEvents'],
  ['url', 'endpoint', 'callbackUrl', 'webhookUrl', 'notifyUrl'],
  ['holder', 'owner', 'recipient', 'payee'],
  ['beneficiary', 'beneficiaryId', 'recipient', 'payee'],
  ['paymentInstruction', 'paymentInstructionId', 'paymentInstructions', 'bankAccount'],
  ['fundingInstruction', 'fundingInstructionId', 'rail'],
  ['quoteId', 'quote'],
  ['legalName', 'companyName', 'businessName', 'name'],
  ['firstName', 'givenName', 'name'],
  ['lastName', 'surname', 'familyName'],
  ['postalCode', 'zip', 'zipCode', 'postcode'],
  ['addressLine1', 'street', 'line1', 'address1'],
  ['state', 'region', 'province'],
  ['bic', 'swift', 'swiftCode'],
  ['routingNumber', 'aba', 'routing'],
  ['network', 'chain', 'blockchain'],
  ['address', 'walletAddress', 'wallet'],
  ['taxId', 'taxNumber', 'document', 'cpf', 'cnpj'],
  ['ASCENDING', 'asc'],
  ['DESCENDING', 'desc'],
  ['PIX_KEY', 'PIX'],
  ['COMPANY', 'BUSINESS', 'CORPORATE', 'LEGAL_ENTITY'],
  ['INDIVIDUAL', 'PERSON', 'NATURAL_PERSON'],
  ['PHONE', 'MOBILE', 'CELLPHONE'],
  ['EVP', 'RANDOM', 'UUID'],
  ['CRYPTO_WALLET', 'CRYPTO', 'WALLET'],
  ['BANK_ACCOUNT', 'BANK', ...bankRails, 'IBAN'],
  ['REFERENCE', 'ID', 'EXISTING'],
  ['RUNNING', 'run', 'resume', 'unfreeze'],
  ['FROZEN', 'freeze', 'pause', 'stop'],
];

const plain = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, '');

/** The groups that contain a name, by the name without case and separators. */
const groupsOf = new Map<string, (readonly string[])[]>();
for (const group of groups) for (const name of group) groupsOf.set(plain(name), [...(groupsOf.get(plain(name)) ?? []), group]);

/** Returns the known name with the same meaning as a name; undefined without one. */
export function synonymOf(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name);
  for (const group of groupsOf.get(wanted) ?? []) {
    const found = group.find((each) => plain(each) !== wanted && known.some((other) => plain(other) === plain(each)));
    if (found !== undefined) return known.find((other) => plain(other) === plain(found));
  }
  return undefined;
}
