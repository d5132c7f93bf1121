import { assetDecimals, type AssetCode } from '../../../../../contract/shared/common.js';
import { objectOf, type Call } from '../../call.js';

/** An amount in a request, of any JSON type. */
export interface GivenAmount {
  readonly field: string;
  readonly value: unknown;
  /** Number of decimal places of its asset; null if the asset is unknown. */
  readonly decimals: number | null;
}

const decimalsOf = (asset: unknown) =>
  typeof asset === 'string' && Object.hasOwn(assetDecimals, asset) ? assetDecimals[asset as AssetCode] : null;

/** The operations with amounts in their requests. */
export const amountOperations: ReadonlySet<string> = new Set(['createQuote', 'createTransfer']);

/** Returns the amounts in a request of one of these operations. */
export function amountsOf(call: Call): readonly GivenAmount[] {
  const { body } = call;
  if (call.operationId === 'createQuote') {
    return [
      { field: 'sourceAmount', value: body['sourceAmount'], decimals: decimalsOf(body['sourceAsset']) },
      { field: 'targetAmount', value: body['targetAmount'], decimals: decimalsOf(body['targetAsset']) },
    ];
  }
  // Some clients send a number instead of an amount object.
  if (typeof body['amount'] === 'number') return [{ field: 'amount', value: body['amount'], decimals: null }];
  const { value, asset } = objectOf(body['amount']);
  return [{ field: 'amount.value', value, decimals: decimalsOf(asset) }];
}
