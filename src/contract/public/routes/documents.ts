import { DocumentRequestSchema } from '../documents.js';
import { defineRoute } from '../../shared/route.js';

export const uploadDocumentRoute = defineRoute({
  operationId: 'uploadDocument',
  method: 'post',
  path: '/api/documents',
  tag: 'Accounts',
  summary: 'Upload a document for a requirement',
  description:
    'A multipart/form-data body with two parts: `body`, a JSON object, and `file`, a PDF, PNG or JPEG of 1 to 10,000,000 bytes. The file type is detected from the content. ' +
    'The whole body has at most 11,000,000 bytes and 20 parts. The requirement moves to `pendingVerification`, and after the review to `satisfied`, or to `errors`; then another upload is possible. ' +
    'When all requirements are satisfied, the account moves to REVIEWING.',
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

/** The operations of this file, in the order of the OpenAPI document. */
export const documentRoutes = [uploadDocumentRoute] as const;
