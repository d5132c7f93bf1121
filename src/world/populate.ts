import { hash } from 'node:crypto';
import type { AssetCode } from '../contract/common.js';
import { durationMs } from '../contract/duration.js';
import { createAccount, type AccountRecord } from '../domain/account.js';
import { forceAccount, withRequirements } from '../domain/account-moves.js';
import { addUbo } from '../domain/account-owners.js';
import { createBeneficiary, reviewInstruction } from '../domain/beneficiary.js';

import { concludeReview, moveDocument, submitDocument } from '../domain/document.js';
import { customerLedger } from '../domain/ledger.js';
import { amountOf, minorUnits } from '../domain/money.js';
import { documentReason, reason } from '../domain/reasons.js';
import { dropDocuments } from './account-life.js';
import { clockFrom, readClock } from './clock.js';
import { endPast, processPast, requestPast } from './history.js';
import { balanceOf, credit } from './ledger.js';
import type { Population, ReferenceData } from './reference-data.js';
import { applyChanges, emptyState, type IdentityRecord, type State } from './state.js';
import { UnitOfWork } from './unit-of-work.js';

/** The state of a world as it is created: its clock, its scenario and, if asked for, the people and money of the fixtures. */
export function freshState(identity: IdentityRecord, data: ReferenceData, realMs: number): State {
  const state = emptyState();
  const clock = clockFrom(identity.clock, realMs);
  state.identity.set('identity', identity);
  state.clock.set('clock', clock);
  const nowMs = readClock(clock, realMs);
  state.scenario.set('scenario', { id: 'scenario', name: identity.scenario, inline: null, since: new Date(nowMs).toISOString() });
  if (identity.fixtures === 'default') populate(state, nowMs, data);
  return state;
}

/** Lets the people of the fixtures arrive and their operations happen, each at its time; the balances are those of now. */
function populate(state: State, nowMs: number, { population, documents, pricing }: ReferenceData): void {
  const back = (ago: string, afterMs: number, verb: (uow: UnitOfWork) => void) => {
    const uow = new UnitOfWork(state, nowMs + afterMs - (durationMs(ago) ?? 0), 'fixtures');
    verb(uow);
    applyChanges(state, uow.changes());
  };
  const { accounts, beneficiaries, operations } = population;
  for (const fixture of accounts) back(fixture.ago, 0, (uow) => addAccount(uow, fixture, documents));
  for (const fixture of beneficiaries) back(fixture.ago, 0, (uow) => addBeneficiary(uow, fixture));
  for (const past of operations) {
    let id = '';
    back(past.ago, 0, (uow) => (id = requestPast(uow, past, pricing)));
    back(past.ago, 1000, (uow) => processPast(uow, id));
    back(past.ago, 3000, (uow) => endPast(uow, id, past));
  }
  // Only now is it known what an account must have had at first to have today's balance.
  for (const [index, accountId] of [...state.accounts.keys()].entries()) {
    const { ago, balances } = accounts[index]!;
    back(ago, 0, (uow) => {
      for (const [asset, value] of Object.entries(balances) as [AssetCode, string][]) {
        const before = minorUnits(amountOf(value, asset).value) - balanceOf(uow, customerLedger(accountId), asset);
        credit(uow, accountId, asset, before);
      }
    });
  }
}

function addAccount(uow: UnitOfWork, fixture: Population['accounts'][number], documents: ReferenceData['documents']): void {
  const created = createAccount(uow, uow.identity.customerId, fixture.request, documents, uow.count('account'));
  const account = onboard(uow, fixture, created);
  uow.put('accounts', fixture.status === 'ACTIVE' ? forceAccount(uow, account, 'ACTIVE', null).account : account);
}

function addBeneficiary(uow: UnitOfWork, { status, request }: Population['beneficiaries'][number]): void {
  const { beneficiary, instruction } = createBeneficiary(uow, uow.identity.customerId, request, uow.count('beneficiary'));
  const why = status === 'REJECTED' ? reason('instructionRejected', 'HOLDER_MISMATCH') : null;
  const row = status === 'PENDING_REVIEW' ? beneficiary : reviewInstruction(uow, beneficiary, instruction.id, status, why).beneficiary;
  uow.put('beneficiaries', row);
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
      sha256: hash('sha256', fileName),
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
