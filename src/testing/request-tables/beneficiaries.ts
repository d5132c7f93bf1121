import { pixBeneficiary } from '../withdrawals.js';
import { day, field, identifier, optionalField, object, text, withPrefix, word, type Field } from '../field-tables.js';
import { assetCodes, cpf, cnpj, taxId, maybeAddress, variant, place, type RequestTable } from './table.js';

const individualHolder: Field[] = [
  field('holder', object),
  variant('holder.type', 'INDIVIDUAL'),
  field('holder.firstName', text(120)),
  field('holder.lastName', text(120)),
  field('holder.taxId', object),
  ...withPrefix('holder.taxId', taxId(cpf)),
  field('holder.dateOfBirth', day),
  ...withPrefix('holder', maybeAddress),
];
const companyHolder: Field[] = [
  field('holder', object),
  variant('holder.type', 'COMPANY'),
  field('holder.legalName', text(120)),
  optionalField('holder.tradeName', text(120)),
  field('holder.taxId', object),
  ...withPrefix('holder.taxId', taxId(cnpj)),
  ...withPrefix('holder', maybeAddress),
];
const relationship = field('relationshipType', word(['SELF_OWNED', 'THIRD_PARTY'], 'FRIEND'));
const person = { ...pixBeneficiary().holder, address: place };
const firm = {
  type: 'COMPANY',
  legalName: 'Porto Sul SA',
  tradeName: 'Porto Sul',
  taxId: { type: 'CNPJ', value: '42273345000169' },
  address: place,
};

const routingNumber = identifier(['021000022', '02100002', '000000000', '0210000210'], '021000021');
const american = [
  field('routingNumber', routingNumber),
  field('accountNumber', identifier(['123', '1'.repeat(18), '12 34'], '1234', '1'.repeat(17))),
];
const bic = identifier(['COBADEF', 'COBADEFFXX', 'COBAXXFF'], 'cobadeff', 'COBADEFFXXX');
/** Payment instructions: name, example body, allowed assets, and additional fields. */
const instructions: [name: string, body: Record<string, unknown>, assets: string[], fields: Field[]][] = [
  [
    'a PIX key',
    { type: 'PIX', asset: 'BRL', dictKeyType: 'EMAIL', dictKey: 'caio.menezes@example.com' },
    ['BRL'],
    [
      field('dictKeyType', { ...word(['EMAIL'], 'FAX'), good: [] }),
      field('dictKey', {
        bad: [
          ...identifier([]).bad.filter(({ code }) => code === 'INVALID_TYPE'),
          ...['', 'nobody', '+5511987654321', 'x'.repeat(101)].map((value) => ({
            value,
            code: 'INVALID_IDENTIFIER' as const,
            knownBy: value.length > 100 ? [] : ['dictKeyType'],
          })),
        ],
        good: ['A.B@example.com'],
      }),
    ],
  ],
  [
    'a Brazilian account',
    {
      type: 'BANK_ACCOUNT',
      asset: 'BRL',
      rail: 'TED',
      bankCode: '341',
      branch: '0001',
      accountNumber: '123456-7',
      accountType: 'CHECKING',
    },
    ['BRL'],
    [
      field('bankCode', identifier(['34', '000', '3411', 'abc'], '001')),
      field('branch', identifier(['main', '001', '00011'], '0001-9')),
      field('accountNumber', identifier(['7', '12-34', 'abc'], '1234567X')),
      optionalField('accountType', word(['CHECKING', 'SAVINGS'], 'SALARY')),
    ],
  ],
  [
    'an account in SEPA',
    { type: 'BANK_ACCOUNT', asset: 'EUR', rail: 'SEPA', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    ['EUR'],
    [
      field('iban', identifier(['DE88370400440532013000', 'BR1500000000000010932840814P2'], 'de89 3704 0044 0532 0130 00')),
      optionalField('bic', bic),
    ],
  ],
  [
    'an account abroad',
    { type: 'BANK_ACCOUNT', asset: 'GBP', rail: 'SWIFT', bic: 'BUKBGB22', iban: 'GB29NWBK60161331926819' },
    assetCodes.slice(2, 16),
    [
      field('bic', bic),
      field('iban', identifier(['GB28NWBK60161331926819'], 'BR1500000000000010932840814P2'), { missingKnownBy: ['accountNumber'] }),
      optionalField('accountNumber', {
        bad: [{ value: '12345678', code: 'INVALID_FORMAT', isAlone: true }],
        good: [],
      }),
    ],
  ],
  [
    'an account reached by wire',
    { type: 'BANK_ACCOUNT', asset: 'USD', rail: 'WIRE', routingNumber: '021000021', accountNumber: '000123456789' },
    ['USD'],
    american,
  ],
  [
    'an account reached by ACH',
    { type: 'BANK_ACCOUNT', asset: 'USD', rail: 'ACH', routingNumber: '021000021', accountNumber: '000123456789' },
    ['USD'],
    american,
  ],
  [
    'a wallet',
    { type: 'CRYPTO_WALLET', asset: 'USDT', network: 'TRON', address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
    ['USDT'],
    [
      field('network', { ...word(['TRON'], 'BITCOIN'), good: [] }),
      field('address', {
        bad: [
          ...identifier([]).bad.filter(({ code }) => code === 'INVALID_TYPE'),
          ...['', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'].map((value) => ({
            value,
            code: 'INVALID_IDENTIFIER' as const,
            knownBy: ['network'],
          })),
        ],
        good: [],
      }),
    ],
  ],
];

/** Returns the field `rail`. For BRL it is optional, because BRL has only one rail to a bank account. */
const railOf = (instruction: Record<string, unknown>): Field => ({
  ...variant('rail', String(instruction['rail'])),
  ...(instruction['asset'] === 'BRL' ? { missing: null } : {}),
});

export const beneficiaries = instructions.map(([name, paymentInstruction, assets, fields], index): RequestTable => ({
  name: `a beneficiary with ${name}`,
  method: 'POST',
  path: '/api/beneficiaries',
  body: { holder: index % 2 === 0 ? person : firm, relationshipType: 'THIRD_PARTY', paymentInstruction },
  fields: [
    ...(index % 2 === 0 ? individualHolder : companyHolder),
    relationship,
    field('paymentInstruction', object),
    ...withPrefix('paymentInstruction', [
      variant('type', String(paymentInstruction['type'])),
      field('asset', { bad: word(assets, 'XBT').bad, good: assets }),
      ...('rail' in paymentInstruction ? [railOf(paymentInstruction)] : []),
      ...fields,
    ]),
  ],
}));
