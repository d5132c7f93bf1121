import type { Amount } from '../../contract/shared/common.js';
import type { Operation } from '../../contract/public/operations.js';

/** Money that an operation adds to or takes from an account of the customer when it settles. */
export interface Movement {
  readonly direction: 'INFLOW' | 'OUTFLOW';
  readonly accountId: string;
  readonly amount: Amount;
}

/** Returns the movements of an operation when it settles, outflows first. */
export function movementsOf(operation: Pick<Operation, 'account' | 'intent' | 'sourceAmount' | 'targetAmount'>): Movement[] {
  const { account, intent, sourceAmount, targetAmount } = operation;
  const outflow: Movement = { direction: 'OUTFLOW', accountId: account.id, amount: sourceAmount };
  const inflow = (accountId: string): Movement => ({ direction: 'INFLOW', accountId, amount: targetAmount });
  switch (intent.type) {
    case 'WITHDRAWAL':
      return [outflow];
    case 'DEPOSIT':
      return [inflow(account.id)];
    case 'TRANSFER':
      return [outflow, inflow(intent.targetAccount.id)];
    case 'SWAP':
      return [outflow, inflow(account.id)];
  }
}
