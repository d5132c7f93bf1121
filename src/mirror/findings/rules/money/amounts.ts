import { assetDecimals, type AssetCode } from '../../../../contract/shared/common.js';
import { objectOf, type Call } from '../../call.js';

/** An amount of a request, of whatever type it came. */
export interface GivenAmount {
  readonly field: string;
  readonly value: unknown;
  /** How many fractional digits its asset has; null when the asset is none. */
  readonly decimals: number | null;
}

const decimalsOf = (asset: unknown) =>
  typeof asset === 'string' && Object.hasOwn(assetDecimals, asset) ? assetDecimals[asset as AssetCode] : null;

/** The operations whose requests bring amounts. */
export const amountOperations: ReadonlySet<string> = new Set(['createQuote', 'createTransfer']);

/** The amounts that a request of one of these operations brings. */
export function amountsOf(call: Call): GivenAmount[] {
  const { body } = call;
  if (call.operationId === 'createQuote') {
    return [
      { field: 'sourceAmount', value: body['sourceAmount'], decimals: decimalsOf(body['sourceAsset']) },
      { field: 'targetAmount', value: body['targetAmount'], decimals: decimalsOf(body['targetAsset']) },
    ];
  }
  const { value, asset } = objectOf(body['amount']);
  return [{ field: 'amount.value', value, decimals: decimalsOf(asset) }];
}
