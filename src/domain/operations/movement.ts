import type { Amount } from '../../contract/shared/common.js';
import type { Operation } from '../../contract/public/operations.js';

/** Money that an operation brings to an account of the customer, or takes from it, when it settles. */
export interface Movement {
  readonly direction: 'INFLOW' | 'OUTFLOW';
  readonly accountId: string;
  readonly amount: Amount;
}

/** What an operation does to the customer's accounts when it settles, what is paid before what is received. */
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
