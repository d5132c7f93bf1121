import { day, field, optionalField, object, text, textFlag, uuid, word } from '../field-tables.js';
import { unknownId, type RequestTable } from './table.js';

export const documents: RequestTable[] = [
  {
    name: 'a document with two sides',
    method: 'POST',
    path: '/api/documents',
    body: {
      documentType: 'ID_CARD',
      documentSubType: 'FRONT_SIDE',
      holder: { type: 'UBO', referenceId: unknownId },
      metadata: { country: 'BR', issuedAt: '2026-11-02', description: 'x', legalForm: 'LLC', apostilled: true },
    },
    fields: [
      field('documentType', word(['ID_CARD', 'DRIVER_LICENSE'], 'LETTER')),
      field('documentSubType', word(['FRONT_SIDE', 'BACK_SIDE'], 'LEFT_SIDE'), { missingKnownBy: ['documentType'] }),
      field('holder', object),
      field('holder.type', word(['ACCOUNT', 'UBO'], 'COMPANY')),
      field('holder.referenceId', uuid),
      field('metadata', object, { missingAt: 'metadata.country', missingKnownBy: ['documentType'] }),
      field('metadata.country', word(['BR', 'US'], 'XX'), { missingKnownBy: ['documentType'] }),
      optionalField('metadata.issuedAt', day),
      optionalField('metadata.description', text(500)),
      optionalField('metadata.legalForm', word(['CORPORATION', 'LLC', 'LIMITED', 'LLP'], 'GMBH')),
      optionalField('metadata.apostilled', textFlag),
    ],
  },
];
