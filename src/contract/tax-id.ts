import { stdnum, type Validator } from 'stdnum';

/**
 * Where the library keeps the check of each kind: country and document.
 *
 * PERSONNUMMER is the only one whose separator carries meaning (it tells the century). CI_PY, EIN, SSN, NIN and PAN have no check digit
 * that anybody can compute: their form, and the prefixes that are issued, are all there is to check.
 */
const sources = {
  CPF: ['BR', 'cpf'],
  CNPJ: ['BR', 'cnpj'],
  CUIT: ['AR', 'cuit'],
  CUIL: ['AR', 'cuit'],
  RUT_CL: ['CL', 'rut'],
  RUT_UY: ['UY', 'rut'],
  CI_UY: ['UY', 'cedula'],
  RUC: ['PE', 'ruc'],
  DNI_PE: ['PE', 'cui'],
  NIT: ['CO', 'nit'],
  RFC: ['MX', 'rfc'],
  RUC_PY: ['PY', 'ruc'],
  CI_PY: ['PY', 'cedula'],
  NIPC: ['PT', 'nipc'],
  NIF_PT: ['PT', 'nif'],
  CIF: ['ES', 'cif'],
  NIF_ES: ['ES', 'nif'],
  NIE: ['ES', 'nie'],
  SIREN: ['FR', 'siren'],
  SIRET: ['FR', 'siret'],
  NIF_FR: ['FR', 'nif'],
  PARTITA_IVA: ['IT', 'iva'],
  CODICE_FISCALE: ['IT', 'codicefiscale'],
  UST_IDNR: ['DE', 'vat'],
  STEUER_ID: ['DE', 'idnr'],
  BSN: ['NL', 'bsn'],
  NN_BE: ['BE', 'nn'],
  ORGANISATIONSNUMMER: ['SE', 'orgnr'],
  PERSONNUMMER: ['SE', 'personnummer'],
  ORGANISASJONSNUMMER: ['NO', 'orgnr'],
  FODSELSNUMMER: ['NO', 'fodselsnummer'],
  UID_CH: ['CH', 'uid'],
  AHV: ['CH', 'ssn'],
  VAT_GB: ['GB', 'vat'],
  NIN: ['GB', 'nino'],
  EIN: ['US', 'ein'],
  SSN: ['US', 'ssn'],
  BN_CA: ['CA', 'bn'],
  SIN: ['CA', 'sin'],
  ABN: ['AU', 'abn'],
  TFN: ['AU', 'tfn'],
  USCC: ['CN', 'uscc'],
  CORPORATE_NUMBER_JP: ['JP', 'cn'],
  BRN_KR: ['KR', 'brn'],
  RRN: ['KR', 'rrn'],
  GSTIN: ['IN', 'gstin'],
  PAN: ['IN', 'pan'],
  INN_RU: ['RU', 'inn'],
} as const satisfies Record<string, readonly [country: string, document: string]>;

type CheckedType = keyof typeof sources;

const validators = new Map<string, Validator>(
  Object.entries(sources).map(([type, [country, document]]) => {
    const validator = stdnum[country]?.[document];
    if (!validator) throw new Error(`stdnum has no check for ${type} (${country} ${document}).`);
    return [type, validator];
  }),
);

export const taxIdTypes = [...(Object.keys(sources) as CheckedType[]), 'OTHER'] as [CheckedType, ...CheckedType[], 'OTHER'];
export type TaxIdType = (typeof taxIdTypes)[number];

const otherPattern = /^[A-Za-z0-9./-]{1,32}$/;
const punctuation = /[\s./-]/g;
/** One digit repeated satisfies the check digits of CPF and CNPJ, but the registry never issues it. */
const repeatedDigit = /^([0-9])\1+$/;

function checkTaxId(type: CheckedType, value: string) {
  // Not every check of the library drops all punctuation by itself.
  const result = validators.get(type)!.validate(type === 'PERSONNUMMER' ? value : value.replace(punctuation, '').toUpperCase());
  if (!result.isValid) return null;
  if ((type === 'CPF' || type === 'CNPJ') && repeatedDigit.test(result.compact)) return null;
  // A CUIL is the number of a person; companies have a CUIT of the same form.
  return type === 'CUIL' && result.isCompany ? null : result.compact;
}

/** Whether `value`, with or without punctuation, is a valid number of its type, check digits included. */
export function isTaxId(type: TaxIdType, value: string): boolean {
  return type === 'OTHER' ? otherPattern.test(value) : checkTaxId(type, value) !== null;
}

/** The number as responses show it: without punctuation, letters in upper case. Meant for a value that {@link isTaxId} accepts. */
export function normalizeTaxId(type: TaxIdType, value: string): string {
  if (type === 'OTHER') return value;
  if (type === 'PERSONNUMMER') return value.trim();
  return checkTaxId(type, value)?.replace(punctuation, '') ?? value;
}
