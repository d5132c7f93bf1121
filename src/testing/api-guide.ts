import { versions } from '../contract/versions/versions.js';
import { publicDocument } from '../api/public/document.js';
import type { Json as Document } from './documents.js';
import { code, row, table } from './markdown.js';

/** Returns the table of all endpoints of the payments API. `/docs` shows their fields. */
export function callTable(): string {
  const document: Document = JSON.parse(publicDocument(versions[0]!).json());
  const rows = Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Document>(methods).map(([method, operation]) => row(code(`${method.toUpperCase()} ${path}`), operation.summary)),
  );
  return table(['request', 'what it does'], rows);
}
