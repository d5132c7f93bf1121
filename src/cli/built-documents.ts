import { controlDocument } from '../control/document.js';
import { versions } from '../contract/versions/versions.js';
import { publicDocument } from '../http/document.js';

/** Makes the documents that the build puts beside the program, by the names of their files: making them at run time takes over 100 ms. */
export function builtDocuments(): Record<string, string> {
  const document = publicDocument(versions[0]!);
  return {
    'openapi-public.json': document.json(),
    'openapi-public.yaml': document.yaml(),
    'openapi-control.json': JSON.stringify(controlDocument(), null, 2),
  };
}
