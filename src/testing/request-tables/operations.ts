import { fundingRails } from '../../contract/shared/rails.js';
import { amount, field, optionalField, object, withPrefix, uuid, word, type Field, type Kind } from '../field-tables.js';
import { unknownId, asset, type RequestTable } from './table.js';

const quoteFields = (sourceAmount: Field, targetAmount: Field): Field[] => [
  field('accountId', uuid),
  field('sourceAsset', asset),
  field('targetAsset', asset),
  sourceAmount,
  targetAmount,
];
/** The other amount of a quote, which must be absent. The error names `sourceAmount`. */
const notBoth: Kind = { bad: [{ value: '1.00', code: 'MUTUALLY_EXCLUSIVE_AMOUNTS', at: 'sourceAmount', isAlone: true }], good: [] };
export const quotes: RequestTable[] = [
  {
    name: 'a quote of a source amount',
    method: 'POST',
    path: '/api/quotes',
    body: { accountId: '{accountId}', sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: '100.00' },
    fields: quoteFields(
      field('sourceAmount', amount('sourceAsset'), { missing: 'MISSING_AMOUNT', missingKnownBy: ['targetAmount'] }),
      optionalField('targetAmount', notBoth),
    ),
  },
  {
    name: 'a quote of a target amount',
    method: 'POST',
    path: '/api/quotes',
    body: { accountId: '{accountId}', sourceAsset: 'USD', targetAsset: 'BRL', targetAmount: '100.00' },
    fields: quoteFields(
      optionalField('sourceAmount', notBoth),
      field('targetAmount', amount('targetAsset'), {
        missing: 'MISSING_AMOUNT',
        missingAt: 'sourceAmount',
        missingKnownBy: ['sourceAmount'],
      }),
    ),
  },
];

const reference = [field('type', { ...word(['REFERENCE']), good: ['REFERENCE'] }), field('id', uuid)];
export const operations: RequestTable[] = [
  {
    name: 'a withdrawal',
    method: 'POST',
    path: '/api/operations/withdrawal',
    body: {
      accountId: unknownId,
      quoteId: unknownId,
      beneficiary: { type: 'REFERENCE', id: unknownId, paymentInstruction: { type: 'REFERENCE', id: unknownId } },
    },
    fields: [
      field('accountId', uuid),
      field('quoteId', uuid),
      field('beneficiary', object),
      ...withPrefix('beneficiary', reference),
      field('beneficiary.paymentInstruction', object),
      ...withPrefix('beneficiary.paymentInstruction', reference),
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
      quoteId: unknownId,
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
      optionalField('quoteId', uuid),
    ],
  },
  {
    name: 'a swap',
    method: 'POST',
    path: '/api/operations/swap',
    body: { accountId: unknownId, quoteId: unknownId },
    fields: [field('accountId', uuid), field('quoteId', uuid)],
  },
  {
    name: 'a deposit by a bank',
    method: 'POST',
    path: '/api/operations/deposit',
    body: { accountId: unknownId, quoteId: unknownId, fundingInstruction: { rail: 'TED' } },
    fields: [
      field('accountId', uuid),
      field('quoteId', uuid),
      field('fundingInstruction', object),
      field('fundingInstruction.rail', word([...fundingRails], 'PIGEON'), { decides: true }),
    ],
  },
  {
    name: 'a deposit in a stablecoin',
    method: 'POST',
    path: '/api/operations/deposit',
    body: { accountId: unknownId, quoteId: unknownId, fundingInstruction: { rail: 'CRYPTO', network: 'POLYGON' } },
    fields: [
      field('accountId', uuid),
      field('quoteId', uuid),
      field('fundingInstruction', object),
      field('fundingInstruction.rail', word(['CRYPTO']), { decides: true }),
      optionalField('fundingInstruction.network', word(['ETHEREUM', 'POLYGON', 'SOLANA', 'TRON'], 'BITCOIN')),
    ],
  },
];
