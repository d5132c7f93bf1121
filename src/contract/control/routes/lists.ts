import { BeneficiarySchema } from '../../public/beneficiaries.js';
import { DocumentSchema } from '../../public/documents.js';
import { OperationSchema } from '../../public/operations.js';
import { defineList } from '../../shared/route.js';

const tag = 'Reads';

export const listOperations = defineList({
  operationId: 'listOperations',
  path: '/_sandbox/operations',
  tag,
  summary: 'List operations',
  item: OperationSchema,
  named: 'Operation',
});

export const listBeneficiaries = defineList({
  operationId: 'listBeneficiaries',
  path: '/_sandbox/beneficiaries',
  tag,
  summary: 'List beneficiaries',
  item: BeneficiarySchema,
  named: 'Beneficiary',
});

export const listDocuments = defineList({
  operationId: 'listDocuments',
  path: '/_sandbox/documents',
  tag,
  summary: 'List the documents that were uploaded',
  item: DocumentSchema,
  named: 'Document',
});
