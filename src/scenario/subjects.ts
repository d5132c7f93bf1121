import { eventTypes } from '../contract/shared/event-types.js';
import { z } from '@hono/zod-openapi';
import { AccountAssetSchema, AccountSchema } from '../contract/public/accounts.js';
import { BeneficiarySchema, PaymentInstructionSchema } from '../contract/public/beneficiaries.js';
import { AmountSchema } from '../contract/shared/common.js';
import { DurationSchema } from '../contract/shared/duration.js';
import { DocumentSchema } from '../contract/public/documents.js';
import { operationIds, publicRoutes } from '../contract/public/routes.js';
import type { AnyRoute } from '../contract/shared/route.js';
import { OperationSchema } from '../contract/public/operations.js';
import type { Trigger } from '../contract/scenario/scenario.js';
import { UboSchema } from '../contract/public/ubos.js';
import { eventSchemas } from '../contract/public/events.js';

const RequestSubjectSchema = z.object({
  operationId: z.enum(operationIds).describe('Operation id in `/openapi.json`.'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().describe('The requested path, including ids.'),
  query: z.record(z.string(), z.string().describe('A query parameter, by name.')),
  headers: z.record(z.string(), z.string().describe('A header, by name in lower case.')),
  resource: z.object({
    age: DurationSchema.nullable().describe(
      'World time since the creation of the resource that the path ends with, for example `{ lt: 2s }`; null without one.',
    ),
  }),
});

export type RequestSubject = z.infer<typeof RequestSubjectSchema>;

const DeliverySubjectSchema = z.object({
  messageId: z.string().describe('X-Message-Id: the same for every attempt to deliver one event to one subscription.'),
  eventType: z.enum(eventTypes),
  subscriptionId: z.string(),
  url: z.string().describe('The URL of the subscription.'),
  resourceId: z.string().describe('The resource that the event is about.'),
  kind: z.enum(['FIRST', 'RETRY', 'DUPLICATE', 'RESEND']).describe('Why the sandbox makes the attempt.'),
  attempt: z.number().describe('Number of the attempt, from 1.'),
  retryAttempts: z.number().describe('Number of retries so far.'),
  payload: z.unknown().describe('A field of the body, by its path.'),
});

const cents = z
  .string()
  .nullable()
  .describe('First two decimal places of the amount that the client specified; null if a later one is not zero.');

/** Creates a schema on first use, and only once. */
function later<S extends z.ZodType>(create: () => S): z.ZodLazy<S> {
  let created: S | undefined;
  return z.lazy(() => (created ??= create()));
}

/** For each trigger, the schema of the object that its rules test: usually the resource as the API shows it, with a few more fields. */
export const subjects: Readonly<Record<Trigger, z.ZodType>> = {
  OPERATION: later(() => OperationSchema.extend({ requestedAmount: AmountSchema.extend({ cents }) })),
  PAYMENT_INSTRUCTION: later(() => PaymentInstructionSchema.extend({ beneficiary: BeneficiarySchema })),
  DOCUMENT: later(() => DocumentSchema.extend({ fileName: z.string().describe('Name of the uploaded file.'), account: AccountSchema })),
  UBO: later(() => UboSchema.extend({ account: AccountSchema })),
  ACCOUNT: AccountSchema,
  ASSET: later(() => AccountAssetSchema.extend({ account: AccountSchema })),
  REQUEST: RequestSubjectSchema,
  DELIVERY: DeliverySubjectSchema,
};

const knownPaths = new Map<Trigger, ReadonlyMap<string, readonly z.ZodType[]>>();

/**
 * Returns all fields that rules on a trigger can test, as dotted paths with their schemas. Arrays and unions are traversed. A final `*`
 * stands for any name, for example of a header.
 */
export function fieldPaths(on: Trigger): ReadonlyMap<string, readonly z.ZodType[]> {
  const known = knownPaths.get(on);
  if (known) return known;
  const paths = new Map<string, z.ZodType[]>();
  knownPaths.set(on, paths);
  const walk = (wrapped: unknown, path: string): void => {
    const schema = unwrapped(wrapped);
    if (schema instanceof z.ZodNullable) for (const each of [schema.unwrap(), z.null()]) walk(each, path);
    else if (schema instanceof z.ZodArray) walk(schema.element, path);
    else if (schema instanceof z.ZodUnion) for (const each of schema.options) walk(each, path);
    else if (schema instanceof z.ZodObject)
      for (const [name, each] of Object.entries(schema.shape)) walk(each, path === '' ? name : `${path}.${name}`);
    else if (schema instanceof z.ZodRecord) walk(schema.valueType, `${path}.*`);
    else if (schema instanceof z.ZodUnknown) paths.set(path.endsWith('.*') ? path : `${path}.*`, [schema]);
    else paths.set(path, [...(paths.get(path) ?? []), schema as z.ZodType]);
  };
  walk(subjects[on], '');
  return paths;
}

/**
 * Returns the schema of a value as it is written in JSON, without the wrappers around it: optional, default, lazy, and the preparation or
 * conversion of the value.
 */
function unwrapped(schema: unknown): unknown {
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  const isWrapper =
    schema instanceof z.ZodLazy ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodCatch;
  return isWrapper ? unwrapped(schema.unwrap()) : schema;
}

/** Returns the schemas at a field path, through arrays and unions; null if the field does not exist. */
export function schemasAt(wrapped: unknown, path: readonly string[]): z.ZodType[] | null {
  const schema = unwrapped(wrapped);
  const [name, ...rest] = path;
  if (schema instanceof z.ZodNullable) return schemasAt(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return schemasAt(schema.element, path);
  if (schema instanceof z.ZodUnion) {
    const found = schema.options.map((option) => schemasAt(option, path)).filter((each) => each !== null);
    return found.length === 0 ? null : found.flat();
  }
  if (name === undefined) return [schema as z.ZodType];
  if (schema instanceof z.ZodObject) {
    const shape = schema.shape as Record<string, unknown>;
    return Object.hasOwn(shape, name) ? schemasAt(shape[name], rest) : null;
  }
  if (schema instanceof z.ZodRecord) return schemasAt(schema.valueType, rest);
  return schema instanceof z.ZodUnknown ? [schema] : null;
}

/** Returns a value in the notation of conditions: a string unchanged, any other value as JSON. */
export const plainValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns the possible values of a field with these schemas; null if they are not a closed list. */
export function enumValues(schemas: readonly z.ZodType[]): ReadonlySet<string> | null {
  const values = new Set<string>();
  for (const schema of schemas) {
    if (schema instanceof z.ZodEnum) for (const value of schema.options) values.add(plainValue(value));
    else if (schema instanceof z.ZodLiteral) for (const value of schema.values) values.add(plainValue(value));
    else if (!(schema instanceof z.ZodNull)) return null;
  }
  return values.size === 0 ? null : values;
}

/** Returns the description of a field; undefined if its schemas have different descriptions. */
export function descriptionOf(schemas: readonly z.ZodType[]): string | undefined {
  const [meaning, ...others] = new Set(schemas.flatMap(({ description }) => description ?? []));
  return others.length === 0 ? meaning : undefined;
}

const samples = { DECIMAL: '1500.00', TIMESTAMP: '2026-11-21T14:00:00.000Z', DURATION: '2s' } as const;

/** The type that a field declares. TEXT includes enums, dates and identifiers, whatever their characters. */
export type DeclaredType = keyof typeof samples | 'BOOLEAN' | 'TEXT';

/** The types that schemas declare. Each request with an amount needs some of them. */
const declaredTypes = new WeakMap<z.ZodType, DeclaredType | null>();

/** Returns the type that a schema declares; null for objects and for any value. */
function declaredBy(schema: z.ZodType): DeclaredType | null {
  let type = declaredTypes.get(schema);
  if (type === undefined) declaredTypes.set(schema, (type = typeDeclaredBy(schema)));
  return type;
}

function typeDeclaredBy(schema: z.ZodType): DeclaredType | null {
  if (schema instanceof z.ZodNumber) return 'DECIMAL';
  if (schema instanceof z.ZodBoolean) return 'BOOLEAN';
  if (schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum) {
    const [value] = schema instanceof z.ZodLiteral ? schema.values : schema.options;
    return typeof value === 'boolean' ? 'BOOLEAN' : typeof value === 'number' ? 'DECIMAL' : 'TEXT';
  }
  if (schema.def.type !== 'string') return null;
  const takes = (sample: string) => schema.safeParse(sample).success;
  if (takes('text')) return 'TEXT';
  return (Object.keys(samples) as (keyof typeof samples)[]).find((type) => takes(samples[type])) ?? 'TEXT';
}

/** Returns the type that all these schemas declare; null without a common one, or for a field that is not declared. */
export function declaredType(schemas: readonly z.ZodType[]): DeclaredType | null {
  const types = new Set(schemas.filter((schema) => !(schema instanceof z.ZodNull)).map(declaredBy));
  const [type = null] = types;
  return types.size === 1 ? type : null;
}

/** The bodies of all webhooks. */
const eventBodies = z.union([...new Set(Object.values(eventSchemas))]);

/** Returns the declared type of a field in the body of a webhook; null if no event has the field. */
export const typeInEvent = (path: readonly string[]): DeclaredType | null => declaredType(schemasAt(eventBodies, path) ?? []);

/** Returns the declared type of a query parameter; null for one that no operation has. */
export function typeOfParameter(routes: readonly AnyRoute[], name: string): DeclaredType | null {
  return declaredType(routes.flatMap(({ query }) => schemasAt(query, [name]) ?? []));
}

/** Returns the declared type of a field that rules on a trigger can test; null for a field without one. */
export function typeOfField(on: Trigger, path: string): DeclaredType | null {
  const [first, ...rest] = path.split('.');
  if (on === 'DELIVERY' && first === 'payload') return typeInEvent(rest);
  if (on === 'REQUEST' && first === 'query') return typeOfParameter(publicRoutes, rest.join('.'));
  return declaredType(schemasAt(subjects[on], path.split('.')) ?? []);
}
