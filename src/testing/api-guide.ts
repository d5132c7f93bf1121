import { versions } from '../contract/versions/versions.js';
import { publicDocument } from '../api/public/document.js';
import { resolved, type Json as Document } from './documents.js';
import { code, row, table } from './markdown.js';

/** Returns the table of all endpoints of the payments API, with the status and the schema of the response. `/docs` shows the fields. */
export function callTable(): string {
  const document: Document = JSON.parse(publicDocument(versions[0]!).json());
  const rows = Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Document>(methods).map(([method, operation]) => {
      const [status, response] = Object.entries<Document>(operation.responses).find(([each]) => each < '300')!;
      const schema = response.content?.['application/json'].schema;
      const items = resolved(document, schema)?.properties?.data?.items;
      const name: string | undefined = (items ?? schema)?.$ref.split('/').at(-1);
      const body = name === undefined ? 'no body' : `${items ? 'a page of ' : ''}${name}`;
      return row(code(`${method.toUpperCase()} ${path}`), operation.summary, `${status}, ${body}`);
    }),
  );
  return table(['request', 'what it does', 'response'], rows);
}
