import { validate as auAbn } from 'stdnum/lib/cjs/au/abn.js';
import { validate as auTfn } from 'stdnum/lib/cjs/au/tfn.js';
import { validate as beInsz } from 'stdnum/lib/cjs/be/insz.js';
import { validate as beVat } from 'stdnum/lib/cjs/be/vat.js';
import { validate as brCnpj } from 'stdnum/lib/cjs/br/cnpj.js';
import { validate as brCpf } from 'stdnum/lib/cjs/br/cpf.js';
import { validate as caBn } from 'stdnum/lib/cjs/ca/bn.js';
import { validate as caSin } from 'stdnum/lib/cjs/ca/sin.js';
import { validate as chSsn } from 'stdnum/lib/cjs/ch/ssn.js';
import { validate as chUid } from 'stdnum/lib/cjs/ch/uid.js';
import { validate as clRut } from 'stdnum/lib/cjs/cl/rut.js';
import { validate as coNit } from 'stdnum/lib/cjs/co/nit.js';
import { validate as deIdnr } from 'stdnum/lib/cjs/de/idnr.js';
import { validate as deVat } from 'stdnum/lib/cjs/de/vat.js';
import { validate as esCif } from 'stdnum/lib/cjs/es/cif.js';
import { validate as esNie } from 'stdnum/lib/cjs/es/nie.js';
import { validate as esNif } from 'stdnum/lib/cjs/es/nif.js';
import { validate as frNif } from 'stdnum/lib/cjs/fr/nif.js';
import { validate as frSiren } from 'stdnum/lib/cjs/fr/siren.js';
import { validate as frSiret } from 'stdnum/lib/cjs/fr/siret.js';
import { validate as gbNino } from 'stdnum/lib/cjs/gb/nino.js';
import { validate as gbVat } from 'stdnum/lib/cjs/gb/vat.js';
import { validate as ilHp } from 'stdnum/lib/cjs/il/hp.js';
import { validate as ilIdnr } from 'stdnum/lib/cjs/il/idnr.js';
import { validate as itCodicefiscale } from 'stdnum/lib/cjs/it/codicefiscale.js';
import { validate as itIva } from 'stdnum/lib/cjs/it/iva.js';
import { validate as jpCn } from 'stdnum/lib/cjs/jp/cn.js';
import { validate as krBrn } from 'stdnum/lib/cjs/kr/brn.js';
import { validate as nlBsn } from 'stdnum/lib/cjs/nl/bsn.js';
import { validate as noOrgnr } from 'stdnum/lib/cjs/no/orgnr.js';
import { validate as peCui } from 'stdnum/lib/cjs/pe/cui.js';
import { validate as peRuc } from 'stdnum/lib/cjs/pe/ruc.js';
import { validate as ptNif } from 'stdnum/lib/cjs/pt/nif.js';
import { validate as ptNipc } from 'stdnum/lib/cjs/pt/nipc.js';
import { validate as pyCedula } from 'stdnum/lib/cjs/py/cedula.js';
import { validate as ruInn } from 'stdnum/lib/cjs/ru/inn.js';
import { validate as seOrgnr } from 'stdnum/lib/cjs/se/orgnr.js';
import { validate as usEin } from 'stdnum/lib/cjs/us/ein.js';
import { validate as usSsn } from 'stdnum/lib/cjs/us/ssn.js';
import { validate as uyCedula } from 'stdnum/lib/cjs/uy/cedula.js';
import {
  formatValidator,
  anyOf,
  isCuit,
  isFodselsnummer,
  isGstin,
  isMyNumber,
  isNumericCodiceFiscale,
  isPersonnummer,
  isRfc,
  isRrn,
  isRucOfParaguay,
  isRutOfUruguay,
  isShortTfn,
  isSouthAfrican,
  isTestSteuerId,
  isUscc,
  withLeadingZeros,
  withoutPart,
} from './tax-id-forms.js';
import type { ValidateReturn } from 'stdnum/lib/cjs/types.js';

/** A RUT of Chile: a body of six to eight digits. Files often write zeros before it. */
const clRutOfAnyLength: typeof clRut = (value) => {
  const plain = value.replace(/^CL/, '').replace(/^0+/, '');
  const result = clRut(plain.padStart(8, '0'));
  return result.isValid && plain.length >= 7 ? { ...result, compact: plain } : clRut('');
};

/**
 * The validator of each type. Each is imported separately, because the whole library has tables that would slow down the start. A number
 * that its authority issues, or publishes for tests, is valid; a check digit is verified only if the authority verifies it.
 *
 * PERSONNUMMER is the only type whose separator has a meaning (the century). Of these types, only the format and the issued prefixes are
 * checked: CI_PY, EIN, SSN, NIN and PAN, because their check digits cannot be computed; RFC, because SAT issued numbers with other check digits; CC, ITIN, KVK, TRADE_LICENSE and CIPC, because the
 * library does not support them; EMIRATES_ID, because the rule of its check digit is not published. MY_NUMBER has a published rule.
 */
const validators = {
  CPF: brCpf,
  CNPJ: brCnpj,
  // 25 and 26 replace other prefixes of persons; 50, 51 and 55 are for foreigners.
  CUIT: formatValidator(/^(2[03-7]|3[034]|5[015])[0-9]{9}$/, isCuit),
  CUIL: formatValidator(/^(2[03-7]|5[015])[0-9]{9}$/, isCuit),
  RUT_CL: clRutOfAnyLength,
  RUT_UY: formatValidator(/^(0[1-9]|1[0-9]|2[0-2])(?!0{6})[0-9]{6}001[0-9]$/, isRutOfUruguay),
  CI_UY: withLeadingZeros(8, uyCedula),
  RUC: peRuc,
  DNI_PE: peCui,
  // Invoices to consumers and to foreigners have generic numbers. Invoices give the number of a company without its check digit.
  NIT: anyOf(coNit, formatValidator(/^(222222222222|444444[0-9]{3}|[89][0-9]{8})$/)),
  RFC: isRfc,
  RUC_PY: formatValidator(/^[0-9]{5,9}$/, isRucOfParaguay),
  CI_PY: pyCedula,
  NIPC: ptNipc,
  NIF_PT: ptNif,
  CIF: withoutPart(/^ES/, esCif),
  NIF_ES: esNif,
  // Until 2008, numbers with X had eight digits, the first of which was 0.
  NIE: withoutPart(/^(ES)?(?=[XYZ])|(?<=^(ES)?X)0(?=[0-9]{7}[A-Z]$)/g, esNie),
  SIREN: frSiren,
  SIRET: frSiret,
  NIF_FR: frNif,
  PARTITA_IVA: itIva,
  CODICE_FISCALE: anyOf(itCodicefiscale, isNumericCodiceFiscale),
  UST_IDNR: deVat,
  STEUER_ID: anyOf(deIdnr, isTestSteuerId),
  BSN: nlBsn,
  // BIS numbers are those of people who are not in the national register.
  // 71.71.51-000.70 is that of the specimen identity cards.
  NN_BE: anyOf(beInsz, formatValidator(/^71715100070$/)),
  // The machine format begins with 16, or with the century of a sole trader. VAT numbers have SE before and 01 after it.
  ORGANISATIONSNUMMER: withoutPart(/^(1[689]|20)(?=[0-9]{10}$)|^SE(?=[0-9]{10}01$)|(?<=^SE[0-9]{10})01$/g, seOrgnr),
  PERSONNUMMER: isPersonnummer,
  ORGANISASJONSNUMMER: withoutPart(/^NO|MVA$/g, noOrgnr),
  FODSELSNUMMER: isFodselsnummer,
  UID_CH: withoutPart(/(MWST|TVA|IVA|HR|RC)$/, chUid),
  AHV: chSsn,
  // XI: Northern Ireland.
  VAT_GB: withoutPart(/^XI/, gbVat),
  NIN: gbNino,
  EIN: usEin,
  // The group 00 is that of the IRS for tests of tax returns; the SSA keeps 987-65-4320 to 4329 for advertisements.
  SSN: anyOf(usSsn, formatValidator(/^(40000(?!0000)[0-9]{4}|98765432[0-9])$/)),
  BN_CA: anyOf(
    caBn,
    formatValidator(/^[0-9]{9}R[A-Z][0-9]{4}$/, (value) => caBn(value.slice(0, 9)).isValid),
  ),
  SIN: caSin,
  ABN: auAbn,
  TFN: anyOf(
    formatValidator(/^[0-9]{9}$/, (value) => auTfn(value).isValid),
    isShortTfn,
  ),
  USCC: isUscc,
  // T: registration for qualified invoices.
  CORPORATE_NUMBER_JP: withoutPart(/^T/, jpCn),
  BRN_KR: krBrn,
  RRN: isRrn,
  GSTIN: isGstin,
  PAN: formatValidator(/^[A-Z]{3}[ABCEFGHJKLPT][A-Z](?!0000)[0-9]{4}[A-Z]$/),
  INN_RU: ruInn,
  CC: formatValidator(/^[1-9][0-9]{4,9}$/),
  ITIN: formatValidator(/^9[0-9]{2}(5[0-9]|6[0-5]|7[0-9]|8[0-8]|9[0-2]|9[4-9])[0-9]{4}$/),
  KVK: formatValidator(/^[0-9]{8}$/),
  BCE: (value) => beVat(/^(BE)?[01]?[0-9]{9}$/.test(value) ? value : ''),
  MY_NUMBER: formatValidator(/^[0-9]{12}$/, isMyNumber),
  COMPANY_NUMBER_IL: ilHp,
  // The library expects leading zeros, which printed numbers often omit.
  TEUDAT_ZEHUT: withLeadingZeros(9, ilIdnr),
  TRADE_LICENSE: formatValidator(/^(?=.*[0-9])[A-Z0-9]{3,20}$/),
  EMIRATES_ID: formatValidator(/^784(19|20)[0-9]{10}$/),
  CIPC: formatValidator(/^(18|19|20)[0-9]{10}$/),
  SA_ID: isSouthAfrican,
} as const satisfies Record<string, (value: string) => ValidateReturn>;

type CheckedType = keyof typeof validators;

export const taxIdTypes = [...(Object.keys(validators) as CheckedType[]), 'OTHER'] as [CheckedType, ...CheckedType[], 'OTHER'];
export type TaxIdType = (typeof taxIdTypes)[number];

/** Maximum length of a tax id in characters, including punctuation. Longer strings are rejected unread. */
export const maxTaxIdLength = 40;

const otherPattern = /^[A-Za-z0-9./-]{1,32}$/;
const punctuation = /[\s./-]/g;
/** One repeated digit satisfies the check digits of CPF and CNPJ, but the registry never issues it. */
const repeatedDigit = /^([0-9])\1+$/;

function checkTaxId(type: CheckedType, value: string) {
  if (value.length > maxTaxIdLength) return null;
  // Some checks of the library do not remove all punctuation.
  const result = validators[type](type === 'PERSONNUMMER' ? value.replace(/\s/g, '') : value.replace(punctuation, '').toUpperCase());
  // Zeros alone satisfy many check digits, but no register issues such a number.
  if (!result.isValid || !/[1-9A-Z]/.test(result.compact)) return null;
  if ((type === 'CPF' || type === 'CNPJ') && repeatedDigit.test(result.compact)) return null;
  return result.compact;
}

/** True if `value`, with or without punctuation, is a valid number of its type, including check digits. */
export function isTaxId(type: TaxIdType, value: string): boolean {
  return type === 'OTHER' ? otherPattern.test(value) : checkTaxId(type, value) !== null;
}

/** Returns a number that {@link isTaxId} accepts as responses show it: without punctuation, in upper case. */
export function normalizeTaxId(type: TaxIdType, value: string): string {
  if (type === 'OTHER') return value;
  if (type === 'PERSONNUMMER') return value.replace(/\s/g, '');
  return checkTaxId(type, value)?.replace(punctuation, '') ?? value;
}
