import type { AssetCode } from '../contract/common.js';
import { createAccount, type AccountRecord } from '../domain/account.js';
import { createBeneficiary, reviewInstruction } from '../domain/beneficiary.js';
import { enter } from '../domain/machine.js';
import { amountOf, minorUnits } from '../domain/money.js';
import { reason } from '../domain/reasons.js';
import { clockFrom, readClock } from './clock.js';
import { credit } from './ledger.js';
import type { ReferenceData } from './reference-data.js';
import { applyChanges, emptyState, type IdentityRecord, type State } from './state.js';
import { UnitOfWork } from './unit-of-work.js';

/** The state of a world as it is created: its clock, its scenario and, if asked for, the people and money of the fixtures. */
export function freshState(identity: IdentityRecord, data: ReferenceData, realMs: number): State {
  const state = emptyState();
  const clock = clockFrom(identity.clock, realMs);
  state.identity.set('identity', identity);
  state.clock.set('clock', clock);
  const now = new Date(readClock(clock, realMs)).toISOString();
  state.scenario.set('scenario', { id: 'scenario', name: identity.scenario, inline: null, since: now });
  if (identity.fixtures === 'default') {
    const uow = new UnitOfWork(state, now, 'fixtures');
    populate(uow, data);
    applyChanges(state, uow.changes());
  }
  return state;
}

function populate(uow: UnitOfWork, { population, documents }: ReferenceData): void {
  const { customerId } = uow.identity;
  for (const { status, request, balances } of population.accounts) {
    const account = createAccount(uow, customerId, request, documents, uow.count('account'));
    uow.put('accounts', status === 'ACTIVE' ? activated(uow, account) : account);
    for (const [asset, value] of Object.entries(balances) as [AssetCode, string][])
      credit(uow, account.id, asset, minorUnits(amountOf(value, asset).value));
  }
  for (const { status, request } of population.beneficiaries) {
    const { beneficiary, instruction } = createBeneficiary(uow, customerId, request, uow.count('beneficiary'));
    const why = status === 'REJECTED' ? reason('instructionRejected', 'HOLDER_MISMATCH') : null;
    const row = status === 'PENDING_REVIEW' ? beneficiary : reviewInstruction(uow, beneficiary, instruction.id, status, why).beneficiary;
    uow.put('beneficiaries', row);
  }
}

/** An account that has gone all the way: requirements satisfied, assets open. */
function activated(uow: UnitOfWork, account: AccountRecord): AccountRecord {
  return {
    ...account,
    assets: account.assets.map((each) => ({ ...each, status: 'ACTIVE' as const })),
    requirements: {
      ...account.requirements,
      currentlyDue: [],
      satisfied: account.requirements.currentlyDue.filter((each) => each.type !== 'INFORMATION'),
    },
    states: [...account.states, enter(uow, 'REVIEWING'), enter(uow, 'OPENING'), enter(uow, 'ACTIVE')],
  };
}
