import { DocumentRequestSchema, documentDays } from '../../contract/public/documents.js';
import { uploadDocument } from '../../services/accounts/upload-document.js';
import { defineRoute } from '../../web/route.js';
import type { PublicPlane } from '../plane.js';

const uploadDocumentRoute = defineRoute({
  operationId: 'uploadDocument',
  method: 'post',
  path: '/api/documents',
  tag: 'Accounts',
  summary: 'Upload a document that a requirement asks for',
  description:
    'The requirement moves to `pendingVerification`, and after the review to `satisfied`, or to `errors`, where it takes another upload. ' +
    'When all requirements are satisfied the account goes on to REVIEWING.',
  body: DocumentRequestSchema,
  upload: true,
  status: 204,
  response: null,
  errors: [
    'MISSING_MULTIPART_FIELD',
    'EMPTY_FILE',
    'FILE_TOO_LARGE',
    'UNSUPPORTED_FILE_TYPE',
    'RESOURCE_NOT_FOUND',
    'DOCUMENT_NOT_REQUIRED',
  ],
});

export function serveDocuments(plane: PublicPlane): void {
  plane.serve(
    uploadDocumentRoute,
    (uow, { body, file }) => uploadDocument(uow, { request: body, file: file! }),
    (world) => documentDays(world.today()),
  );
}
