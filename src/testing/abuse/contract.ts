// oxlint-disable-next-line typescript/no-explicit-any -- a document is walked by names that only it knows
type Json = any;

/** One operation of a contract, as an outside process finds it. */
export interface ListedOperation {
  readonly operationId: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  /** An example of its body, where it has a JSON one. */
  readonly example: unknown;
  readonly isUpload: boolean;
}

/** What the contracts of a sandbox say of answers. */
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

  /** What is wrong with an answer, seen from outside; null when the contract has it. */
  faultOf(method: string, path: string, status: number, headers: Readonly<Record<string, unknown>>, text: string): string | null {
    if (status === 503) return headers['retry-after'] === undefined ? 'a 503 without Retry-After' : null;
    if (status >= 500) return `status ${status}: ${text.slice(0, 300)}`;
    if (status < 400) return this.#named(method, path, status);
    let body: Json;
    try {
      body = JSON.parse(text);
    } catch {
      return `a refusal that is no JSON: ${text.slice(0, 100)}`;
    }
    const isShaped = typeof body.code === 'string' && typeof body.message === 'string' && typeof body.details === 'object';
    if (!isShaped) return `a refusal of another shape: ${text.slice(0, 100)}`;
    const items = body.details?.errors ?? [];
    if (items.length > 100) return `${items.length} items`;
    if (text.length > 200_000) return `a refusal of ${text.length} characters`;
    if (status === 404 || status === 405) return null; // What is no operation has no line of its own.
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

/** Every error code that a schema of a refusal allows. */
function codesOf(document: Json, schema: Json): Set<string> {
  const own = resolve(document, schema);
  const code = resolve(document, own?.properties?.code);
  const codes = code?.const === undefined ? (code?.enum ?? []) : [code.const];
  // Where a schema narrows another one, its own codes count.
  if (codes.length > 0) return new Set<string>(codes);
  return new Set(
    [...(own?.oneOf ?? []), ...(own?.anyOf ?? []), ...(own?.allOf ?? [])].flatMap((each: Json) => [...codesOf(document, each)]),
  );
}
