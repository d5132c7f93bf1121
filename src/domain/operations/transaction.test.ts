import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AssetCode } from '../../contract/shared/common.js';
import { fundingOrder, fundingRailsOf, networksOf } from '../../contract/shared/rails.js';
import { TransactionSchema } from '../../contract/public/transactions.js';
import { deriveCode, deriveUuid } from '../../world/ids.js';
import type { Context } from '../context.js';
import { amountOf } from '../money.js';
import { paidByRail, transactionView, type PaymentRoute } from './transaction.js';

let drawn = 0;
const context: Context = {
  now: '2028-02-29T23:59:59.999Z',
  causeId: 'test',
  newId: (kind) => deriveUuid('seed', kind, String((drawn += 1))),
  newCode: (kind, length) => deriveCode(length, 'seed', kind, String((drawn += 1))),
  deriveId: (kind, key) => deriveUuid('seed', kind, key),
};

const routes: (PaymentRoute & { asset: AssetCode })[] = fundingOrder.flatMap((asset) =>
  fundingRailsOf(asset).flatMap((rail): (PaymentRoute & { asset: AssetCode })[] =>
    rail === 'CRYPTO' ? networksOf(asset).map((network) => ({ asset, rail, network })) : [{ asset, rail }],
  ),
);

/** Returns the id that identifies a payment on its rail, and whether the format of this id is valid. */
function isTraceable(transaction: ReturnType<typeof transactionView>): [trace: string, isRight: boolean] {
  switch (transaction.type) {
    case 'PIX':
      return [transaction.endToEnd, /^E[0-9]{8}202802292359[0-9A-Za-z]{11}$/.test(transaction.endToEnd)];
    case 'SWIFT':
      return [transaction.uetr, z.uuidv4().safeParse(transaction.uetr).success];
    case 'CRYPTO': {
      const { network, transactionHash: hash } = transaction;
      if (network === 'SOLANA') return [hash, base58.decode(hash).length === 64];
      return [hash, (network === 'TRON' ? /^[0-9a-f]{64}$/ : /^0x[0-9a-f]{64}$/).test(hash)];
    }
    default:
      return [transaction.id, true];
  }
}

describe('a payment by a rail', () => {
  it.each(routes)('has a unique, valid id on its rail: 1,000 payments in $asset by $rail $network', ({ asset, ...route }) => {
    const traces = new Set<string>();
    for (let count = 0; count < 1000; count += 1) {
      const shown = transactionView(paidByRail(context, 'DEBIT', amountOf('10', asset), route));
      expect(TransactionSchema.parse(shown)).toEqual(shown);
      const [trace, isRight] = isTraceable(shown);
      expect(isRight, trace).toBe(true);
      traces.add(trace);
    }
    expect(traces.size).toBe(1000);
  });
});
