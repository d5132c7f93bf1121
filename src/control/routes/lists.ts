import { BeneficiarySchema } from '../../contract/beneficiaries.js';
import { DocumentSchema } from '../../contract/documents.js';
import { OperationSchema } from '../../contract/operations.js';
import { beneficiaryView } from '../../domain/beneficiary.js';
import { documentView } from '../../domain/document.js';
import type { FilterFields } from '../../domain/filter.js';
import { operationView } from '../../domain/operation.js';
import { page } from '../../web/page.js';
import { defineList } from '../../web/route.js';
import type { ControlPlane } from '../plane.js';

const tag = 'Reads';

const listOperations = defineList({
  operationId: 'listOperations',
  path: '/_sandbox/operations',
  tag,
  summary: 'List operations',
  item: OperationSchema,
  named: 'Operation',
});

const listBeneficiaries = defineList({
  operationId: 'listBeneficiaries',
  path: '/_sandbox/beneficiaries',
  tag,
  summary: 'List beneficiaries',
  item: BeneficiarySchema,
  named: 'Beneficiary',
});

const listDocuments = defineList({
  operationId: 'listDocuments',
  path: '/_sandbox/documents',
  tag,
  summary: 'List the documents that were uploaded',
  item: DocumentSchema,
  named: 'Document',
});

const operationFilters: FilterFields = {
  id: 'TEXT',
  'account.id': 'TEXT',
  'account.owner': 'TEXT',
  'sourceAmount.asset': 'TEXT',
  'sourceAmount.value': 'DECIMAL',
  'targetAmount.asset': 'TEXT',
  'targetAmount.value': 'DECIMAL',
  'intent.type': 'TEXT',
  'intent.beneficiary.id': 'TEXT',
  'intent.targetAccount.id': 'TEXT',
  'quote.id': 'TEXT',
  'transactions.type': 'TEXT',
  'states.status': 'TEXT',
  'currentState.status': 'TEXT',
  'currentState.reason.code': 'TEXT',
  'tags.key': 'TEXT',
  'tags.value': 'TEXT',
  createdAt: 'TIMESTAMP',
  updatedAt: 'TIMESTAMP',
};

const beneficiaryFilters: FilterFields = {
  id: 'TEXT',
  status: 'TEXT',
  relationshipType: 'TEXT',
  'holder.type': 'TEXT',
  'holder.firstName': 'TEXT',
  'holder.lastName': 'TEXT',
  'holder.legalName': 'TEXT',
  'holder.taxId.value': 'TEXT',
  'paymentInstructions.id': 'TEXT',
  'paymentInstructions.asset': 'TEXT',
  'paymentInstructions.type': 'TEXT',
  'paymentInstructions.status': 'TEXT',
  createdAt: 'TIMESTAMP',
  updatedAt: 'TIMESTAMP',
};

const documentFilters: FilterFields = {
  id: 'TEXT',
  accountId: 'TEXT',
  'holder.type': 'TEXT',
  'holder.referenceId': 'TEXT',
  documentType: 'TEXT',
  documentSubType: 'TEXT',
  attempt: 'DECIMAL',
  'file.name': 'TEXT',
  'file.mediaType': 'TEXT',
  'states.status': 'TEXT',
  'currentState.status': 'TEXT',
  createdAt: 'TIMESTAMP',
  updatedAt: 'TIMESTAMP',
};

export function serveLists(plane: ControlPlane): void {
  plane.serve(listOperations, ({ query, world }) =>
    world().read((uow) => page(uow.list('operations'), query, `${uow.identity.name}/operations`, operationFilters, operationView)),
  );
  plane.serve(listBeneficiaries, ({ query, world }) =>
    world().read((uow) =>
      page(uow.list('beneficiaries'), query, `${uow.identity.name}/beneficiaries`, beneficiaryFilters, beneficiaryView),
    ),
  );
  plane.serve(listDocuments, ({ query, world }) =>
    world().read((uow) => page(uow.list('documents'), query, `${uow.identity.name}/documents`, documentFilters, documentView)),
  );
}
