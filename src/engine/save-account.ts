import { accountTransitions, accountView, assetId, assetSubject, uboSubject, type AccountRecord } from '../domain/accounts/account.js';
import { accountStatus } from '../domain/accounts/moves.js';
import { moveDocument } from '../domain/accounts/document.js';
import type { DomainEvent } from '../domain/event.js';
import { isFinal } from '../domain/machine.js';
import { isPending } from '../domain/accounts/ubo.js';
import { publish } from './outbox.js';
import { discardPlan, pausePlan, redirectPlan, startPlan } from './plans.js';
import type { UnitOfWork } from '../world/unit-of-work.js';

/**
 * Stores a changed account, and starts or ends the plans for its status. REVIEWING starts the reviews of the owners and, after the last
 * one, the review of the account. OPENING starts the plans of the assets.
 */
export function saveAccount(uow: UnitOfWork, account: AccountRecord, events: readonly DomainEvent[] = []): AccountRecord {
  const before = uow.require('accounts', account.id, 'account');
  uow.put('accounts', account);
  publish(uow, events);
  const from = accountStatus(before);
  const to = accountStatus(account);
  if (isFinal(accountTransitions, to)) discardPlans(uow, account);
  else if (to === 'REVIEWING') review(uow, account, from === 'REVIEWING' ? before : null);
  else if (from === 'REVIEWING') for (const { id } of account.ubos) discardPlan(uow, id);
  if (to === 'ACTION_REQUIRED') discardPlan(uow, account.id);
  if (to === 'OPENING' && from !== 'OPENING') {
    for (const each of account.assets) startPlan(uow, 'ASSET', assetId(account.id, each.asset), () => assetSubject(each, account));
  }
  return account;
}

/** @param before the account before the change, if it was already under review; else null */
function review(uow: UnitOfWork, account: AccountRecord, before: AccountRecord | null): void {
  const isWaiting = account.ubos.some(isPending);
  if (before === null) {
    for (const ubo of account.ubos.filter(isPending)) startPlan(uow, 'UBO', ubo.id, () => uboSubject(ubo, account));
    startPlan(uow, 'ACCOUNT', account.id, () => accountView(account));
    if (isWaiting) pausePlan(uow, account.id);
  } else if (!isWaiting && before.ubos.some(isPending)) {
    redirectPlan(uow, account.id, 'REVIEWING');
  }
}

function discardPlans(uow: UnitOfWork, { id, ubos, assets, requirements }: AccountRecord): void {
  const documents = requirements.flatMap((each) => each.documentId ?? []);
  for (const each of [id, ...ubos.map((ubo) => ubo.id), ...assets.map(({ asset }) => assetId(id, asset)), ...documents])
    discardPlan(uow, each);
}

/** Marks documents that no requirement needs any more as SUPERSEDED. */
export function dropDocuments(uow: UnitOfWork, ids: readonly string[]): void {
  for (const id of ids) {
    const document = uow.require('documents', id, 'document');
    const { status } = document.states.at(-1)!;
    if (status !== 'REJECTED') uow.put('documents', moveDocument(uow, document, 'SUPERSEDED', null));
    discardPlan(uow, id);
  }
}
