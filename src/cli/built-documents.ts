import { controlDocument } from '../api/control/document.js';
import { versions } from '../contract/versions/versions.js';
import { publicDocument } from '../api/public/document.js';

/** Returns the documents to ship with the program, by file name. The build creates them, because that takes over 100 ms at run time. */
export function builtDocuments(): Record<string, string> {
  const document = publicDocument(versions[0]!);
  return {
    'openapi-public.json': document.json(),
    'openapi-public.yaml': document.yaml(),
    'openapi-control.json': JSON.stringify(controlDocument(), null, 2),
  };
}
