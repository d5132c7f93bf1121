import { companyRequest, individualRequest, uboRequest } from './onboarding.js';
import { pixBeneficiary } from './harness.js';
import {
  amount,
  day,
  field,
  filledList,
  flag,
  identifier,
  list,
  maybe,
  object,
  ofCreation,
  share,
  taxNumber,
  text,
  textFlag,
  under,
  uuid,
  word,
  type Field,
  type Kind,
} from './field-tables.js';

/** A request of the public API, complete and right, with its fields in the order of the specification. */
export interface RequestTable {
  readonly name: string;
  readonly method: 'POST' | 'PATCH';
  /** `{accountId}` and the like stand for ids that exist. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Names without `body:`. */
  readonly fields: readonly Field[];
}

const nobody = '0b6f4a3e-5d0c-4d7e-9a51-6d2f8a4c1e77';
const assetCodes = 'USD BRL EUR CAD AUD GBP MXN HKD SGD PHP NZD CHF NOK DKK PLN SEK USDC USDT EURC BRLT'.split(' ');
const asset = word(assetCodes, 'XBT', 'BRLX');
const cpf = taxNumber('type', ['271.828.182-05', '27182818205'], '271.828.182-06', '11111111111');
const cnpj = taxNumber('type', ['42.273.345/0001-69'], '42273345000168', '00000000000000');
const taxId = (number: Kind): Field[] => [field('value', number), field('type', { ...word(['CPF'], 'CPF_OR_CNPJ'), good: [] })];
const postalAddress: Field[] = [
  field('addressLine1', text(200)),
  maybe('addressLine2', text(200), { isNullable: true }),
  field('city', text(120)),
  field('state', text(120)),
  field('country', word(['BR', 'US', 'PT'], 'XX', 'BRA', 'Brazil')),
  field('postalCode', text(20)),
];
const address = [field('address', object), ...under('address', postalAddress)];
const maybeAddress = [maybe('address', object), ...under('address', postalAddress)];
const variant = (name: string, own: string) => field(name, { ...word([own]), good: [] }, { decides: true });
const ownerAssets = [
  field('assets', filledList),
  field('assets[0]', object, { missing: null }),
  field('assets[0].code', { bad: asset.bad, good: assetCodes.filter((each) => each !== 'USDC') }),
  maybe('assets[0].isVirtual', flag),
  field('assets[1]', object, { missing: null }),
  field('assets[1].code', { bad: [...asset.bad, { value: 'BRL', code: 'DUPLICATE_ENTRY', knownBy: ['assets[0].code'] }], good: ['USDC'] }),
  maybe('assets[1].isVirtual', flag),
];
const place = { addressLine1: 'Rua 1', addressLine2: 'Sala 2', city: 'Rio Claro', state: 'SP', country: 'BR', postalCode: '13500-000' };

const accounts: RequestTable[] = [
  {
    name: 'an account of a company',
    method: 'POST',
    path: '/api/accounts',
    body: companyRequest({ incorporateDate: '2014-03-10', address: place }, [
      { code: 'BRL', isVirtual: true },
      { code: 'USDC', isVirtual: false },
    ]),
    fields: [
      ...ownerAssets,
      field('owner', object),
      variant('owner.type', 'COMPANY'),
      field('owner.legalName', text(120)),
      field('owner.taxId', object),
      ...under('owner.taxId', taxId(cnpj)),
      field('owner.industry', word(['INFORMATION_TECHNOLOGY', 'OTHERS'], 'GARDENING')),
      maybe('owner.incorporateDate', day),
      ...under('owner', address),
    ],
  },
  {
    name: 'an account of an individual',
    method: 'POST',
    path: '/api/accounts',
    body: individualRequest({ birthDate: '1986-04-17', address: place }, [
      { code: 'BRL', isVirtual: true },
      { code: 'USDC', isVirtual: false },
    ]),
    fields: [
      ...ownerAssets,
      field('owner', object),
      variant('owner.type', 'INDIVIDUAL'),
      field('owner.firstName', text(120)),
      field('owner.lastName', text(120)),
      field('owner.taxId', object),
      ...under('owner.taxId', taxId(cpf)),
      maybe('owner.birthDate', day),
      ...under('owner', address),
    ],
  },
];

const uboBody = uboRequest({ address: place, isLegalRepresentative: true });
const email: Kind = {
  bad: [
    ...text(254).bad.filter(({ value }) => value !== ' \t'),
    ...['nobody', 'a@b', '@example.com', 'a b@example.com'].map((value) => ({ value, code: 'INVALID_FORMAT' as const })),
  ].filter(({ code }) => code !== 'OUT_OF_RANGE'),
  good: ['a@b.co'],
};
const uboFields = (required: (name: string, kind: Kind) => Field): Field[] => [
  required('name', text(120)),
  required('taxId', object),
  ...under('taxId', taxId(cpf)),
  required('address', object),
  ...under('address', postalAddress),
  maybe('ownershipPercentage', share, { isNullable: true }),
  maybe('phone', text(40)),
  maybe('email', email),
  maybe('isLegalRepresentative', flag),
];
const ubos: RequestTable[] = [
  { name: 'a beneficial owner', method: 'POST', path: '/api/accounts/{companyId}/ubos', body: uboBody, fields: uboFields(field) },
  {
    name: 'a change of a beneficial owner',
    method: 'PATCH',
    path: '/api/accounts/{companyId}/ubos/{uboId}',
    body: uboBody,
    fields: uboFields(maybe),
  },
];

const individualHolder: Field[] = [
  field('holder', object),
  variant('holder.type', 'INDIVIDUAL'),
  field('holder.firstName', text(120)),
  field('holder.lastName', text(120)),
  field('holder.taxId', object),
  ...under('holder.taxId', taxId(cpf)),
  field('holder.dateOfBirth', day),
  ...under('holder', maybeAddress),
];
const companyHolder: Field[] = [
  field('holder', object),
  variant('holder.type', 'COMPANY'),
  field('holder.legalName', text(120)),
  maybe('holder.tradeName', text(120)),
  field('holder.taxId', object),
  ...under('holder.taxId', taxId(cnpj)),
  ...under('holder', maybeAddress),
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
/** Instructions by kind: the one that is sent, its fields, and whether they start with a rail. */
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
      maybe('accountType', word(['CHECKING', 'SAVINGS'], 'SALARY')),
    ],
  ],
  [
    'an account in SEPA',
    { type: 'BANK_ACCOUNT', asset: 'EUR', rail: 'SEPA', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    ['EUR'],
    [
      field('iban', identifier(['DE88370400440532013000', 'BR1500000000000010932840814P2'], 'de89 3704 0044 0532 0130 00')),
      maybe('bic', bic),
    ],
  ],
  [
    'an account abroad',
    { type: 'BANK_ACCOUNT', asset: 'GBP', rail: 'SWIFT', bic: 'BUKBGB22', iban: 'GB29NWBK60161331926819' },
    assetCodes.slice(2, 16),
    [
      field('bic', bic),
      field('iban', identifier(['GB28NWBK60161331926819'], 'BR1500000000000010932840814P2'), { missingKnownBy: ['accountNumber'] }),
      maybe('accountNumber', {
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

/** BRL has one rail to a bank account, which may be left out. */
const railOf = (instruction: Record<string, unknown>): Field => ({
  ...variant('rail', String(instruction['rail'])),
  ...(instruction['asset'] === 'BRL' ? { missing: null } : {}),
});

const beneficiaries = instructions.map(([name, paymentInstruction, assets, fields], index): RequestTable => ({
  name: `a beneficiary with ${name}`,
  method: 'POST',
  path: '/api/beneficiaries',
  body: { holder: index % 2 === 0 ? person : firm, relationshipType: 'THIRD_PARTY', paymentInstruction },
  fields: [
    ...(index % 2 === 0 ? individualHolder : companyHolder),
    relationship,
    field('paymentInstruction', object),
    ...under('paymentInstruction', [
      variant('type', String(paymentInstruction['type'])),
      field('asset', { bad: word(assets, 'XBT').bad, good: assets }),
      ...('rail' in paymentInstruction ? [railOf(paymentInstruction)] : []),
      ...fields,
    ]),
  ],
}));

const quoteFields = (sourceAmount: Field, targetAmount: Field): Field[] => [
  field('accountId', uuid),
  field('sourceAsset', asset),
  field('targetAsset', asset),
  sourceAmount,
  targetAmount,
];
/** The other side of a quote: it must not be there as well, which is said of sourceAmount. */
const notBoth: Kind = { bad: [{ value: '1.00', code: 'MUTUALLY_EXCLUSIVE_AMOUNTS', at: 'sourceAmount', isAlone: true }], good: [] };
const quotes: RequestTable[] = [
  {
    name: 'a quote of a source amount',
    method: 'POST',
    path: '/api/quotes',
    body: { accountId: '{accountId}', sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: '100.00' },
    fields: quoteFields(
      field('sourceAmount', amount('sourceAsset'), { missing: 'MISSING_AMOUNT', missingKnownBy: ['targetAmount'] }),
      maybe('targetAmount', notBoth),
    ),
  },
  {
    name: 'a quote of a target amount',
    method: 'POST',
    path: '/api/quotes',
    body: { accountId: '{accountId}', sourceAsset: 'USD', targetAsset: 'BRL', targetAmount: '100.00' },
    fields: quoteFields(
      maybe('sourceAmount', notBoth),
      field('targetAmount', amount('targetAsset'), {
        missing: 'MISSING_AMOUNT',
        missingAt: 'sourceAmount',
        missingKnownBy: ['sourceAmount'],
      }),
    ),
  },
];

const reference = [field('type', { ...word(['REFERENCE']), good: ['REFERENCE'] }), field('id', uuid)];
const operations: RequestTable[] = [
  {
    name: 'a withdrawal',
    method: 'POST',
    path: '/api/operations/withdrawal',
    body: {
      accountId: nobody,
      quoteId: nobody,
      beneficiary: { type: 'REFERENCE', id: nobody, paymentInstruction: { type: 'REFERENCE', id: nobody } },
    },
    fields: [
      field('accountId', uuid),
      field('quoteId', uuid),
      field('beneficiary', object),
      ...under('beneficiary', reference),
      field('beneficiary.paymentInstruction', object),
      ...under('beneficiary.paymentInstruction', reference),
    ],
  },
  {
    name: 'a transfer',
    method: 'POST',
    path: '/api/operations/transfer',
    body: {
      sourceAccountId: '{accountId}',
      targetAccountId: '{otherAccountId}',
      amount: { value: '12.50', asset: 'BRL' },
      quoteId: nobody,
    },
    fields: [
      field('sourceAccountId', uuid),
      field('targetAccountId', {
        bad: [...uuid.bad, { value: '{accountId}', code: 'ACCOUNTS_MUST_DIFFER', knownBy: ['sourceAccountId'] }],
        good: uuid.good,
      }),
      field('amount', object),
      field('amount.value', amount('amount.asset')),
      field('amount.asset', asset),
      maybe('quoteId', uuid),
    ],
  },
  {
    name: 'a swap',
    method: 'POST',
    path: '/api/operations/swap',
    body: { accountId: nobody, quoteId: nobody },
    fields: [field('accountId', uuid), field('quoteId', uuid)],
  },
  {
    name: 'a deposit by a bank',
    method: 'POST',
    path: '/api/operations/deposit',
    body: { accountId: nobody, quoteId: nobody, fundingInstruction: { rail: 'TED' } },
    fields: [
      field('accountId', uuid),
      field('quoteId', uuid),
      field('fundingInstruction', object),
      field(
        'fundingInstruction.rail',
        word(['PIX_KEY', 'PIX_STATIC_QR_CODE', 'TED', 'BOLETO', 'CRYPTO', 'WIRE', 'ACH', 'SWIFT', 'SEPA'], 'PIGEON'),
        { decides: true },
      ),
    ],
  },
  {
    name: 'a deposit in a stablecoin',
    method: 'POST',
    path: '/api/operations/deposit',
    body: { accountId: nobody, quoteId: nobody, fundingInstruction: { rail: 'CRYPTO', network: 'POLYGON' } },
    fields: [
      field('accountId', uuid),
      field('quoteId', uuid),
      field('fundingInstruction', object),
      field('fundingInstruction.rail', word(['CRYPTO']), { decides: true }),
      maybe('fundingInstruction.network', word(['ETHEREUM', 'POLYGON', 'SOLANA', 'TRON'], 'BITCOIN')),
    ],
  },
];

const urls: Kind = {
  bad: [
    ...text(2048).bad.filter(({ code }) => code === 'INVALID_TYPE'),
    ...['', 'nope', 'ftp://example.com/', 'http://example.com/', 'https://169.254.169.254/', '//example.com'].map((value) => ({
      value,
      code: 'URL_NOT_ALLOWED' as const,
    })),
    { value: `https://example.com/${'x'.repeat(2029)}`, code: 'OUT_OF_RANGE' },
  ],
  good: ['https://example.com', `https://example.com/${'x'.repeat(2028)}`],
};
const resources: Field[] = [
  field('resources[0]', object, { missing: null }),
  field('resources[0].name', { ...word(['OPERATION'], 'WORLD'), good: [] }),
  maybe('resources[0].events', list),
  field(
    'resources[0].events[0]',
    {
      bad: [
        ...word(['OPERATION_REQUESTED'], 'OPERATION_PROCESSING').bad,
        { value: 'ASSET_ACTIVATED', code: 'INVALID_ENUM', knownBy: ['resources[0].name'] },
      ],
      good: ['OPERATION_REQUESTED', 'OPERATION_FAILED'],
    },
    { missing: null },
  ),
  field('resources[1]', object, { missing: null }),
  field('resources[1].name', {
    bad: [...word(['ACCOUNT']).bad, { value: 'OPERATION', code: 'DUPLICATE_ENTRY', knownBy: ['resources[0].name'] }],
    good: ['BENEFICIARY', 'ACCOUNT'],
  }),
];
const subscriptions: RequestTable[] = [
  {
    name: 'a subscription',
    method: 'POST',
    path: '/api/subscriptions',
    body: {
      url: 'https://hooks.example.com/',
      includeAll: false,
      resources: [{ name: 'OPERATION', events: ['OPERATION_COMPLETED'] }, { name: 'ACCOUNT' }],
      allowRetry: true,
    },
    fields: [
      field('url', urls),
      maybe('includeAll', { ...flag, good: [false] }),
      field('resources', filledList, { isOptional: true }),
      ...resources,
      maybe('allowRetry', flag),
    ],
  },
];

const tokens: RequestTable[] = [
  {
    name: 'a token',
    method: 'POST',
    path: '/api/oauth/client/token',
    body: { clientId: 'sandbox', clientSecret: 'sandbox-secret' },
    fields: [field('clientId', text(200)), field('clientSecret', text(200))],
  },
];

const documents: RequestTable[] = [
  {
    name: 'a document with two sides',
    method: 'POST',
    path: '/api/documents',
    body: {
      documentType: 'ID_CARD',
      documentSubType: 'FRONT_SIDE',
      holder: { type: 'UBO', referenceId: nobody },
      metadata: { country: 'BR', issuedAt: '2026-11-02', description: 'x', legalForm: 'LLC', apostilled: true },
    },
    fields: [
      field('documentType', word(['ID_CARD', 'DRIVER_LICENSE'], 'LETTER')),
      field('documentSubType', word(['FRONT_SIDE', 'BACK_SIDE'], 'LEFT_SIDE'), { missingKnownBy: ['documentType'] }),
      field('holder', object),
      field('holder.type', word(['ACCOUNT', 'UBO'], 'COMPANY')),
      field('holder.referenceId', uuid),
      field('metadata', object, { missingAt: 'metadata.country', missingKnownBy: ['documentType'] }),
      field('metadata.country', word(['BR', 'US'], 'XX'), { missingKnownBy: ['documentType'] }),
      maybe('metadata.issuedAt', day),
      maybe('metadata.description', text(500)),
      maybe('metadata.legalForm', word(['CORPORATION', 'LLC', 'LIMITED', 'LLP'], 'GMBH')),
      maybe('metadata.apostilled', textFlag),
    ],
  },
];

/** Every request with a body, once for each of its variants. */
export const requestTables: readonly RequestTable[] = [
  ...tokens,
  ...accounts,
  ...ubos,
  ...documents,
  ...beneficiaries,
  ...quotes,
  ...operations,
  ...subscriptions,
].map((table) => (table.method === 'POST' ? { ...table, fields: ofCreation(table.fields) } : table));
