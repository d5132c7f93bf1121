import { documentDays } from '../../../contract/public/documents.js';
import { uploadDocument } from '../../../services/accounts/upload-document.js';
import type { PublicPlane } from '../plane.js';
import { uploadDocumentRoute } from '../../../contract/public/routes/documents.js';

export function serveDocuments(plane: PublicPlane): void {
  plane.serveWrite(
    uploadDocumentRoute,
    (uow, { body, file }) => uploadDocument(uow, { request: body, file: file! }),
    (world) => documentDays(world.today()),
  );
}
