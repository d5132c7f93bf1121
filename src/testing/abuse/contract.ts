// oxlint-disable-next-line typescript/no-explicit-any -- the document has no static type
type Json = any;

/** An operation of a contract. */
export interface ListedOperation {
  readonly operationId: string;
  readonly method: string;
  /** The path, with parameters in braces. */
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  /** An example of the JSON body of its request; undefined without one. */
  readonly example: unknown;
  readonly isUpload: boolean;
}

/** Checks responses against the contracts of a sandbox. */
export class Contract {
  readonly operations: readonly ListedOperation[];
  readonly #documents: readonly Json[];

  constructor(documents: readonly unknown[]) {
    this.#documents = documents;
    this.operations = documents.flatMap((document: Json) =>
      Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
        Object.entries<Json>(methods).map(([method, operation]) => {
          const content = operation.requestBody?.content ?? {};
          const media = content['application/json'] ?? content['multipart/form-data'];
          return {
            operationId: operation.operationId,
            method: method.toUpperCase(),
            path,
            parameters: (operation.parameters ?? []).map((each: Json) => resolve(document, each)),
            example: media?.example ?? Object.values<Json>(media?.examples ?? {})[0]?.value ?? (media ? {} : undefined),
            isUpload: content['multipart/form-data'] !== undefined,
          };
        }),
      ),
    );
  }

  /** Returns the defect of a response; null if it matches the contract. */
  faultOf(method: string, path: string, status: number, headers: Readonly<Record<string, unknown>>, text: string): string | null {
    if (status === 503) return headers['retry-after'] === undefined ? 'a 503 without Retry-After' : null;
    if (status >= 500) return `status ${status}: ${text.slice(0, 300)}`;
    if (status < 400) return this.#named(method, path, status);
    let body: Json;
    try {
      body = JSON.parse(text);
    } catch {
      return `an error response that is not JSON: ${text.slice(0, 100)}`;
    }
    const isShaped = typeof body.code === 'string' && typeof body.message === 'string' && typeof body.details === 'object';
    if (!isShaped) return `an error response of the wrong shape: ${text.slice(0, 100)}`;
    const items = body.details?.errors ?? [];
    if (items.length > 100) return `${items.length} items`;
    if (text.length > 200_000) return `an error response of ${text.length} characters`;
    if (status === 404 || status === 405) return null; // Paths without an operation are not in the contract.
    return this.#named(method, path, status, body.code);
  }

  #named(method: string, path: string, status: number, code?: string): string | null {
    for (const document of this.#documents) {
      const operation = operationAt(document, method, path);
      if (!operation) continue;
      const response = operation.responses[status];
      if (!response) return `status ${status} (${code ?? 'success'}), which ${operation.operationId} does not name`;
      if (code === undefined) return null;
      const codes = codesOf(document, resolve(document, response).content?.['application/json']?.schema);
      return codes.has(code) ? null : `${code}, which ${operation.operationId} does not name`;
    }
    return null;
  }
}

function resolve(document: Json, node: Json): Json {
  if (node?.$ref === undefined) return node;
  return node.$ref
    .slice(2)
    .split('/')
    .reduce((value: Json, name: string) => value[name], document);
}

function operationAt(document: Json, method: string, target: string): Json {
  const segments = target.split('?')[0]!.split('/');
  for (const [path, methods] of Object.entries<Json>(document.paths)) {
    const template = path.split('/');
    const fits = template.length === segments.length && template.every((each, index) => each.startsWith('{') || each === segments[index]);
    const operation = fits ? methods[method.toLowerCase()] : undefined;
    if (operation) return operation;
  }
}

/** Returns the error codes that an error schema allows. */
function codesOf(document: Json, schema: Json): Set<string> {
  const own = resolve(document, schema);
  const code = resolve(document, own?.properties?.code);
  const codes = code?.const === undefined ? (code?.enum ?? []) : [code.const];
  // The codes of a narrower schema replace those of the wider schema.
  if (codes.length > 0) return new Set<string>(codes);
  return new Set(
    [...(own?.oneOf ?? []), ...(own?.anyOf ?? []), ...(own?.allOf ?? [])].flatMap((each: Json) => [...codesOf(document, each)]),
  );
}
