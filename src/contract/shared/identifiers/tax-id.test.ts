import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTaxId, normalizeTaxId, taxIdTypes, type TaxIdType } from './tax-id.js';

/** Numbers as printed in examples of authorities and their manuals, or by well-known companies. */
const examples: Readonly<Record<TaxIdType, readonly [printed: string, plain: string][]>> = {
  CPF: [
    ['390.533.447-05', '39053344705'],
    ['111.444.777-35', '11144477735'],
  ],
  CNPJ: [
    ['11.222.333/0001-81', '11222333000181'],
    ['12.ABC.345/01DE-35', '12ABC34501DE35'],
    ['12.abc.345/01de-35', '12ABC34501DE35'],
  ],
  CUIT: [
    ['20-05536168-2', '20055361682'],
    ['30-50000173-5', '30500001735'],
  ],
  CUIL: [['20-26756539-3', '20267565393']],
  RUT_CL: [
    ['76.086.428-5', '760864285'],
    ['12531909-2', '125319092'],
  ],
  RUT_UY: [['21-100342-001-7', '211003420017']],
  CI_UY: [['1.234.567-2', '12345672']],
  RUC: [['20512333797', '20512333797']],
  DNI_PE: [
    ['10117410-2', '101174102'],
    ['10117410', '10117410'],
  ],
  NIT: [['213.123.432-1', '2131234321']],
  RFC: [
    ['GODE 561231 GR8', 'GODE561231GR8'],
    ['MAB-930714-8T4', 'MAB9307148T4'],
  ],
  RUC_PY: [['80028061-0', '800280610']],
  CI_PY: [['1.234.567', '1234567']],
  NIPC: [['501 964 843', '501964843']],
  NIF_PT: [['123 456 789', '123456789']],
  CIF: [['A-13585625', 'A13585625']],
  NIF_ES: [['54362315-K', '54362315K']],
  NIE: [['x-2482300-w', 'X2482300W']],
  SIREN: [['552 008 443', '552008443']],
  SIRET: [['732 829 320 00074', '73282932000074']],
  NIF_FR: [['30 23 217 600 053', '3023217600053']],
  PARTITA_IVA: [['IT 00743110157', '00743110157']],
  CODICE_FISCALE: [['RCC MNL 83S18 D969H', 'RCCMNL83S18D969H']],
  UST_IDNR: [['DE 136 695 976', '136695976']],
  STEUER_ID: [['36 574 261 809', '36574261809']],
  BSN: [['1112.22.333', '111222333']],
  NN_BE: [['85.07.30-033 28', '85073003328']],
  ORGANISATIONSNUMMER: [['123456-7897', '1234567897']],
  PERSONNUMMER: [
    ['811228-9874', '811228-9874'],
    ['880320-0016', '880320-0016'],
  ],
  ORGANISASJONSNUMMER: [['988 077 917', '988077917']],
  FODSELSNUMMER: [['151086 95088', '15108695088']],
  UID_CH: [['CHE-100.155.212', 'CHE100155212']],
  AHV: [['756.9217.0769.85', '7569217076985']],
  VAT_GB: [['GB 980 7806 84', '980780684']],
  NIN: [['AB 12 34 56 C', 'AB123456C']],
  EIN: [['91-1144442', '911144442']],
  SSN: [['536-90-4399', '536904399']],
  BN_CA: [
    ['12302 6635', '123026635'],
    ['12302 6635 RC 0001', '123026635RC0001'],
  ],
  SIN: [['046 454 286', '046454286']],
  ABN: [['83 914 571 673', '83914571673']],
  TFN: [['123 456 782', '123456782']],
  USCC: [['91110000600037341L', '91110000600037341L']],
  CORPORATE_NUMBER_JP: [['5-8356-7825-6246', '5835678256246']],
  BRN_KR: [['116-82-00276', '1168200276']],
  RRN: [['971013-9019902', '9710139019902']],
  GSTIN: [['27AAPFU0939F1ZV', '27AAPFU0939F1ZV']],
  PAN: [['ACUPA7085R', 'ACUPA7085R']],
  INN_RU: [
    ['7707083893', '7707083893'],
    ['1234567890 47', '123456789047'],
  ],
  CC: [['1.020.345.678', '1020345678']],
  ITIN: [['912-90-3456', '912903456']],
  KVK: [['33031431', '33031431']],
  BCE: [
    ['BE 0403.019.261', '0403019261'],
    ['428759497', '0428759497'],
  ],
  MY_NUMBER: [['6214 9832 0257', '621498320257']],
  COMPANY_NUMBER_IL: [['516179157', '516179157']],
  TEUDAT_ZEHUT: [['3933742-3', '039337423']],
  TRADE_LICENSE: [['CN-1001234', 'CN1001234']],
  EMIRATES_ID: [['784-1980-1234567-9', '784198012345679']],
  CIPC: [['2009/012345/07', '200901234507']],
  SA_ID: [['750330 5044 08 9', '7503305044089']],
  OTHER: [['A-1/2.b', 'A-1/2.b']],
};

const unchecked: ReadonlySet<TaxIdType> = new Set([
  'CI_PY',
  'EIN',
  'SSN',
  'NIN',
  'PAN',
  'CC',
  'RFC',
  'ITIN',
  'KVK',
  'TRADE_LICENSE',
  'CIPC',
  'EMIRATES_ID',
  'OTHER',
]);

/** Returns all strings that differ from a number in one digit. */
function damaged(number: string): string[] {
  return Array.from(number, (character, place) =>
    /[0-9]/.test(character) ? Array.from('0123456789', (digit) => number.slice(0, place) + digit + number.slice(place + 1)) : [],
  )
    .flat()
    .filter((text) => text !== number);
}

describe('tax ids', () => {
  // §D6-tax-id-types §2.1-tax-id
  it.each(taxIdTypes)('of type %s are valid as printed by authorities, and are stored without punctuation', (type) => {
    for (const [printed, plain] of examples[type]) {
      expect([printed, isTaxId(type, printed), isTaxId(type, plain)]).toEqual([printed, true, true]);
      expect(normalizeTaxId(type, printed)).toBe(plain);
      expect(normalizeTaxId(type, plain)).toBe(plain);
    }
  });

  it.each(taxIdTypes.filter((type) => type !== 'OTHER'))('of type %s cannot be empty, or only punctuation, zeros or one letter', (type) => {
    expect(['', ' ', '-', '0'.repeat(12), 'x'].filter((value) => isTaxId(type, value))).toEqual([]);
  });

  it('of any content cause no exception, and valid ones stay valid in their normalised form', () => {
    const anything = fc.oneof(fc.string({ maxLength: 40 }), fc.stringMatching(/^[0-9A-Z .+/-]{0,15}$/));
    const outcome = fc.check(
      fc.property(
        fc.constantFrom(...taxIdTypes),
        anything,
        (type, value) => !isTaxId(type, value) || isTaxId(type, normalizeTaxId(type, value)),
      ),
      { numRuns: 5000 },
    );
    expect(outcome.counterexample).toBeNull();
  });

  // The check digits of some types map two remainders to one digit, or cover only the first digits.
  // §D6-tax-id-types
  it.each(taxIdTypes.filter((type) => !unchecked.has(type)))('of type %s with one wrong digit are almost never valid', (type) => {
    const wrong = damaged(examples[type][0]![1]);
    const accepted = wrong.filter((each) => isTaxId(type, each));
    expect(accepted.length).toBeLessThanOrEqual(wrong.length * 0.09);
  });

  // Numbers of the authorities for tests, numbers from before or after a change of rule, and the formats of their own systems.
  it.each<[TaxIdType, given: string, stored: string]>([
    ['CUIT', '26-20123456-4', '26201234564'],
    ['CUIT', '55-00000220-7', '55000002207'],
    ['RUT_CL', '123.456-0', '1234560'],
    ['RUT_CL', '076086428-5', '760864285'],
    ['RUT_UY', '22-012346-001-5', '220123460015'],
    ['CI_UY', '123.456-1', '01234561'],
    ['NIT', '890903938', '890903938'],
    ['NIT', '222222222222', '222222222222'],
    ['RFC', 'XAXX010101000', 'XAXX010101000'],
    ['RFC', 'EKU9003173C9', 'EKU9003173C9'],
    ['RFC', 'IA\u00d1L750210963', 'IA\u00d1L750210963'],
    ['RFC', 'H&E951128469', 'H&E951128469'],
    ['RUC_PY', '80000003-0', '800000030'],
    ['CIF', 'ESA13585625', 'A13585625'],
    ['NIE', 'X-02482300-W', 'X2482300W'],
    ['CODICE_FISCALE', '30123456789', '30123456789'],
    ['STEUER_ID', '04 452 397 687', '04452397687'],
    ['NN_BE', '85.27.30-033 71', '85273003371'],
    ['NN_BE', '85473003317', '85473003317'],
    ['NN_BE', '71.71.51-000.70', '71715100070'],
    ['SSN', '987-65-4325', '987654325'],
    ['SSN', '400-00-1037', '400001037'],
    ['ORGANISATIONSNUMMER', 'SE123456789701', '1234567897'],
    ['ORGANISATIONSNUMMER', '16123456-7897', '1234567897'],
    ['ORGANISATIONSNUMMER', '198112289874', '8112289874'],
    ['PERSONNUMMER', '8112289874', '8112289874'],
    ['PERSONNUMMER', '811288-9871', '811288-9871'],
    ['PERSONNUMMER', '198112889871', '198112889871'],
    ['PERSONNUMMER', '189001019802', '189001019802'],
    ['ORGANISASJONSNUMMER', 'NO 988 077 917 MVA', '988077917'],
    ['FODSELSNUMMER', '154186 95002', '15418695002'],
    ['FODSELSNUMMER', '15758695007', '15758695007'],
    ['FODSELSNUMMER', '55108695071', '55108695071'],
    ['UID_CH', 'CHE-100.155.212 MWST', 'CHE100155212'],
    ['VAT_GB', 'XI 980 7806 84', '980780684'],
    ['EIN', '92-1234567', '921234567'],
    ['BN_CA', '12302 6635 RR 0001', '123026635RR0001'],
    ['TFN', '37 118 629', '37118629'],
    ['USCC', 'N2110105MF123456AR', 'N2110105MF123456AR'],
    ['USCC', '91110000600037340H', '91110000600037340H'],
    ['CORPORATE_NUMBER_JP', 'T5835678256246', '5835678256246'],
    ['RRN', '210228-4987654', '2102284987654'],
    ['RRN', '880101-5123450', '8801015123450'],
    ['GSTIN', '29AAACE8888A1DN', '29AAACE8888A1DN'],
    ['GSTIN', '0717USA00012UN8', '0717USA00012UN8'],
    ['GSTIN', '38AAPFU0939F1ZS', '38AAPFU0939F1ZS'],
    ['SA_ID', '750330 5044 28 7', '7503305044287'],
  ])('of type %s include %s', (type, given, stored) => {
    expect([isTaxId(type, given), normalizeTaxId(type, given)]).toEqual([true, stored]);
    expect(normalizeTaxId(type, stored)).toBe(stored);
  });

  it.each([
    ['CPF', '111.111.111-11'],
    ['CPF', ''],
    ['CNPJ', '00000000000000'],
    ['CNPJ', '12.ABC.345/01DE-3A'],
    ['CUIL', '30-50000173-5'],
    ['CUIL', '30-50000173-5'],
    ['RFC', 'GODE 561331 GR8'],
    ['RFC', 'EKU9002303C9'],
    ['NN_BE', '85.67.30-033 28'],
    ['PERSONNUMMER', '811399-9874'],
    ['PERSONNUMMER', '171112289874'],
    ['FODSELSNUMMER', '155386 95002'],
    ['RRN', '880101-1123450'],
    ['RRN', '210230-4987654'],
    ['SA_ID', '750330 5044 38 6'],
    ['GSTIN', '39AAPFU0939F1ZS'],
    ['STEUER_ID', '04 452 397 688'],
    ['TFN', '37118628'],
    ['USCC', 'B2110105MF123456AR'],
    ['SSN', '078-05-1120'],
    ['SSN', '666-12-3456'],
    ['NIN', 'QQ123456C'],
    ['EIN', '00-1144442'],
    ['ITIN', '912-93-3456'],
    ['ITIN', '812-90-3456'],
    ['KVK', '3303143'],
    ['CC', '020345678'],
    ['BCE', '2403.019.261'],
    ['EMIRATES_ID', '785-1980-1234567-9'],
    ['TRADE_LICENSE', 'DUBAI'],
    ['CIPC', '2009/12345/07'],
    ['COMPANY_NUMBER_IL', '416179157'],
    ['OTHER', 'a b'],
    ['OTHER', 'x'.repeat(33)],
    ['OTHER', ''],
  ] as const)('of type %s cannot be %s', (type, value) => {
    expect(isTaxId(type, value)).toBe(false);
  });
});
