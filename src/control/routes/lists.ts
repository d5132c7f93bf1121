import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { accountFilters } from '../../domain/accounts/account-filters.js';
import { subscriptionFilters } from '../../domain/webhooks/subscription-filters.js';
import { accountView } from '../../domain/accounts/account.js';
import { subscriptionView } from '../../domain/webhooks/delivery.js';
import { beneficiaryView, type BeneficiaryRecord } from '../../domain/payees/beneficiary.js';
import { documentView, type DocumentRecord } from '../../domain/accounts/document.js';
import { historyFilters, instantFilters, tagFilters } from '../../domain/lists/common-fields.js';
import { decimal, text, type FilterFields } from '../../domain/lists/fields.js';
import { current } from '../../domain/machine.js';
import { operationView, type OperationRecord } from '../../domain/operations/operation.js';
import { page } from '../../web/page.js';
import type { ControlPlane } from '../plane.js';
import {
  listOperations,
  listWorldAccounts,
  listBeneficiaries,
  listDocuments,
  listWorldSubscriptions,
} from '../../contract/control/routes/lists.js';

/** The fields that operations can be filtered by. */
export const operationFilters: FilterFields<OperationRecord, FilterFieldOf<'operations'>> = {
  id: text(({ id }) => id),
  'account.id': text(({ account }) => account.id),
  'account.owner': text(({ account }) => account.owner),
  'sourceAmount.asset': text(({ sourceAmount }) => sourceAmount.asset),
  'sourceAmount.value': decimal(({ sourceAmount }) => sourceAmount.value),
  'targetAmount.asset': text(({ targetAmount }) => targetAmount.asset),
  'targetAmount.value': decimal(({ targetAmount }) => targetAmount.value),
  'intent.type': text(({ intent }) => intent.type),
  'intent.beneficiary.id': text(({ intent }) => (intent.type === 'WITHDRAWAL' ? intent.beneficiary.id : null)),
  'intent.targetAccount.id': text(({ intent }) => (intent.type === 'TRANSFER' ? intent.targetAccount.id : null)),
  'quote.id': text(({ quote }) => quote.id),
  'transactions.type': text(({ transactions }) => transactions.map(({ type }) => type)),
  ...historyFilters,
  'currentState.reason.code': text(({ states }) => current(states).reason?.code),
  ...tagFilters,
  ...instantFilters,
};

/** The fields that beneficiaries can be filtered by. */
export const beneficiaryFilters: FilterFields<BeneficiaryRecord, FilterFieldOf<'beneficiaries'>> = {
  id: text(({ id }) => id),
  status: text(({ states }) => current(states).status),
  relationshipType: text(({ relationshipType }) => relationshipType),
  'holder.type': text(({ holder }) => holder.type),
  'holder.firstName': text(({ holder }) => (holder.type === 'INDIVIDUAL' ? holder.firstName : null)),
  'holder.lastName': text(({ holder }) => (holder.type === 'INDIVIDUAL' ? holder.lastName : null)),
  'holder.legalName': text(({ holder }) => (holder.type === 'COMPANY' ? holder.legalName : null)),
  'holder.taxId.value': text(({ holder }) => holder.taxId?.value),
  'paymentInstructions.id': text(({ paymentInstructions }) => paymentInstructions.map(({ id }) => id)),
  'paymentInstructions.asset': text(({ paymentInstructions }) => paymentInstructions.map(({ asset }) => asset)),
  'paymentInstructions.type': text(({ paymentInstructions }) => paymentInstructions.map(({ type }) => type)),
  'paymentInstructions.status': text(({ paymentInstructions }) => paymentInstructions.map(({ states }) => current(states).status)),
  ...instantFilters,
};

/** The fields that documents can be filtered by. */
export const documentFilters: FilterFields<DocumentRecord, FilterFieldOf<'documents'>> = {
  id: text(({ id }) => id),
  accountId: text(({ accountId }) => accountId),
  'holder.type': text(({ holder }) => holder.type),
  'holder.referenceId': text(({ holder }) => holder.referenceId),
  documentType: text(({ documentType }) => documentType),
  documentSubType: text(({ documentSubType }) => documentSubType),
  attempt: decimal(({ attempt }) => attempt),
  'file.name': text(({ file }) => file.name),
  'file.mediaType': text(({ file }) => file.mediaType),
  ...historyFilters,
  ...instantFilters,
};

export function serveLists(plane: ControlPlane): void {
  plane.serve(listOperations, ({ query, session }) =>
    session.read((uow) => page(uow.list('operations'), query, `${uow.identity.name}/operations`, operationFilters, operationView)),
  );
  plane.serve(listBeneficiaries, ({ query, session }) =>
    session.read((uow) =>
      page(uow.list('beneficiaries'), query, `${uow.identity.name}/beneficiaries`, beneficiaryFilters, beneficiaryView),
    ),
  );
  plane.serve(listDocuments, ({ query, session }) =>
    session.read((uow) => page(uow.list('documents'), query, `${uow.identity.name}/documents`, documentFilters, documentView)),
  );
  plane.serve(listWorldAccounts, ({ query, session }) =>
    session.read((view) => page(view.list('accounts'), query, `${view.identity.name}/accounts`, accountFilters, accountView)),
  );
  plane.serve(listWorldSubscriptions, ({ query, session }) =>
    session.read((view) =>
      page(view.list('subscriptions'), query, `${view.identity.name}/subscriptions`, subscriptionFilters, subscriptionView),
    ),
  );
}
