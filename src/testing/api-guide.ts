import { versions } from '../contract/versions/versions.js';
import { publicDocument } from '../api/public/document.js';
import type { Json as Document } from './documents.js';
import { code, termList } from './markdown.js';

/** Returns the list of all endpoints of the payments API, by tag. `/docs` shows their fields. */
export function callList(): string {
  const document: Document = JSON.parse(publicDocument(versions[0]!).json());
  const calls = new Map<string, string[]>();
  for (const [path, methods] of Object.entries<Document>(document.paths)) {
    for (const [method, { tags }] of Object.entries<Document>(methods))
      calls.set(tags[0], [...(calls.get(tags[0]) ?? []), code(`${method.toUpperCase()} ${path}`)]);
  }
  return termList([...calls].map(([tag, requests]) => [tag, requests.join(', ')]));
}
