// The parts of OpenAPI that this code uses.

interface MediaType {
  readonly schema?: object;
}
export interface Shared {
  readonly $ref: string;
}
interface ResponseObject {
  readonly description: string;
  headers?: Record<string, object>;
  readonly content?: Readonly<Record<string, MediaType>>;
}
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema?: { description?: string; example?: unknown; default?: unknown };
  examples?: Record<string, { value: unknown }>;
}
export interface Operation {
  parameters?: (Parameter | Shared)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  responses: Record<string, ResponseObject | Shared>;
}

/** The parts of an OpenAPI document that this code uses. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { schemas: object } & Record<string, Record<string, unknown>>;
}
