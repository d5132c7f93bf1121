import { createHash } from 'node:crypto';
import type { AssetCode } from '../contract/common.js';
import { createAccount, type AccountRecord } from '../domain/account.js';
import { forceAccount, withRequirements } from '../domain/account-moves.js';
import { addUbo } from '../domain/account-owners.js';
import { createBeneficiary, reviewInstruction } from '../domain/beneficiary.js';
import { concludeReview, moveDocument, submitDocument } from '../domain/document.js';
import { amountOf, minorUnits } from '../domain/money.js';
import { documentReason, reason } from '../domain/reasons.js';
import { dropDocuments } from './account-life.js';
import { clockFrom, readClock } from './clock.js';
import { credit } from './ledger.js';
import type { Population, ReferenceData } from './reference-data.js';
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
  for (const fixture of population.accounts) {
    const account = onboard(uow, fixture, createAccount(uow, customerId, fixture.request, documents, uow.count('account')));
    uow.put('accounts', fixture.status === 'ACTIVE' ? forceAccount(uow, account, 'ACTIVE', null).account : account);
    for (const [asset, value] of Object.entries(fixture.balances) as [AssetCode, string][])
      credit(uow, account.id, asset, minorUnits(amountOf(value, asset).value));
  }
  for (const { status, request } of population.beneficiaries) {
    const { beneficiary, instruction } = createBeneficiary(uow, customerId, request, uow.count('beneficiary'));
    const why = status === 'REJECTED' ? reason('instructionRejected', 'HOLDER_MISMATCH') : null;
    const row = status === 'PENDING_REVIEW' ? beneficiary : reviewInstruction(uow, beneficiary, instruction.id, status, why).beneficiary;
    uow.put('beneficiaries', row);
  }
}

/** An account with the owners of its fixture, and the documents that were brought for it so far. */
function onboard(uow: UnitOfWork, fixture: Population['accounts'][number], created: AccountRecord): AccountRecord {
  let account = created;
  for (const request of fixture.ubos) {
    const added = addUbo(uow, account, request);
    uow.put('ubos', { id: added.ubo.id, accountId: account.id });
    ({ account } = added);
  }
  for (const { ubo, fileName, outcome, ...request } of fixture.documents) {
    const holder =
      ubo === undefined
        ? { type: 'ACCOUNT' as const, referenceId: account.id }
        : { type: 'UBO' as const, referenceId: account.ubos[ubo]!.id };
    // There is no file; its facts only have to be the same each time.
    const file = {
      name: fileName,
      size: 48_211,
      mediaType: 'application/pdf' as const,
      sha256: createHash('sha256').update(fileName).digest('hex'),
    };
    const submitted = submitDocument(uow, account, { ...request, holder }, file, uow.count('document'));
    const why = outcome === 'REJECTED' ? documentReason('ILLEGIBLE') : null;
    uow.put('documents', moveDocument(uow, submitted.document, outcome, why));
    const { requirements, dropped } = concludeReview(submitted.requirements, submitted.document.id, outcome, why);
    dropDocuments(uow, dropped);
    account = withRequirements(uow, account, requirements);
  }
  return account;
}
