import { z } from '@hono/zod-openapi';
import { AccountAssetSchema, AccountSchema } from '../contract/public/accounts.js';
import { BeneficiarySchema, PaymentInstructionSchema } from '../contract/public/beneficiaries.js';
import { AmountSchema } from '../contract/shared/common.js';
import { DocumentSchema } from '../contract/public/documents.js';
import { operationIds } from '../contract/public/routes.js';
import { OperationSchema } from '../contract/public/operations.js';
import type { Trigger } from '../contract/scenario/scenario.js';
import { UboSchema } from '../contract/public/ubos.js';
import { eventTypes } from '../contract/public/webhooks.js';

/** A request as rules see it. */
const RequestSubjectSchema = z.object({
  operationId: z.enum(operationIds).describe('The operation, as `/openapi.json` names it.'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().describe('The path as it was asked for, ids included.'),
  query: z.record(z.string(), z.string().describe('A parameter of the query, by its name.')),
  headers: z.record(z.string(), z.string().describe('A header, by its name in lower case.')),
});

export type RequestSubject = z.infer<typeof RequestSubjectSchema>;

/** An attempt to deliver a webhook as rules see it. */
const DeliverySubjectSchema = z.object({
  messageId: z.string().describe('X-Message-Id: the same for every attempt to deliver one event to one subscription.'),
  eventType: z.enum(eventTypes),
  subscriptionId: z.string(),
  url: z.string().describe('The URL of the subscription.'),
  resourceId: z.string().describe('The resource that the event is about.'),
  kind: z.enum(['FIRST', 'RETRY', 'DUPLICATE', 'RESEND']).describe('What made the sandbox attempt it.'),
  attempt: z.number().describe('Which attempt this is, from 1.'),
  retryAttempts: z.number().describe('How often it was tried again so far.'),
  payload: z.unknown().describe('A field of the body, by its path.'),
});

const cents = z
  .string()
  .nullable()
  .describe('The first two fractional digits of the amount that the client fixed, when all behind them are zero.');

/** What the rules on each kind of thing look at: its resource as the API shows it, and a little more. Made when a rule is first checked. */
export const subjects: Readonly<Record<Trigger, z.ZodType>> = {
  OPERATION: z.lazy(() => OperationSchema.extend({ requestedAmount: AmountSchema.extend({ cents }) })),
  PAYMENT_INSTRUCTION: z.lazy(() => PaymentInstructionSchema.extend({ beneficiary: BeneficiarySchema })),
  DOCUMENT: z.lazy(() =>
    DocumentSchema.extend({ fileName: z.string().describe('The name of the file that was uploaded.'), account: AccountSchema }),
  ),
  UBO: z.lazy(() => UboSchema.extend({ account: AccountSchema })),
  ACCOUNT: AccountSchema,
  ASSET: z.lazy(() => AccountAssetSchema.extend({ account: AccountSchema })),
  REQUEST: RequestSubjectSchema,
  DELIVERY: DeliverySubjectSchema,
};

const knownPaths = new Map<Trigger, ReadonlyMap<string, readonly z.ZodType[]>>();

/**
 * All fields that the rules on a kind of thing can ask for, as dotted paths with what each may hold; lists and unions are walked through.
 * A last `*` stands for any name: of a header, of a fact that a reason brings.
 */
export function fieldPaths(on: Trigger): ReadonlyMap<string, readonly z.ZodType[]> {
  const known = knownPaths.get(on);
  if (known) return known;
  const paths = new Map<string, z.ZodType[]>();
  knownPaths.set(on, paths);
  const walk = (schema: unknown, path: string): void => {
    if (schema instanceof z.ZodLazy || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) walk(schema.unwrap(), path);
    else if (schema instanceof z.ZodNullable) for (const each of [schema.unwrap(), z.null()]) walk(each, path);
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

/** The schemas that a field path leads to, arrays and unions walked through; null when there is no such field. */
export function schemasAt(schema: unknown, path: readonly string[]): z.ZodType[] | null {
  const [name, ...rest] = path;
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return schemasAt(schema.unwrap(), path);
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

/** A value as conditions write it. */
export const plainValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The values that a field of these schemas can have, when they are a closed list; else null. */
export function closedValues(schemas: readonly z.ZodType[]): ReadonlySet<string> | null {
  const values = new Set<string>();
  for (const schema of schemas) {
    if (schema instanceof z.ZodEnum) for (const value of schema.options) values.add(plainValue(value));
    else if (schema instanceof z.ZodLiteral) for (const value of schema.values) values.add(plainValue(value));
    else if (!(schema instanceof z.ZodNull)) return null;
  }
  return values.size === 0 ? null : values;
}

/** What a field of these schemas means, where they do not differ in it; what only one of several shapes says would be wrong for the others. */
export function meaningOf(schemas: readonly z.ZodType[]): string | undefined {
  const [meaning, ...others] = new Set(schemas.flatMap(({ description }) => description ?? []));
  return others.length === 0 ? meaning : undefined;
}

const samples = { DECIMAL: '1500.00', TIMESTAMP: '2026-11-21T14:00:00.000Z' } as const;

/** The type of all that a field of these schemas can hold, told by what they take; null when it may be any text. */
export function typeHeld(schemas: readonly z.ZodType[]): keyof typeof samples | null {
  const held = schemas.filter((schema) => !(schema instanceof z.ZodNull));
  const takes = (schema: z.ZodType, sample: unknown) => schema.safeParse(sample).success;
  if (held.length === 0 || held.some((schema) => takes(schema, 'text'))) return null;
  if (held.every((schema) => schema instanceof z.ZodNumber || takes(schema, samples.DECIMAL))) return 'DECIMAL';
  return held.every((schema) => takes(schema, samples.TIMESTAMP)) ? 'TIMESTAMP' : null;
}
