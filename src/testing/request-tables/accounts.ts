import { companyRequest, individualRequest, uboRequest } from '../onboarding.js';
import {
  day,
  field,
  filledList,
  flag,
  optionalField,
  object,
  share,
  text,
  withPrefix,
  word,
  type Field,
  type Kind,
} from '../field-tables.js';
import { assetCodes, asset, cpf, cnpj, taxId, address, postalAddress, variant, place, type RequestTable } from './table.js';

const ownerAssets = [
  field('assets', filledList),
  field('assets[0]', object, { missing: null }),
  field('assets[0].code', { bad: asset.bad, good: assetCodes.filter((each) => each !== 'USDC') }),
  optionalField('assets[0].isVirtual', flag),
  field('assets[1]', object, { missing: null }),
  field('assets[1].code', { bad: [...asset.bad, { value: 'BRL', code: 'DUPLICATE_ENTRY', knownBy: ['assets[0].code'] }], good: ['USDC'] }),
  optionalField('assets[1].isVirtual', flag),
];
export const accounts: RequestTable[] = [
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
      ...withPrefix('owner.taxId', taxId(cnpj)),
      field('owner.industry', word(['INFORMATION_TECHNOLOGY', 'OTHERS'], 'GARDENING')),
      optionalField('owner.incorporateDate', day),
      ...withPrefix('owner', address),
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
      ...withPrefix('owner.taxId', taxId(cpf)),
      optionalField('owner.birthDate', day),
      ...withPrefix('owner', address),
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
  ...withPrefix('taxId', taxId(cpf)),
  required('address', object),
  ...withPrefix('address', postalAddress),
  optionalField('ownershipPercentage', share, { isNullable: true }),
  optionalField('phone', text(40)),
  optionalField('email', email),
  optionalField('isLegalRepresentative', flag),
];
export const ubos: RequestTable[] = [
  { name: 'a beneficial owner', method: 'POST', path: '/api/accounts/{companyId}/ubos', body: uboBody, fields: uboFields(field) },
  {
    name: 'a change of a beneficial owner',
    method: 'PATCH',
    path: '/api/accounts/{companyId}/ubos/{uboId}',
    body: uboBody,
    fields: uboFields(optionalField),
  },
];
