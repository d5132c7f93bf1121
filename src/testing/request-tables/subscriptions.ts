import { field, filledList, flag, list, optionalField, object, text, word, type Field, type Kind } from '../field-tables.js';
import type { RequestTable } from './table.js';

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
  optionalField('resources[0].events', list),
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
export const subscriptions: RequestTable[] = [
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
      optionalField('includeAll', { ...flag, good: [false] }),
      field('resources', filledList, { isOptional: true }),
      ...resources,
      optionalField('allowRetry', flag),
    ],
  },
];
